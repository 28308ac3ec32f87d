import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFault } from '../../definition/definition-fault.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import { Names } from './foreign-names.ts';
import type { ForeignRole, LeftOut } from './importer.ts';

/** Checks roles, each by its name, together with all that the installation and the plan have. */
export type CheckRoles = (
  roles: readonly { readonly file: string; readonly definition: Table }[],
) => readonly DefinitionFault[];

interface RolesOf {
  /** Other names of types, by those that the source would have. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly existing: ContentTypes;
}

const mostRounds = 50;
const rights = ['list', 'get', 'create', 'update', 'delete', 'publish'];
const noRights: Table = Object.fromEntries(rights.map((right) => [right, false]));

/**
 * The roles of a plan, which load as they are. What the check refuses is taken away and reported: a right is one that the role has not, and
 * a type with another error is one to which it has none. A role that cannot be made so is left out.
 */
export function planRoles(
  roles: readonly ForeignRole[],
  { renamed, existing }: RolesOf,
  check: CheckRoles,
): { readonly roles: readonly ForeignRole[]; readonly leftOut: readonly LeftOut[] } {
  const names = new Names(['admin', 'editor', 'member', ...existing.ownRoles.all.map(({ name }) => name)]);
  let planned: readonly ForeignRole[] = roles.map((role) => withNames(role, names, renamed));
  const leftOut: LeftOut[] = [];
  for (let round = 1; planned.length > 0; round += 1) {
    const faults = check(planned.map(({ definition }) => ({ file: definition.name, definition })));
    if (faults.length === 0) break;
    const before = planned;
    planned = before.flatMap((role) => {
      const own = faults.filter(({ file }) => file === role.definition.name);
      const changed = own.reduce(withoutFault, role);
      if (own.length === 0 || (changed !== role && round < mostRounds)) return [changed];
      leftOut.push({ place: `the role ${role.from}`, why: own.map(({ message }) => `${message}.`).join(' ') });
      return [];
    });
    // A fault of none of them is one of the installation.
    if (planned.every((role, index) => role === before[index]) && planned.length === before.length) break;
  }
  return { roles: planned, leftOut };
}

function withNames(role: ForeignRole, names: Names, renamed: ReadonlyMap<string, string>): ForeignRole {
  const { types } = role.definition;
  const own = isTable(types)
    ? Object.fromEntries(Object.entries(types).map(([type, table]) => [renamed.get(type) ?? type, table]))
    : {};
  return { ...role, definition: { ...role.definition, name: names.take(role.definition.name), types: own } };
}

function withoutFault(role: ForeignRole, { path, message }: DefinitionFault): ForeignRole {
  const { definition, from, leftOut } = role;
  const types: Table = isTable(definition.types) ? definition.types : {};
  const [, quoted, bare, right = ''] = /^types\.(?:"([^"]+)"|([^."[]+))(?:\.(\w+))?/.exec(path) ?? [];
  const type = quoted ?? bare ?? '';
  const table = types[type];
  if (!isTable(table)) return role;
  // What a role writes matters to records that it creates.
  const refused = rights.includes(right) ? right : 'create';
  const isRight = table[refused] !== undefined && table[refused] !== false;
  const closed: Table = isRight ? { ...table, [refused]: false } : noRights;
  if (!isRight && Bun.deepEquals(table, noRights)) return role;
  const why = `${message}${/[.!?]$/.test(message) ? '' : '.'} The role has ${isRight ? 'no such right' : 'no rights to it'}.`;
  return {
    ...role,
    definition: { ...definition, types: { ...types, [type]: closed } },
    leftOut: [...leftOut, { place: `the role ${from}, ${type}${isRight ? ` ${refused}` : ''}`, why }],
  };
}
