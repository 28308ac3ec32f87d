import { reaches, type TokenScopes } from '../../base/token-scopes.ts';
import { type RoleRights, roleRights } from './role-rights.ts';
import { noRights, type RightsSubject, type TypeRights } from './type-rights.ts';

const known = new WeakMap<RoleRights, Map<string, RoleRights>>();

/** The rights of a role that scopes leave: none to a type that they do not name, none to change one that they only read. */
export function narrowedRights(rights: RoleRights, scopes: TokenScopes): RoleRights {
  const ofRights = known.get(rights) ?? new Map<string, RoleRights>();
  known.set(rights, ofRights);
  const key = JSON.stringify(scopes);
  const found = ofRights.get(key) ?? narrowed(rights, scopes, key);
  ofRights.set(key, found);
  return found;
}

const narrowed = (rights: RoleRights, scopes: TokenScopes, key: string): RoleRights =>
  roleRights(
    { name: rights.name, key: `${rights.key} ${key}`, readsPrivateMembers: rights.readsPrivateMembers },
    (type: RightsSubject): TypeRights => {
      const own = rights.of(type);
      if (isProfile(type) || reaches(scopes, type.singular, 'write')) return own;
      if (!reaches(scopes, type.singular, 'read')) return noRights;
      const { list, get } = own.rows;
      return Object.freeze({ ...own, rows: Object.freeze({ ...noRights.rows, list, get }), writes: () => false });
    },
  );

/** What accounts say of themselves to everyone: no definition can have such a name. */
const isProfile = ({ singular }: RightsSubject): boolean => singular.startsWith('recto:');
