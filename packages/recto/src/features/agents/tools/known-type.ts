import { badRequest, notFound } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import { type Drafts, draftsOf } from '../../../records/drafts/draft.ts';
import { narrowedPermissions, type Permissions, permissionsOf } from '../../roles/permissions.ts';
import type { ToolCall } from '../tool.ts';

/** A type that the caller reads, with what they may do with its records. */
export interface KnownType {
  readonly type: ContentType;
  readonly may: TypePermissions;
}

export type TypePermissions = Permissions['types'][string];

/** The rights of the token's role to each type, and what its scopes leave of them. */
const rightsFor = ({ caller, types }: ToolCall): Permissions['types'] =>
  narrowedPermissions(permissionsOf(caller.role, types), caller.scopes).types;

function read(type: ContentType, rights: Permissions['types'], { requests }: ToolCall): KnownType | undefined {
  const may = rights[type.singular];
  return may === undefined || may.get === 'none' || !requests.isServed(type) ? undefined : { type, may };
}

/** The types that a caller reads. */
export function readTypes(call: ToolCall): readonly KnownType[] {
  const rights = rightsFor(call);
  return call.types.all.map((type) => read(type, rights, call)).filter((known) => known !== undefined);
}

/** A type by its name. One that the caller does not read is not there for them. */
export function knownType(name: string, call: ToolCall): KnownType {
  const named = call.types.all.find(({ singular, plural }) => singular === name || plural === name);
  const found = named === undefined ? undefined : read(named, rightsFor(call), call);
  if (found === undefined)
    throw notFound(`There is no type "${name}" for this token. list_types names those that there are.`);
  return found;
}

/** A type whose records have drafts, which are all that agents write. */
export function draftedType(name: string, call: ToolCall): { readonly type: ContentType; readonly drafts: Drafts } {
  const { type } = knownType(name, call);
  const drafts = draftsOf(type);
  if (drafts === undefined || type.kind === 'single')
    throw badRequest('no_drafts', `"${type.singular}" has no drafts, so agents only read it.`);
  return { type, drafts };
}
