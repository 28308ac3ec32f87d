import { fullRights, noRights, type RightsSubject, type TypeRights } from './type-rights.ts';

/** The rights of one role: what it may do with each content type. */
export interface RoleRights {
  readonly name: string;
  /**
   * Equal for roles whose admin reads run the same statements: plans and caches are keyed by it. The roles `admin` and `editor`
   * share `admin`.
   */
  readonly key: string;
  /** Whether the role reads private fields inside the structured fields that it reads. */
  readonly readsPrivateMembers: boolean;
  /** Compiled when first asked for, then kept. */
  of(type: RightsSubject): TypeRights;
}

/** The roles of one set of content types. */
export interface Roles {
  /** Undefined: there is no such role, and its callers have no rights. */
  find(name: string): RoleRights | undefined;
  /** In the order in which people see them, strongest first. */
  readonly all: readonly RoleRights[];
}

/** The rights of a role, each type's computed once: compiled types never change. */
export function roleRights(
  head: Pick<RoleRights, 'name' | 'key' | 'readsPrivateMembers'>,
  compile: (type: RightsSubject) => TypeRights,
): RoleRights {
  const known = new WeakMap<RightsSubject, TypeRights>();
  return Object.freeze({
    ...head,
    of(type: RightsSubject): TypeRights {
      const found = known.get(type);
      if (found !== undefined) return found;
      const rights = compile(type);
      known.set(type, rights);
      return rights;
    },
  });
}

/** Everything, private versions included. */
export const adminRights = roleRights({ name: 'admin', key: 'admin', readsPrivateMembers: true }, (type) =>
  fullRights(type, true),
);

/** All content. What was private in a revision is for admins. */
export const editorRights = roleRights({ name: 'editor', key: 'admin', readsPrivateMembers: true }, (type) =>
  fullRights(type, false),
);

/** The admin routes are closed to members and to anonymous callers. */
export const memberRights = roleRights({ name: 'member', key: 'none', readsPrivateMembers: false }, () => noRights);

/** The roles that every service has. */
export const builtInRoles: readonly RoleRights[] = Object.freeze([adminRights, editorRights, memberRights]);

/** The built-in roles and others, found by their names. */
export function rolesOf(others: readonly RoleRights[] = []): Roles {
  const [strongest, ...rest] = builtInRoles;
  const all = Object.freeze(strongest === undefined ? [...others] : [strongest, ...others, ...rest]);
  const byName = new Map(all.map((role) => [role.name, role]));
  return Object.freeze({ all, find: (name: string) => byName.get(name) });
}
