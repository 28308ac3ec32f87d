import { session } from '../app/session.svelte.ts';
import type { RecordAction } from './permissions.svelte.ts';

/** All of the base but some fields, or only some. */
export interface RoleFields {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** Yes, no, or the text of a rule. */
export type RoleTypeRights = Partial<Readonly<Record<RecordAction, boolean | string>>> & {
  readonly read?: RoleFields | undefined;
  readonly write?: RoleFields | undefined;
  /** The languages that the role writes in; absent: all. */
  readonly languages?: readonly string[] | undefined;
};

/** A role as its file has it. */
export interface RoleDefinition {
  readonly name?: string;
  readonly label?: string;
  readonly base?: 'member' | 'editor';
  /** By singular; `*`: all types without an entry of their own. */
  readonly types?: Readonly<Record<string, RoleTypeRights>>;
  readonly may?: {
    readonly media?: 'none' | 'own' | 'all';
    readonly comments?: 'none' | 'moderate';
    readonly users?: boolean;
    readonly events?: boolean;
    readonly releases?: boolean;
    readonly share?: boolean;
  };
}

/** A role of the installation's own, as `GET /admin/roles` returns it. */
export interface RoleEntry {
  readonly name: string;
  readonly label: string;
  readonly base: 'member' | 'editor';
  readonly source: 'file' | 'api';
  readonly file: string | null;
  readonly definition: RoleDefinition;
}

interface RolePage {
  readonly items: readonly RoleEntry[];
  readonly total: number;
}

const one = (name: string): string => `/admin/roles/${encodeURIComponent(name)}`;

/** The routes of roles. */
export const roleRoutes = {
  async all(signal: AbortSignal): Promise<readonly RoleEntry[]> {
    const found: RoleEntry[] = [];
    for (let page = 1; ; page += 1) {
      const query = { page, page_size: 100 };
      const { items, total } = await session.client.request<RolePage>('GET', '/admin/roles', { query, signal });
      found.push(...items);
      if (items.length === 0 || found.length >= total) return found;
    }
  },
  one: (name: string, signal: AbortSignal) => session.client.request<RoleEntry>('GET', one(name), { signal }),
  create: (body: RoleDefinition) => session.client.request<RoleEntry>('POST', '/admin/roles', { body }),
  replace: (name: string, body: RoleDefinition) => session.client.request<RoleEntry>('PUT', one(name), { body }),
  delete: (name: string) => session.client.request<void>('DELETE', one(name)),
} as const;
