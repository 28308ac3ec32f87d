import type { CompiledRole, RoleBase, WrittenRole } from '../../definition/roles/role.ts';
import type { StoredRole } from './stored-role.ts';

export const roleOrigins = ['file', 'api'] as const;

/** A role as the API returns it. */
export interface RoleEntry {
  readonly name: string;
  readonly label: string;
  readonly base: RoleBase;
  readonly source: (typeof roleOrigins)[number];
  /** The file that defines it. */
  readonly file: string | null;
  /** For a role created through the API; null for others, like the members below. */
  readonly revision: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly definition: WrittenRole;
}

export const roleEntry = (role: CompiledRole, stored: StoredRole | undefined): RoleEntry => ({
  name: role.name,
  label: role.label,
  base: role.base,
  source: role.stored ? 'api' : 'file',
  file: role.stored ? null : role.source,
  revision: stored?.revision ?? null,
  created_at: stored?.createdAt ?? null,
  updated_at: stored?.updatedAt ?? null,
  updated_by: stored?.author ?? null,
  definition: role.written,
});
