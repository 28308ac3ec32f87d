import type { Field } from '../field-type.ts';
import { profileSingular } from '../profile/profile-type.ts';
import { type RoleRights, roleRights } from '../rights/role-rights.ts';
import { noRights, type RightsSubject, type RowRight, type TypeRights } from '../rights/type-rights.ts';
import type { CompiledRole, Grant, TypeGrant } from './role.ts';

/** The rights of a role of the installation's own. A type that it has no grant for is closed to it. */
export const rightsOfRole = (role: CompiledRole): RoleRights =>
  roleRights(
    {
      name: role.name,
      // No built-in role and no endpoint has such a key.
      key: `role:${role.name}`,
      readsPrivateMembers: role.base === 'editor',
    },
    (type) => {
      if (type.singular === profileSingular) return profileRights(type);
      const grant = role.types.get(type.singular);
      return grant === undefined ? noRights : grantedRights(type, grant);
    },
  );

function grantedRights({ fields, shownIn, languages }: RightsSubject, grant: TypeGrant): TypeRights {
  const { list, get, create, update, delete: remove, publish, read, write } = grant;
  const tag = (shownIn?.read.language ?? languages?.default)?.tag;
  const writesLanguage = tag === undefined || grant.languages === null || grant.languages.has(tag);
  // To publish what a language says is to change what it says to everyone.
  const mayPublish = writesLanguage || (shownIn === undefined && !grant.publishesLanguages);
  const readable = Object.freeze(fields.filter(({ name, type }) => read.has(name) && !type.secret));
  const known = new Set(readable);
  return Object.freeze({
    rows: Object.freeze({
      list: rowRight(list),
      get: rowRight(get),
      create: rowRight(create),
      update: rowRight(update),
      delete: rowRight(remove),
      publish: mayPublish ? rowRight(publish) : 'none',
    }),
    readable,
    reads: (field: Field) => known.has(field),
    readsPrivateHistory: false,
    writes: ({ name, localized }: Field) => write.has(name) && (writesLanguage || !localized),
    writesLanguage,
  });
}

/** What an account says of itself to everyone is shown to whoever sees a record that leads to it. */
function profileRights({ fields }: RightsSubject): TypeRights {
  const readable = Object.freeze(fields.filter(({ type, private: isPrivate }) => !type.secret && !isPrivate));
  const known = new Set(readable);
  return Object.freeze({
    ...noRights,
    rows: Object.freeze({ ...noRights.rows, list: 'all', get: 'all' }),
    readable,
    reads: (field: Field) => known.has(field),
  });
}

const rowRight = (grant: Grant): RowRight => (typeof grant === 'boolean' ? (grant ? 'all' : 'none') : grant);
