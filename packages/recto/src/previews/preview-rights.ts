import type { AuthenticatedCaller } from '../base/caller.ts';
import { forbidden } from '../base/problem.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import { endpointViews, rightsOf } from '../definition/rights/read-view.ts';
import { draftsOf } from '../records/drafts/draft.ts';
import { readsWhatTimeDecides } from '../records/times/rights-at.ts';

/** The fields of a type that its public reads show. */
const publicFields = (type: ContentType): readonly Field[] =>
  (['get', 'list'] as const).flatMap((endpoint) =>
    type.endpoints[endpoint].access === 'none' ? [] : readableFields(type, endpointViews[endpoint]),
  );

/**
 * Whether a caller may see records of a type as the public would. A preview shows what is not public yet: a caller whose role changes
 * none of the records, or does not read all that the public would, would read more by it than by the admin routes.
 */
export function maySeePublished(caller: AuthenticatedCaller, type: ContentType, types: ContentTypes): boolean {
  const rights = rightsOf(caller, types.roles).of(type);
  return rights.rows.update !== 'none' && publicFields(type).every((field) => rights.reads(field));
}

/**
 * Whether a caller's role reads all that the public could see at a time to come: of every type with public reads all records, with all fields that
 * these show, and what decides when they do: who tried one time after the other would find it out. A rule of a role cannot be held against
 * records as the public will see them.
 */
const maySeeLater = (caller: AuthenticatedCaller, types: ContentTypes): boolean =>
  types.all.every((type) => {
    const isOpen = (['get', 'list'] as const).some((endpoint) => type.endpoints[endpoint].access !== 'none');
    if (!isOpen) return true;
    const rights = rightsOf(caller, types.roles).of(type);
    const { get, list } = rights.rows;
    const readsFields = publicFields(type).every((field) => rights.reads(field));
    return get === 'all' && list === 'all' && readsFields && readsWhatTimeDecides(caller, type, types);
  });

/** Throws 403 for a caller who may not see the site at a time to come. */
export function requireForesight(caller: AuthenticatedCaller, types: ContentTypes): void {
  if (!maySeeLater(caller, types))
    throw forbidden('insufficient_role', 'Your role does not read all that the site will show at that time.');
}

/** Whether a caller's role reads the drafts of a type. For one that does not, there are none. */
export function readsDraftsOf(caller: AuthenticatedCaller, type: ContentType, types: ContentTypes): boolean {
  const draft = draftsOf(type)?.field;
  return draft !== undefined && rightsOf(caller, types.roles).of(type).reads(draft);
}

/** Whether a caller may make links for people without an account. */
export const mayShare = ({ role }: AuthenticatedCaller, { ownRoles }: ContentTypes): boolean =>
  ownRoles.find(role)?.may.share !== false;

/** Throws 403 for a caller who may not share previews. */
export function requireShare(caller: AuthenticatedCaller, types: ContentTypes): void {
  if (!mayShare(caller, types)) throw forbidden('insufficient_role', 'Your role may not share previews.');
}

/** Throws 403 for a caller whose role does not read what the public would. */
export function requireSight(caller: AuthenticatedCaller, type: ContentType, types: ContentTypes): void {
  if (!maySeePublished(caller, type, types))
    throw forbidden('insufficient_role', `Your role does not read all that a published ${type.singular} shows.`);
}
