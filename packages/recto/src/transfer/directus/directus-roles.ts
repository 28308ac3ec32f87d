import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { Names, ownName } from '../importers/foreign-names.ts';
import type { ForeignRole, LeftOut } from '../importers/importer.ts';
import type { MappedCollection } from './directus-mapping.ts';
import {
  type Action,
  type Granted,
  grantsOf,
  type Permissions,
  rolePermissions,
  ruleFieldsOf,
  ruleOfAll,
} from './directus-rights.ts';
import { textOf } from './directus-schema.ts';
import type { DirectusSource } from './directus-source.ts';

/** The roles of a project, without those that may do everything. */
export function rolesOf(source: DirectusSource, byName: ReadonlyMap<string, MappedCollection>): readonly ForeignRole[] {
  const names = new Names(['admin', 'editor', 'member']);
  return source.roles.flatMap((role): readonly ForeignRole[] => {
    const permissions = rolePermissions(source, role);
    if (permissions.isAdmin) return [];
    const from = textOf(role.name) ?? String(role.id);
    const leftOut: LeftOut[] = [];
    const types = [...byName.values()].flatMap((mapping) => {
      const grant = grantOf(mapping, permissions, source, byName, (place, why) => leftOut.push({ place, why }));
      return grant === undefined ? [] : [[mapping.names.singular, grant] as const];
    });
    const name = names.take(ownName(from, 'role'), '_role');
    const files = permissions.of('directus_files', 'create').length > 0 ? { may: { media: 'own' } } : {};
    const definition = { name, label: from, base: 'member', types: Object.fromEntries(types), ...files };
    return [{ from, definition, leftOut }];
  });
}

/** Undefined: the role has nothing to do with the collection. */
function grantOf(
  mapping: MappedCollection,
  permissions: Permissions,
  source: DirectusSource,
  byName: ReadonlyMap<string, MappedCollection>,
  note: (place: string, why: string) => void,
): Table | undefined {
  const { collection, mapped, status } = mapping;
  const fields = ruleFieldsOf(mapping, source, byName);
  const of = (action: Action): readonly Granted[] =>
    grantsOf(permissions.of(collection.name, action), action, fields, (why) =>
      note(`${collection.name} ${action}`, `${why} The role has no such right.`),
    );
  const [create, read, update, remove] = [of('create'), of('read'), of('update'), of('delete')];
  if ([create, read, update, remove].every((grants) => grants.length === 0)) return undefined;
  const reads = right(read);
  const names = (grants: readonly Granted[]): readonly string[] | undefined => {
    const lists = grants.flatMap((grant) => (grant.fields === undefined ? [] : [grant.fields]));
    const shown = mapped.filter(({ from }) => lists.every((list) => list.includes(from)));
    return lists.length === 0 ? undefined : shown.map(({ to }) => to);
  };
  const [readable, writable] = [names(read), names([...create, ...update])];
  return {
    ...{ list: reads, get: reads, create: create.length > 0, update: right(update), delete: right(remove) },
    publish:
      status !== undefined &&
      update.some(({ rule, fields: set }) => rule === undefined && (set?.includes(status.field.name) ?? true)),
    ...(readable === undefined ? {} : { read: { only: readable } }),
    ...(writable === undefined ? {} : { write: { only: writable } }),
  };
}

function right(grants: readonly Granted[]): JsonValue {
  return grants.length === 0 ? false : (ruleOfAll(grants) ?? true);
}
