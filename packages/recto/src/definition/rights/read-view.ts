import { type Caller, callerRole, callerScopes } from '../../base/caller.ts';
import type { EndpointName } from '../endpoint.ts';
import { narrowedRights } from './narrowed-rights.ts';
import { adminRights, memberRights, type RoleRights, type Roles } from './role-rights.ts';

/** A view before the caller is known: the admin routes, or one public endpoint. */
export type ViewName = 'admin' | EndpointName;

/** How one public endpoint shows records: with its whitelist, its rules, and without private fields. */
export interface EndpointView {
  readonly audience: 'public';
  readonly endpoint: EndpointName;
  readonly key: EndpointName;
  toString(): string;
}

/** How the admin routes show records to a role. */
export interface AdminView {
  readonly audience: 'admin';
  readonly rights: RoleRights;
  readonly key: string;
  toString(): string;
}

/**
 * How records are shown to a caller: which of them, and what of each. The one value that decides it: read it through
 * `readableFields` (fields), `readsPrivate` (inside structured fields) and `records/plans/visibility.ts` (rows). `key` is equal for views
 * that show the same, and part of the keys of plans and caches; so is the text of a view, if it gets into one.
 */
export type ReadView = EndpointView | AdminView;

const endpointView = (endpoint: EndpointName): EndpointView =>
  Object.freeze({ audience: 'public', endpoint, key: endpoint, toString: () => endpoint });

/** The views of the public endpoints. */
export const endpointViews: Readonly<Record<EndpointName, EndpointView>> = Object.freeze({
  list: endpointView('list'),
  get: endpointView('get'),
  create: endpointView('create'),
  update: endpointView('update'),
  delete: endpointView('delete'),
});

const adminViews = new WeakMap<RoleRights, AdminView>();

/** The view of the admin routes for a role. */
export function adminView(rights: RoleRights): AdminView {
  const found = adminViews.get(rights);
  if (found !== undefined) return found;
  const { key } = rights;
  const view: AdminView = Object.freeze({ audience: 'admin', rights, key, toString: () => key });
  adminViews.set(rights, view);
  return view;
}

/** All records and fields: what the service itself reads, and what the API document describes. */
export const fullView: AdminView = adminView(adminRights);

/** The rights of a caller. Those of the service itself are an admin's; a role that there is not has none. */
export function rightsOf(caller: Caller, roles: Roles): RoleRights {
  if (caller.isSystem === true) return adminRights;
  const role = callerRole(caller);
  const rights = (role === null ? undefined : roles.find(role)) ?? memberRights;
  const scopes = callerScopes(caller);
  return scopes === undefined ? rights : narrowedRights(rights, scopes);
}

/** The view that a caller gets by name. */
export const viewFor = (name: ViewName, caller: Caller, { roles }: { readonly roles: Roles }): ReadView =>
  name === 'admin' ? adminView(rightsOf(caller, roles)) : endpointViews[name];

/** The view by name whoever asks: for what describes the API, and not for requests. */
export const viewNamed = (name: ViewName): ReadView => (name === 'admin' ? fullView : endpointViews[name]);

/** The name of the view of an included record. */
export const includedName = (name: ViewName): ViewName => (name === 'admin' ? 'admin' : 'get');

/** The view of an included record: that of its own `get` endpoint. */
export const includedView = (view: ReadView): ReadView => (view.audience === 'admin' ? view : endpointViews.get);
