import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { type Caller, isAuthenticated, visitor } from '../base/caller.ts';
import type { Executor, Query } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { searchedFields } from '../database/schema/searched-fields.ts';
import { type ContentType, type Field, junctionColumns } from '../definition/content-type.ts';
import type { FieldValue } from '../definition/field-type.ts';
import type { StoredRecord, TreeColumns } from '../definition/protocol.ts';
import type { ReadView } from '../query/read-view.ts';
import { searchWords } from '../query/search-words.ts';
import type { ValueKind } from '../values/value-kind.ts';
import { Plan } from './plan.ts';
import { ReadsCollector } from './plan-reads.ts';
import { buildCreationPlan } from './record-plan.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { allOf, column, tableAs, ValuePlaces } from './sql-parts.ts';
import { belowPlan, depthPlan } from './tree-statements.ts';
import { protocolConditions } from './visibility.ts';

/** The fields that are columns of the type's own table. */
export const columnFields = (type: ContentType): readonly Field[] =>
  type.fields.filter(({ place }) => place.shape === 'column' || place.shape === 'to_one');

export function kindOf({ place }: Field): ValueKind {
  return place.shape === 'column' ? place.kind : 'text';
}

/** A field's value as it is bound. */
export function encodeValue(field: Field, value: FieldValue | null, dialect: Dialect): SqlValue {
  // True because values of columns are scalars or JSON, and `encode` takes both.
  return value === null ? null : dialect.encode(kindOf(field), value);
}

/** The names of the fields that are searched, and the words of a record in each. */
export function wordsOf(type: ContentType, record: StoredRecord) {
  const columns = searchedFields(type).map(({ name }) => name);
  return { columns, words: columns.map((name) => searchWords(String(record[name] ?? '')).join(' ')) };
}

/** A row of the type's own table in canonical form. */
export function decodeRow(type: ContentType, row: Readonly<Record<string, SqlValue>>, dialect: Dialect): StoredRecord {
  const record: Record<string, FieldValue | null> = {};
  for (const field of columnFields(type)) {
    const stored = row[field.name] ?? null;
    record[field.name] = stored === null ? null : dialect.decode(kindOf(field), stored);
  }
  return record;
}

/** A plan that depends on nothing of the request but its values. */
function fixed(context: RecordsContext, key: string, build: () => Plan, values: readonly SqlValue[]): Query {
  return context.plans.get(key, build).bind(new RequestBindings(visitor, values));
}

/** What `#ofTenant` takes. */
const tenantValue = ({ partition }: ContentType, tenant: string | null): readonly SqlValue[] =>
  partition === null ? [] : [tenant];

/** The statements that write one type's rows, each planned once. */
export class RecordStatements {
  readonly #context: RecordsContext;
  readonly #dialect: Dialect;

  constructor(context: RecordsContext) {
    this.#context = context;
    this.#dialect = context.database.dialect;
  }

  insert(type: ContentType, record: StoredRecord): Query {
    const fields = columnFields(type);
    const values = fields.map((field) => encodeValue(field, record[field.name] ?? null, this.#dialect));
    return fixed(this.#context, `insert|${type.singular}`, () => insertPlan(type, fields, this.#dialect), values);
  }

  /** What `Dialect.insertAndTell` makes, for a database that has it. */
  insertAndTell(type: ContentType, view: ReadView, caller: Caller, record: StoredRecord): Query {
    const { types, plans } = this.#context;
    const { insertAndTell, search } = this.#dialect;
    if (insertAndTell === undefined || search.entry === undefined) throw new Error('That takes several statements.');
    const fields = columnFields(type);
    const authenticated = isAuthenticated(caller);
    const values = fields.map((field) => encodeValue(field, record[field.name] ?? null, this.#dialect));
    const { columns, words } = wordsOf(type, record);
    const entry = columns.length === 0 ? null : search.entry(columns, words);
    // A part that few records have costs the others more than its share where the statement asks for it.
    const parts = entry?.map((part) => part !== null) ?? null;
    const plan = plans.get(`creation|${type.singular}|${view}|${authenticated}|${parts}`, () => {
      const shape = { type, types, view, authenticated, columns: fields.map(({ name }) => name), entry: parts };
      return buildCreationPlan(shape, insertAndTell, this.#dialect);
    });
    const bound = (entry ?? []).filter((part) => part !== null);
    return plan.bind(new RequestBindings(caller, [...values, ...bound]));
  }

  update(type: ContentType, id: string, changes: ReadonlyMap<Field, FieldValue | null>): Query {
    const fields = [...changes.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const key = `update|${type.singular}|${fields.map(({ name }) => name).join()}`;
    const values = fields.map((field) => encodeValue(field, changes.get(field) ?? null, this.#dialect));
    return fixed(this.#context, key, () => updatePlan(type, fields, this.#dialect), [...values, id]);
  }

  remove(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(sql`delete from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`, this.#dialect);
    return fixed(this.#context, `delete|${type.singular}`, build, [id]);
  }

  /** One row when the id exists. */
  exists(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(
        sql`select 1 as "found" from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return fixed(this.#context, `exists|${type.singular}`, build, [id]);
  }

  /** One row when a record of the tenant may be pointed to: it exists and, with `seen`, no protocol hides it from everyone. */
  target(type: ContentType, id: string, tenant: string | null, seen: boolean): Query {
    const build = () => {
      const context = { dialect: this.#dialect, authenticated: true, reads: new ReadsCollector() };
      const places = new ValuePlaces();
      const conditions = [sql`${column('t', 'id')} = ${places.take()}`, ...this.#ofTenant(type, 't', places)];
      if (seen) conditions.push(...protocolConditions(type, 't', context, 'admin'));
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(conditions)}`;
      return new Plan(sql`select 1 as "found" ${from}`, this.#dialect);
    };
    return fixed(this.#context, `target|${type.singular}|${seen}`, build, [id, ...tenantValue(type, tenant)]);
  }

  /** One row, `id`, when the type has any record of the tenant. */
  any(type: ContentType, tenant: string | null): Query {
    const build = () => {
      const condition = allOf(this.#ofTenant(type, 't', new ValuePlaces()));
      const from = sql`from ${tableAs(type.table, 't')} where ${condition}`;
      return new Plan(sql`select ${column('t', 'id')} ${from} limit 1`, this.#dialect);
    };
    return fixed(this.#context, `any|${type.singular}`, build, tenantValue(type, tenant));
  }

  /** The condition that a row is of a tenant, which takes one place; nothing of a type that keeps none apart. */
  #ofTenant({ partition }: ContentType, alias: string, places: ValuePlaces): RawBuilder<boolean>[] {
    return partition === null ? [] : [this.#dialect.rules.same(column(alias, partition), places.take())];
  }

  /** One row when another record of the tenant than `id` has the value in that field. */
  taken(type: ContentType, field: Field, value: FieldValue, id: string, tenant: string | null): Query {
    const build = () => {
      const places = new ValuePlaces();
      const conditions = [
        sql`${column('t', field.name)} = ${places.take()}`,
        sql`${column('t', 'id')} <> ${places.take()}`,
        ...this.#ofTenant(type, 't', places),
      ];
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(conditions)}`;
      return new Plan(sql`select 1 as "found" ${from} limit 1`, this.#dialect);
    };
    return fixed(this.#context, `taken|${type.singular}|${field.name}`, build, [
      encodeValue(field, value, this.#dialect),
      id,
      ...tenantValue(type, tenant),
    ]);
  }

  /** Rows `slug`: the values of a field that are the text or begin with the text and a hyphen, of a tenant's records. */
  slugsLike(type: ContentType, field: Field, base: string, tenant: string | null): Query {
    const build = () => {
      const places = new ValuePlaces();
      const slug = column('t', field.name);
      // `.` follows `-` in code point order, so that the range is all that begins with `base-`.
      const like = sql`(${slug} = ${places.take()} or (${slug} >= ${places.take()} and ${slug} < ${places.take()}))`;
      const conditions = allOf([like, ...this.#ofTenant(type, 't', places)]);
      return new Plan(
        sql`select ${slug} as "slug" from ${tableAs(type.table, 't')} where ${conditions}`,
        this.#dialect,
      );
    };
    const values = [base, `${base}-`, `${base}.`, ...tenantValue(type, tenant)];
    return fixed(this.#context, `slugs|${type.singular}|${field.name}`, build, values);
  }

  /** One row, `greatest`: the greatest value of a column among a tenant's records, or null. */
  greatest(type: ContentType, name: string, tenant: string | null): Query {
    const build = () => {
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(this.#ofTenant(type, 't', new ValuePlaces()))}`;
      return new Plan(sql`select max(${column('t', name)}) as "greatest" ${from}`, this.#dialect);
    };
    return fixed(this.#context, `greatest|${type.singular}|${name}`, build, tenantValue(type, tenant));
  }

  /** One row, `levels` and `includes`, of what stands below a record by the column `parent`. */
  below(type: ContentType, parent: string, id: string, other: string): Query {
    const build = () => belowPlan(type, parent, this.#dialect);
    return fixed(this.#context, `below|${type.singular}|${parent}`, build, [id, other]);
  }

  /** Sets the depth of a record and of all that stands below it. */
  depth(type: ContentType, tree: TreeColumns, id: string): Query {
    return fixed(this.#context, `depth|${type.singular}`, () => depthPlan(type, tree, this.#dialect), [id]);
  }

  /** The row of a record with all its columns. */
  row(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(sql`select * from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`, this.#dialect);
    return fixed(this.#context, `row|${type.singular}`, build, [id]);
  }

  /** Rows `id`: the records of `type` that point to the id with a to-one field. */
  pointing(type: ContentType, field: Field, id: string): Query {
    const build = () =>
      new Plan(
        sql`select ${column('t', 'id')} from ${tableAs(type.table, 't')} where ${column('t', field.name)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return fixed(this.#context, `pointing|${type.singular}|${field.name}`, build, [id]);
  }

  /** One row, `total`: how many rows of a relation to many belong to the id. */
  related(relation: { readonly table: string; readonly column: string }, id: string): Query {
    const build = () =>
      new Plan(
        sql`select count(*) as "total" from ${sql.id(relation.table)} where ${sql.id(relation.column)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return fixed(this.#context, `related|${relation.table}|${relation.column}`, build, [id]);
  }

  /** Rows `id`: what a record is linked to, in order. */
  links(junction: string, id: string): Query {
    const build = () =>
      new Plan(
        sql`select ${sql.id(junctionColumns.target)} as "id" from ${sql.id(junction)}
          where ${sql.id(junctionColumns.source)} = ${new ValuePlaces().take()} order by ${sql.id(junctionColumns.position)}`,
        this.#dialect,
      );
    return fixed(this.#context, `links|${junction}`, build, [id]);
  }

  /** One row when a record is linked to the id and to nothing else. */
  solelyLinked(junction: string, id: string): Query {
    const build = () => {
      const source = (alias: string) => column(alias, junctionColumns.source);
      const target = (alias: string) => column(alias, junctionColumns.target);
      const others = sql`select 1 from ${tableAs(junction, 'o')} where ${source('o')} = ${source('l')} and ${target('o')} <> ${target('l')}`;
      return new Plan(
        sql`select 1 as "found" from ${tableAs(junction, 'l')}
          where ${target('l')} = ${new ValuePlaces().take()} and not exists (${others}) limit 1`,
        this.#dialect,
      );
    };
    return fixed(this.#context, `solely|${junction}`, build, [id]);
  }

  unlink(junction: string, id: string): Query {
    const build = () =>
      new Plan(
        sql`delete from ${sql.id(junction)} where ${sql.id(junctionColumns.source)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return fixed(this.#context, `unlink|${junction}`, build, [id]);
  }

  link(junction: string, id: string, target: string, position: number): Query {
    const build = () => {
      const places = new ValuePlaces();
      const columns = [junctionColumns.source, junctionColumns.target, junctionColumns.position].map((name) =>
        sql.id(name),
      );
      return new Plan(
        sql`insert into ${sql.id(junction)} (${sql.join(columns)}) values (${places.take()}, ${places.take()}, ${places.take()})`,
        this.#dialect,
      );
    };
    return fixed(this.#context, `link|${junction}`, build, [id, target, position]);
  }
}

function insertPlan(type: ContentType, fields: readonly Field[], dialect: Dialect): Plan {
  const places = new ValuePlaces();
  const columns = sql.join(fields.map(({ name }) => sql.id(name)));
  return new Plan(
    sql`insert into ${sql.id(type.table)} (${columns}) values (${sql.join(fields.map(() => places.take()))})`,
    dialect,
  );
}

function updatePlan(type: ContentType, fields: readonly Field[], dialect: Dialect): Plan {
  const places = new ValuePlaces();
  const settings = sql.join(fields.map(({ name }) => sql`${sql.id(name)} = ${places.take()}`));
  return new Plan(sql`update ${sql.id(type.table)} set ${settings} where "id" = ${places.take()}`, dialect);
}

/** Whether a statement finds anything. */
export async function finds(executor: Executor, query: Query): Promise<boolean> {
  return (await executor.first(query)) !== undefined;
}
