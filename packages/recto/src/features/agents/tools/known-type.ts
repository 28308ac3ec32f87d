import { badRequest, notFound } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import { type Drafts, draftsOf } from '../../../records/drafts/draft.ts';
import { narrowedPermissions, type Permissions, permissionsOf } from '../../roles/permissions.ts';
import type { ToolCall } from '../tool.ts';

/** What the caller may do: the rights of the token's role, and what its scopes leave of them. */
export const permissionsFor = ({ caller, types }: ToolCall): Permissions =>
  narrowedPermissions(permissionsOf(caller.role, types), caller.scopes);

export type TypePermissions = Permissions['types'][string];

/** The types that a caller reads, with what they may do with each. */
export function readTypes(call: ToolCall): readonly { readonly type: ContentType; readonly may: TypePermissions }[] {
  const { types } = permissionsFor(call);
  return call.types.all.flatMap((type) => {
    const may = types[type.singular];
    return may === undefined || may.get === 'none' || !call.requests.isServed(type) ? [] : [{ type, may }];
  });
}

/** A type by its name. One that the caller does not read is not there for them. */
export function knownType(name: string, call: ToolCall): { readonly type: ContentType; readonly may: TypePermissions } {
  const found = readTypes(call).find(({ type }) => type.singular === name || type.plural === name);
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
