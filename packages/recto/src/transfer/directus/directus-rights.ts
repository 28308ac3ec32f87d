import { isTable, type Table } from '../../values/json-table.ts';
import type { LeftOut } from '../importers/importer.ts';
import type { Mapped, MappedCollection } from './directus-mapping.ts';
import { andTerms, bindsWrites, fieldsIn, Refused, type RuleFields, ruleOf } from './directus-rules.ts';
import { tableOf, textOf } from './directus-schema.ts';
import type { DirectusSource } from './directus-source.ts';

export type Action = 'create' | 'read' | 'update' | 'delete';

/** The permissions of some policies. */
export class Permissions {
  readonly #all: readonly Table[];

  constructor(all: readonly Table[]) {
    this.#all = all;
  }

  of(collection: string, action: Action): readonly Table[] {
    return this.#all.filter((each) => each.collection === collection && each.action === action);
  }
}

/** Whether a policy, or before version 11 a role, holds from some addresses alone. No rule asks for these. */
export const isBoundToAddresses = ({ ip_access: addresses }: Table): boolean =>
  Array.isArray(addresses) ? addresses.length > 0 : addresses !== undefined && addresses !== null && addresses !== '';

/** The policies that some rows of access give, without those that hold from some addresses alone. */
function policiesOf({ access, policies }: DirectusSource, isGiven: (row: Table) => boolean): readonly unknown[] {
  const bound = policies.filter(isBoundToAddresses).map(({ id }) => id);
  return access.filter((row) => isGiven(row) && !bound.includes(row.policy)).map(({ policy }) => policy);
}

/** What somebody without an account may do. Before version 11, such permissions were those of no role. */
export function publicPermissions(source: DirectusSource): Permissions {
  const { permissions } = source;
  const policies = policiesOf(source, ({ role, user }) => role === null && user === null);
  return new Permissions(
    permissions.filter(({ policy, role }) => (policy === undefined ? role === null : policies.includes(policy))),
  );
}

/** What a rule may ask of the records of a collection. */
export const ruleFieldsOf = (
  { collection, mapped }: MappedCollection,
  source: DirectusSource,
  byName: ReadonlyMap<string, MappedCollection>,
): RuleFields => ({
  place: (name) => {
    if (name === collection.key) return { name: 'id', type: 'relation' };
    const found = mapped.find((each) => each.from === name);
    if (found === undefined || found.source.kind !== 'column') return undefined;
    const place = { name: found.to, type: found.source.type };
    const related = source.schema.relations.find((each) => each.collection === collection.name && each.field === name);
    const target = byName.get(related?.related ?? '');
    return target === undefined ? place : { ...place, inside: () => ruleFieldsOf(target, source, byName) };
  },
});

/** What one permission comes to: a rule, or none where it holds for all records. */
export interface Granted {
  readonly rule: string | undefined;
  /** Undefined: all. */
  readonly fields: readonly string[] | undefined;
  readonly terms: readonly Table[];
}

/** The permissions for an action that can be taken over; `refused` gets the reasons why others cannot. */
export function grantsOf(
  permissions: readonly Table[],
  action: Action,
  fields: RuleFields,
  refused: (why: string) => void,
): readonly Granted[] {
  return permissions.flatMap((permission): readonly Granted[] => {
    try {
      if (action !== 'read' && action !== 'delete' && bindsWrites(permission))
        throw new Refused('it checks or sets what is written.');
      const terms = action === 'create' ? [] : andTerms(permission.permissions);
      const rule = action === 'create' ? undefined : ruleOf(permission.permissions, fields);
      return [{ rule, fields: fieldsIn(permission), terms }];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused(`${JSON.stringify(permission.permissions ?? {})} cannot be taken over: ${error.message}`);
      return [];
    }
  });
}

/** One rule for several permissions; undefined: one of them holds for all records. */
export function ruleOfAll(grants: readonly Granted[]): string | undefined {
  const rules = grants.map(({ rule }) => rule);
  if (rules.includes(undefined)) return undefined;
  return rules.length === 1 ? rules[0] : rules.map((rule) => `(${rule})`).join(' || ');
}

/** The endpoints of a type, as what the public may do allows. */
export class PublicApi {
  readonly #source: DirectusSource;
  readonly #permissions: Permissions;
  readonly #byName: ReadonlyMap<string, MappedCollection>;

  constructor(source: DirectusSource, permissions: Permissions, byName: ReadonlyMap<string, MappedCollection>) {
    this.#source = source;
    this.#permissions = permissions;
    this.#byName = byName;
  }

  /** `hidden`: the fields that the public does not read although it reads the records; `blocks.by` is inside `blocks`. */
  of(mapping: MappedCollection): {
    readonly api: Table;
    readonly hidden: ReadonlySet<string>;
    readonly leftOut: readonly LeftOut[];
  } {
    const { collection } = mapping;
    const leftOut: LeftOut[] = [];
    const fields = ruleFieldsOf(mapping, this.#source, this.#byName);
    const grants = (action: Action) =>
      grantsOf(this.#permissions.of(collection.name, action), action, fields, (why) =>
        leftOut.push({ place: `${collection.name} ${action}, of the public`, why: `${why} Only admins may use it.` }),
      );
    const hidden = new Set<string>();
    const read = this.#read(mapping, grants('read'), hidden, leftOut);
    const written = (action: Action): Table => {
      const all = grants(action);
      const whole = all.filter((grant) => grant.fields === undefined);
      if (whole.length < all.length)
        leftOut.push({
          place: `${collection.name} ${action}, of the public`,
          why: `It is limited to some fields, which no endpoint says.${whole.length === 0 ? ' Only admins may use it.' : ''}`,
        });
      const rule = ruleOfAll(whole);
      if (whole.length === 0) return { access: 'admin' };
      return { access: 'public', ...(rule === undefined ? {} : { filter: rule }) };
    };
    const single = collection.isSingle ? {} : { list: read, create: written('create'), delete: written('delete') };
    return { api: { ...single, get: read, update: written('update') }, hidden, leftOut };
  }

  #read(mapping: MappedCollection, grants: readonly Granted[], hidden: Set<string>, leftOut: LeftOut[]): Table {
    const { collection, mapped, translations } = mapping;
    const [first] = grants;
    if (first === undefined) return { access: 'admin' };
    const terms = grants.length === 1 ? first.terms : [];
    const opens = (inner: string, parent: string, also: readonly Table[] = []): boolean =>
      this.#permissions.of(inner, 'read').some((each) => isCovered(each, parent, [...terms, ...also], also));
    const published = mapping.status?.byLanguage === true ? [{ status: { _eq: 'published' } }] : [];
    if (translations !== undefined && !opens(translations.collection, translations.parent, published)) {
      const why = 'The public reads no translations there, or not all of them. Only admins may read the records.';
      leftOut.push({ place: translations.collection, why });
      return { access: 'admin' };
    }
    this.#hideUsers(mapping, hidden, leftOut);
    for (const each of mapped) {
      if (
        hidden.has(each.from) ||
        each.source.kind === 'column' ||
        opens(each.source.inverse.collection, each.source.inverse.parent)
      )
        continue;
      hidden.add(each.from);
      leftOut.push({
        place: `${collection.name}.${each.from}`,
        why: 'The public does not read it there: it is private.',
      });
    }
    const rule = ruleOfAll(grants);
    const named = grants.flatMap(({ fields }) => (fields === undefined ? [] : [fields]));
    const isShown = ({ from, definition }: Mapped): boolean =>
      definition !== undefined && !hidden.has(from) && named.every((fields) => fields.includes(from));
    const shown = named.length === 0 ? {} : { fields: mapped.filter(isShown).map(({ to }) => to) };
    return { access: 'public', ...(rule === undefined ? {} : { filter: rule }), ...shown };
  }

  /** Who reads a relation to accounts reads their profiles. */
  #hideUsers({ collection, mapped }: MappedCollection, hidden: Set<string>, leftOut: LeftOut[]): void {
    if (this.#permissions.of('directus_users', 'read').some(isUnlimited)) return;
    const names = mapped.flatMap((each) => [
      ...(leadsToUsers(each) ? [each.from] : []),
      ...(each.source.kind === 'blocks' ? each.source.extra : [])
        .filter(leadsToUsers)
        .map(({ from }) => `${each.from}.${from}`),
    ]);
    for (const name of names) {
      hidden.add(name);
      leftOut.push({
        place: `${collection.name}.${name}`,
        why: 'It leads to users, whom the public does not read, or not all of them: it is private.',
      });
    }
  }
}

/** Whether a field leads to accounts. No type is called so. */
const leadsToUsers = ({ definition }: Mapped): boolean => tableOf(definition?.relation).target === 'users';

/** Whether a permission lets through every field of all records. */
function isUnlimited(permission: Table): boolean {
  try {
    return fieldsIn(permission) === undefined && andTerms(permission.permissions).length === 0;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Whether a permission for rows of a record lets through all that are rows of a record which is read by these conditions. */
function isCovered(permission: Table, parent: string, terms: readonly Table[], also: readonly Table[]): boolean {
  if (fieldsIn(permission) !== undefined) return false;
  const has = (list: readonly Table[], term: Table): boolean => list.some((each) => Bun.deepEquals(each, term));
  try {
    return andTerms(permission.permissions).every((term) => {
      const ofParent = term[parent];
      return has(also, term) || (isTable(ofParent) && andTerms(ofParent).every((inner) => has(terms, inner)));
    });
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** The permissions of a role: those of its policies, and of the roles above it. */
export function rolePermissions(source: DirectusSource, role: Table): Permissions & { readonly isAdmin: boolean } {
  const roles = new Set<string>();
  for (let id = textOf(role.id); id !== undefined && !roles.has(id); ) {
    roles.add(id);
    const parent: string | undefined = textOf(source.roles.find((each) => each.id === id)?.parent);
    id = parent;
  }
  const isOfRole = (each: Table): boolean => roles.has(String(each.role));
  const given = source.access.filter(isOfRole).map(({ policy }) => policy);
  const isAdmin =
    role.admin_access === true ||
    source.policies.some(({ id, admin_access: admin }) => admin === true && given.includes(id ?? null));
  const policies = policiesOf(source, isOfRole);
  const bound = source.roles.filter(isBoundToAddresses).map(({ id }) => String(id));
  const all = source.permissions.filter((each) =>
    each.policy === undefined ? isOfRole(each) && !bound.some((id) => roles.has(id)) : policies.includes(each.policy),
  );
  return Object.assign(new Permissions(all), { isAdmin });
}
