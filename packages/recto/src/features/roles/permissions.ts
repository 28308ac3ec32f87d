import { type BuiltInRole, isBuiltInRole, type Role } from '../../base/caller.ts';
import { reaches, type TokenScopes } from '../../base/token-scopes.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import {
  type CompiledRole,
  type Grant,
  type RoleAction,
  type RoleMay,
  roleActions,
  type TypeGrant,
} from '../../definition/roles/role.ts';
import type { Extent } from './role-schemas.ts';

type OfType = Readonly<Record<RoleAction, Extent>> & {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Of a type with values by language: those that the role writes in. */
  readonly languages?: readonly string[];
};

/** What a role may do on the admin routes, as screens and programs need it. */
export interface Permissions {
  readonly role: string;
  readonly label: string;
  readonly types: Readonly<Record<string, OfType>>;
  readonly may: RoleMay & { readonly import: boolean };
}

const known = new WeakMap<ContentTypes, Map<Role, Permissions>>();

/** The permissions of a role, computed once for a set of content types. */
export function permissionsOf(role: Role, types: ContentTypes): Permissions {
  const ofTypes = known.get(types) ?? new Map<Role, Permissions>();
  known.set(types, ofTypes);
  const found = ofTypes.get(role) ?? computed(role, types);
  ofTypes.set(role, found);
  return found;
}

function computed(role: Role, types: ContentTypes): Permissions {
  if (isBuiltInRole(role)) return ofBuiltIn(role, types);
  const own = types.ownRoles.find(role);
  return own === undefined ? { ...ofBuiltIn('member', types), role, label: role } : ofOwn(own, types);
}

const labels: Readonly<Record<BuiltInRole, string>> = { admin: 'Admin', editor: 'Editor', member: 'Member' };

function ofBuiltIn(role: BuiltInRole, { all }: ContentTypes): Permissions {
  const isEditor = role !== 'member';
  const isAdmin = role === 'admin';
  return {
    role,
    label: labels[role],
    types: isEditor ? Object.fromEntries(all.map((type) => [type.singular, whole(type)])) : {},
    may: {
      media: isEditor ? 'all' : 'none',
      comments: isEditor ? 'moderate' : 'none',
      users: isAdmin,
      import: isAdmin,
      events: isEditor,
      releases: isEditor,
      share: isEditor,
    },
  };
}

const whole = ({ fields, languages }: ContentType): OfType => ({
  ...extentsOf(() => true),
  read: fields.filter(({ type }) => !type.secret).map(({ name }) => name),
  write: fields.filter(({ writable }) => writable).map(({ name }) => name),
  ...(languages === undefined ? {} : { languages: languages.all.map(({ tag }) => tag) }),
});

function ofOwn({ name, label, types, may }: CompiledRole, known: ContentTypes): Permissions {
  const granted = [...types].filter(([, grant]) => roleActions.some((action) => grant[action] !== false));
  return {
    role: name,
    label,
    types: Object.fromEntries(granted.map(([type, grant]) => [type, ofGrant(grant, known.get(type))])),
    may: { ...may, import: false },
  };
}

const ofGrant = (grant: TypeGrant, { languages }: ContentType): OfType => ({
  ...extentsOf((action) => grant[action]),
  read: [...grant.read],
  write: [...grant.write],
  ...(languages === undefined
    ? {}
    : { languages: languages.all.map(({ tag }) => tag).filter((tag) => grant.languages?.has(tag) !== false) }),
});

// True because the entries are made of all actions.
const extentsOf = (grant: (action: RoleAction) => Grant): Record<RoleAction, Extent> =>
  Object.fromEntries(roleActions.map((action) => [action, extentOf(grant(action))])) as Record<RoleAction, Extent>;

const extentOf = (grant: Grant): Extent => (typeof grant === 'boolean' ? (grant ? 'all' : 'none') : 'some');

/** What the scopes of an API token leave of permissions. */
export function narrowedPermissions(whole: Permissions, scopes: TokenScopes | undefined): Permissions {
  if (scopes === undefined) return whole;
  const types = Object.entries(whole.types).flatMap(([type, rights]): [string, OfType][] => {
    if (reaches(scopes, type, 'write')) return [[type, rights]];
    if (!reaches(scopes, type, 'read')) return [];
    return [
      [
        type,
        {
          ...extentsOf(() => false),
          list: rights.list,
          get: rights.get,
          read: rights.read,
          write: [],
          ...(rights.languages && { languages: [] }),
        },
      ],
    ];
  });
  const { may } = whole;
  return {
    ...whole,
    types: Object.fromEntries(types),
    may: {
      media: reaches(scopes, 'media', 'write') ? may.media : 'none',
      comments: reaches(scopes, 'comment', 'write') ? may.comments : 'none',
      users: may.users && reaches(scopes, 'may:users', 'write'),
      import: false,
      events: may.events && reaches(scopes, 'may:events', 'read'),
      releases: may.releases && reaches(scopes, 'may:releases', 'write'),
      // Of what the scopes change.
      share: may.share && types.some(([type]) => reaches(scopes, type, 'write')),
    },
  };
}
