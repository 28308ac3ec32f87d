import type { Table } from '../../values/json-table.ts';
import { fieldNames, ownName } from '../importers/foreign-names.ts';
import { ForeignRef, type ForeignValue } from '../importers/foreign-value.ts';
import type { ForeignField, ForeignRecord, ForeignType, LeftOut, PlannedDefinition } from '../importers/importer.ts';
import { accountFields } from './pocketbase-accounts.ts';
import { type PocketbaseCollection, type PocketbaseField, type RuleName, ruleNames } from './pocketbase-collections.ts';
import { momentOf, plannedField } from './pocketbase-field.ts';
import { readIndex } from './pocketbase-indexes.ts';
import { BadValue, foreignValue } from './pocketbase-value.ts';
import type { RuleCollection } from './rule-places.ts';
import { translateRule } from './translate-rule.ts';

export interface TypeNames {
  readonly singular: string;
  readonly plural: string;
}

export interface TypesParts {
  /** Those that records are brought in of. */
  readonly collections: readonly PocketbaseCollection[];
  /** The one whose records become accounts. */
  readonly accounts: PocketbaseCollection | undefined;
  readonly names: ReadonlyMap<string, TypeNames>;
  rows(collection: string): Iterable<Record<string, unknown>>;
}

/** A field of a collection, with what becomes of it. */
interface Mapped {
  readonly field: PocketbaseField;
  /** The name here. */
  readonly to: string;
  /** Absent: a protocol has the field. */
  readonly definition?: Table;
}

interface MappedCollection {
  readonly collection: PocketbaseCollection;
  readonly isAccounts: boolean;
  readonly mapped: readonly Mapped[];
  readonly leftOut: readonly LeftOut[];
}

/** The field of a profile that leads to its account. */
const accountField = 'account';
/** What a profile calls the id of its account among the values of the source. */
const accountValue = '(account)';

/** The content types of the collections. */
export class PocketbaseTypes {
  readonly #parts: TypesParts;
  readonly #mapped: ReadonlyMap<string, MappedCollection>;
  readonly #byId: ReadonlyMap<string, PocketbaseCollection>;

  constructor(parts: TypesParts) {
    this.#parts = parts;
    this.#byId = new Map(parts.collections.map((each) => [each.id, each]));
    this.#mapped = new Map(parts.collections.map((each) => [each.id, this.#map(each)]));
  }

  all(): readonly ForeignType[] {
    return [...this.#mapped.values()]
      .filter(({ isAccounts, mapped }) => !isAccounts || mapped.some(({ definition }) => definition !== undefined))
      .map((mapped) => this.#type(mapped));
  }

  #map(collection: PocketbaseCollection): MappedCollection {
    const { accounts, names } = this.#parts;
    const isAccounts = collection === accounts;
    const taken = fieldNames();
    if (isAccounts) taken.take(accountField);
    const unique = uniqueColumns(collection);
    const times = timesOf(collection);
    const leftOut: LeftOut[] = [];
    const mapped = collection.fields.flatMap((field): readonly Mapped[] => {
      const { name } = field;
      if (name === 'id' || !collection.columns.has(name)) return [];
      const time = times.get(name);
      if (time !== undefined) return [{ field, to: time }];
      if (isAccounts && accountFields.has(name)) return [];
      const place = `${collection.name}.${name}`;
      if (secret.has(name)) {
        leftOut.push({ place, why: 'Only accounts have passwords.' });
        return [];
      }
      const planned = plannedField(field, unique.has(name), (id) => this.#target(id, names));
      if (typeof planned === 'string') {
        leftOut.push({ place, why: planned });
        return [];
      }
      for (const lost of planned.lost) leftOut.push({ place, why: `No definition says ${lost}.` });
      const to = taken.take(ownName(name, 'field'), '_field');
      const isClosed = collection.type === 'auth' && !isAccounts && closedOfAccounts.has(name);
      return [{ field, to, definition: { name: to, ...planned.definition, ...(isClosed ? { private: true } : {}) } }];
    });
    return { collection, isAccounts, mapped, leftOut: [...leftOut, ...this.#lostIndexes(collection)] };
  }

  #target(id: string, names: TypesParts['names']): string | undefined {
    const collection = this.#byId.get(id);
    if (collection === undefined) return undefined;
    return collection === this.#parts.accounts ? 'users' : names.get(collection.name)?.plural;
  }

  #lostIndexes({ name, indexes, type }: PocketbaseCollection): readonly LeftOut[] {
    return indexes.flatMap((sql) => {
      const index = readIndex(sql);
      const isOfAccounts =
        type === 'auth' && index?.columns.every((column) => accountFields.has(column) || column === 'created');
      const isKept = index !== undefined && !index.isPartial && (index.isUnique || index.columns.length === 1);
      if (isOfAccounts === true || (isKept && index.columns[0] !== 'created')) return [];
      return [{ place: `${name} index`, why: `Recto makes its own indexes; this one has no counterpart: ${sql}` }];
    });
  }

  #type({ collection, isAccounts, mapped, leftOut }: MappedCollection): ForeignType {
    const names = this.#parts.names.get(collection.name) ?? { singular: '', plural: '' };
    const hasTimes = mapped.some(({ definition }) => definition === undefined);
    const protocols = [...(hasTimes ? ['timestampable'] : []), { name: 'metaable', private: true }];
    const rules = this.#rules({ collection, isAccounts, mapped, leftOut });
    const title = titleOf(mapped);
    const definition: PlannedDefinition = {
      ...{ name: isAccounts ? `${collection.name} (profile)` : collection.name, ...names, protocols },
      ...uniqueSetsOf(collection, mapped),
      fields: [
        ...(isAccounts ? [accountDefinition] : []),
        ...mapped.flatMap((each) =>
          each.definition === undefined ? [] : [withIndex(each.definition, each.field.name, collection)],
        ),
      ],
      api: rules.api,
      ...(title === undefined ? {} : { admin: { title_field: title } }),
    };
    const fields: readonly ForeignField[] = [
      ...(isAccounts ? [{ from: accountValue, to: accountField }] : []),
      ...mapped.map(({ field, to }) => ({ from: field.name, to })),
    ];
    const from = isAccounts ? `${collection.name}.profile` : collection.name;
    return {
      ...{ from, file: `data.db ${collection.name}`, total: collection.total, definition, fields },
      leftOut: [...leftOut, ...rules.leftOut],
      records: () => this.#records({ collection, isAccounts, mapped, leftOut }),
    };
  }

  #rules(mapped: MappedCollection): { readonly api: Table; readonly leftOut: readonly LeftOut[] } {
    const { collection, isAccounts } = mapped;
    const leftOut: LeftOut[] = [];
    const api: Record<string, Table> = {};
    const context = { collection: this.#ruleCollection(mapped), accounts: this.#parts.accounts?.name };
    for (const name of ruleNames) {
      const endpoint = endpointOf[name];
      const rule = collection.rules[name];
      const besides = name === 'createRule' || name === 'updateRule' ? notSent(mapped) : [];
      // Making an account is something else than making its profile.
      const translated =
        name === 'createRule' && collection.type === 'auth'
          ? ({ access: 'admin' } as const)
          : translateRule(rule, context, besides);
      const place = `${collection.name} ${name}`;
      if ('refused' in translated) {
        const why = `${JSON.stringify(rule)} cannot be taken over: ${translated.refused} Only admins may use it.`;
        leftOut.push({ place, why });
        api[endpoint] = { access: 'admin' };
        continue;
      }
      if (name === 'createRule' && collection.type === 'auth' && !isAccounts && rule !== null)
        leftOut.push({ place, why: 'Only admins make such records: they are no accounts here.' });
      const { access, filter } = translated;
      api[endpoint] = { access, ...(filter === undefined ? {} : { filter }) };
    }
    return { api, leftOut };
  }

  #ruleCollection({ collection, isAccounts, mapped }: MappedCollection): RuleCollection {
    return {
      fields: new Map(collection.fields.map((field) => [field.name, { field, to: toOf(mapped, field) }])),
      id: isAccounts ? accountField : 'id',
      target: (field) => {
        const target = this.#mapped.get(String(field.raw.collectionId));
        return target === undefined || target.isAccounts ? undefined : this.#ruleCollection(target);
      },
    };
  }

  *#records({ collection, isAccounts, mapped }: MappedCollection): Generator<ForeignRecord> {
    const unique = uniqueColumns(collection);
    const protectedIn = (name: string): boolean =>
      [...this.#byId.values()].some(
        (each) => each.name === name && each.fields.some(({ type, raw }) => type === 'file' && raw.protected === true),
      );
    let line = 0;
    for (const row of this.#parts.rows(collection.name)) {
      line += 1;
      const id = String(row.id);
      const createdAt = momentOf(row.created);
      const values: Record<string, ForeignValue> = {};
      const errors: string[] = [];
      if (isAccounts) values[accountValue] = new ForeignRef(collection.name, id);
      for (const { field, to } of mapped) {
        try {
          values[field.name] = foreignValue(field, row[field.name], {
            ...{ collection, recordId: id, createdAt, isUnique: unique.has(field.name) },
            nameOf: (idOrName) => this.#nameOf(idOrName),
            isProtected: (name) => protectedIn(name),
          });
        } catch (error) {
          if (!(error instanceof BadValue)) throw error;
          errors.push(`${to}: ${error.message}`);
        }
      }
      yield { id, line, createdAt, values: withoutNoTimes(values, mapped), errors };
    }
  }

  #nameOf(idOrName: string): string | undefined {
    return (this.#byId.get(idOrName) ?? [...this.#byId.values()].find(({ name }) => name === idOrName))?.name;
  }
}

const endpointOf: Readonly<Record<RuleName, string>> = {
  listRule: 'list',
  viewRule: 'get',
  createRule: 'create',
  updateRule: 'update',
  deleteRule: 'delete',
};

const secret: ReadonlySet<string> = new Set(['password', 'passwordHash', 'tokenKey']);
/** What PocketBase shows of accounts to some alone, and lets nobody but managers set. */
const closedOfAccounts: ReadonlySet<string> = new Set(['email', 'verified']);

const accountDefinition: Table = {
  ...{ name: accountField, field_type: 'relation', required: true, immutable: true },
  relation: { relation_type: 'one_to_one', target: 'users' },
};

const toOf = (mapped: readonly Mapped[], { name }: PocketbaseField): string | null =>
  mapped.find(({ field }) => field.name === name)?.to ?? null;

/** The times that every record here has: those of creation and of the last change. */
function timesOf({ fields, columns }: PocketbaseCollection): ReadonlyMap<string, string> {
  const dates = fields.filter(({ type, name }) => type === 'autodate' && columns.has(name));
  const created = dates.find(({ raw }) => raw.onCreate === true && raw.onUpdate !== true);
  const updated = dates.find(({ raw }) => raw.onCreate === true && raw.onUpdate === true);
  return new Map([
    ...(created === undefined ? [] : [[created.name, 'created_at'] as const]),
    ...(updated === undefined ? [] : [[updated.name, 'updated_at'] as const]),
  ]);
}

/** A record always has the times that this service keeps. */
function withoutNoTimes(values: Record<string, ForeignValue>, mapped: readonly Mapped[]): Record<string, ForeignValue> {
  const kept = mapped.filter(({ definition }) => definition === undefined).map(({ field }) => field.name);
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null || !kept.includes(name)));
}

/** Conditions that callers do not set what PocketBase sets, or lets superusers set alone. */
const notSent = ({ collection, mapped }: MappedCollection): readonly string[] =>
  mapped
    .filter(({ field, definition }) => {
      const isOfAccounts = collection.type === 'auth' && closedOfAccounts.has(field.name);
      return definition !== undefined && (field.hidden || field.type === 'autodate' || isOfAccounts);
    })
    .map(({ to }) => `@request.body.${to}:isset = false`);

function uniqueColumns({ indexes, fields }: PocketbaseCollection): ReadonlySet<string> {
  const single = indexes.flatMap((sql) => {
    const index = readIndex(sql);
    return index?.isUnique === true && !index.isPartial && index.columns.length === 1 ? index.columns : [];
  });
  // Before version 0.17, fields said it themselves.
  return new Set([...single, ...fields.filter(({ raw }) => raw.unique === true).map(({ name }) => name)]);
}

function uniqueSetsOf({ indexes }: PocketbaseCollection, mapped: readonly Mapped[]): Table {
  const sets = indexes.flatMap((sql) => {
    const index = readIndex(sql);
    if (index === undefined || !index.isUnique || index.isPartial || index.columns.length < 2) return [];
    const names = index.columns.map(
      (column) => mapped.find(({ field, definition }) => field.name === column && definition !== undefined)?.to,
    );
    return names.every((name) => name !== undefined) ? [names] : [];
  });
  return sets.length === 0 ? {} : { unique: sets };
}

function withIndex(definition: Table, name: string, { indexes }: PocketbaseCollection): Table {
  const isIndexed = indexes.some((sql) => {
    const index = readIndex(sql);
    return (
      index !== undefined &&
      !index.isUnique &&
      !index.isPartial &&
      index.columns.length === 1 &&
      index.columns[0] === name
    );
  });
  return isIndexed && definition.unique !== true ? { ...definition, indexed: true } : definition;
}

/** The field that names a record: that which PocketBase presents, or one that is called so. */
function titleOf(mapped: readonly Mapped[]): string | undefined {
  const texts = mapped.filter(({ definition }) => definition?.field_type === 'text' && definition.private !== true);
  const found =
    texts.find(({ field }) => field.raw.presentable === true) ?? texts.find(({ to }) => /^(?:title|name)$/.test(to));
  return found?.to;
}
