import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import type { Executor, Query } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type ContentType, type Field, junctionColumns } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord, TreeColumns } from '../../definition/protocol.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { junctionOf, kindOf, namedField } from '../../definition/stored-field.ts';
import { indexedWords, storedStructure } from '../../migrations/storage/stored-structure.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { refersByField } from '../plans/referrers.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable, protocolConditions, viewCondition } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';
import { FormerSlugStatements } from './former-slug-statements.ts';
import { InnerLinkStatements } from './inner-link-statements.ts';
import { LanguageStatements } from './language-statements.ts';
import { LinkStatements } from './link-statements.ts';
import { NoteStatements } from './note-statements.ts';
import { belowPlan, depthPlan } from './tree-statements.ts';
import { buildInsertReturning, buildUpdateReturning, flag, insertion, updating } from './write-plans.ts';

/** A field's value as it is bound. */
export function encodeValue(field: Field, value: FieldValue | null, dialect: Dialect): SqlValue {
  // True because values of columns are scalars or JSON, and `encode` takes both.
  return value === null ? null : dialect.encode(kindOf(field), value);
}

/** The names of the fields that are searched, and the words of a record in each. */
export function wordsOf(type: ContentType, record: StoredRecord) {
  const fields = type.facts.searched;
  return {
    columns: fields.map(({ name }) => name),
    words: fields.map(({ name, structure }) => indexedWords(structure && storedStructure(structure), record[name])),
  };
}

/** A row of the type's own table in canonical form. */
export function decodeRow(type: ContentType, row: Readonly<Record<string, SqlValue>>, dialect: Dialect): StoredRecord {
  const record: Record<string, FieldValue | null> = {};
  for (const field of type.facts.columns) {
    const stored = row[field.name] ?? null;
    record[field.name] = stored === null ? null : dialect.decode(kindOf(field), stored);
  }
  return record;
}

/** What `#ofTenant` takes. */
const tenantValue = ({ partition }: ContentType, tenant: string | null): readonly SqlValue[] =>
  partition === null ? [] : [tenant];

/** The most ids that one statement looks for: a power of two. */
export const mostTargets = 256;

/** A record that is returned by the statement that writes it, and how. */
export interface Returned {
  readonly type: ContentType;
  readonly view: ReadView;
  readonly caller: Caller;
}

const slugValues = (type: ContentType, base: string, tenant: string | null): readonly SqlValue[] => [
  base,
  `${base}-`,
  `${base}.`,
  ...tenantValue(type, tenant),
];

/** The statements that write one type's rows, each planned once. */
export class RecordStatements {
  readonly links: LinkStatements;
  readonly innerLinks: InnerLinkStatements;
  readonly formerSlugs: FormerSlugStatements;
  readonly notes: NoteStatements;
  readonly languages: LanguageStatements;
  readonly #context: ReadContext;
  readonly #dialect: Dialect;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#dialect = context.database.dialect;
    this.links = new LinkStatements(context);
    this.innerLinks = new InnerLinkStatements(context);
    this.formerSlugs = new FormerSlugStatements(context);
    this.notes = new NoteStatements(context);
    this.languages = new LanguageStatements(context);
  }

  /** `unlessTaken`: changes no row, without an error, where the record violates a unique index. */
  insert(type: ContentType, record: StoredRecord, unlessTaken: boolean): Query {
    const build = () =>
      new Plan(insertion(type, type.facts.columnNames, new ValuePlaces(), unlessTaken), this.#dialect);
    return this.#context.plans.query(`insert|${type.singular}|${unlessTaken}`, build, this.#values(type, record));
  }

  /** Inserts a record without links. One row, `body`, as the view returns it; no row where `unlessTaken` inserted nothing. */
  insertReturning(returned: Returned, record: StoredRecord, unlessTaken: boolean): Query {
    const { type, view, caller } = returned;
    const { types, plans, database } = this.#context;
    const authenticated = isAuthenticated(caller);
    const { columns, words } = wordsOf(type, record);
    const entry = (columns.length === 0 ? undefined : database.dialect.search.entry?.(columns, words)) ?? null;
    // A part that few records have costs the others more than its share where the statement asks for it.
    const parts = entry?.map((part) => part !== null) ?? null;
    const key = `insert-returning|${type.singular}|${view.key}|${authenticated}|${unlessTaken}|${parts}`;
    const plan = plans.get(key, () => {
      const shape = { type, types, view, authenticated, columns: type.facts.columnNames, entry: parts, unlessTaken };
      return buildInsertReturning(shape, this.#dialect);
    });
    const bound = (entry ?? []).filter((part) => part !== null);
    return plan.bind(new RequestBindings(caller, [...this.#values(type, record), ...bound]));
  }

  /** One row, `body`, as the view returns it. For what `isReturnable`. */
  updateReturning({ type, view, caller }: Returned, id: string, changes: ReadonlyMap<Field, FieldValue | null>): Query {
    const { types, plans } = this.#context;
    const authenticated = isAuthenticated(caller);
    const { fields, names, values } = this.#settings(changes);
    const plan = plans.get(`update-returning|${type.singular}|${view.key}|${authenticated}|${names}`, () => {
      const shape = { type, types, view, authenticated };
      return buildUpdateReturning(shape, fields, this.#dialect);
    });
    return plan.bind(new RequestBindings(caller, [...values, id]));
  }

  /** The values of all columns. */
  #values(type: ContentType, record: StoredRecord): readonly SqlValue[] {
    return type.facts.columns.map((field) => encodeValue(field, record[field.name] ?? null, this.#dialect));
  }

  #settings(changes: ReadonlyMap<Field, FieldValue | null>) {
    const fields = [...changes.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const values = fields.map((field) => encodeValue(field, changes.get(field) ?? null, this.#dialect));
    return { fields, names: fields.map(({ name }) => name).join(), values };
  }

  update(type: ContentType, id: string, changes: ReadonlyMap<Field, FieldValue | null>): Query {
    const { fields, names, values } = this.#settings(changes);
    const build = () => new Plan(updating(type, fields), this.#dialect);
    return this.#context.plans.query(`update|${type.singular}|${names}`, build, [...values, id]);
  }

  remove(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(sql`delete from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`, this.#dialect);
    return this.#context.plans.query(`delete|${type.singular}`, build, [id]);
  }

  /** One row when the id exists. */
  exists(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(
        sql`select 1 as "found" from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return this.#context.plans.query(`exists|${type.singular}`, build, [id]);
  }

  /**
   * Rows `id`: those of the ids whose records a record of the tenant may point to. They exist and, with `seen`, no protocol
   * hides them from everyone. At most `mostTargets` ids.
   */
  targets(type: ContentType, ids: readonly string[], tenant: string | null, seen: boolean): Query {
    // Few plans for any number of ids: the last one fills up the places.
    const size = 2 ** Math.ceil(Math.log2(ids.length));
    const filled = Array.from({ length: size }, (_, place) => ids[place] ?? ids.at(-1) ?? '');
    // Who may see a profile is another question than whom a record may name: accounts of its tenant, and of none.
    const tenants = tenant === null ? undefined : type.shownWith?.tenant;
    const build = () => {
      const context = { dialect: this.#dialect, authenticated: true, reads: new ReadsCollector() };
      const places = new ValuePlaces();
      const named = sql.join(filled.map(() => places.take()));
      const conditions = [sql`${column('t', 'id')} in (${named})`, ...this.#ofTenant(type, 't', places)];
      if (tenants !== undefined) {
        const own = column('t', tenants);
        conditions.push(sql`(${own} is null or ${own} = ${places.take()})`);
      } else if (seen && type.shownWith === undefined)
        conditions.push(...protocolConditions(type, 't', context, 'admin'));
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(conditions)}`;
      return new Plan(sql`select ${column('t', 'id')} as "id" ${from}`, this.#dialect);
    };
    const values = [...filled, ...tenantValue(type, tenant), ...(tenants === undefined ? [] : [tenant])];
    return this.#context.plans.query(`targets|${type.singular}|${seen}|${size}|${tenants}`, build, values);
  }

  /** Rows `id`: those of the ids whose records a view shows the caller one by one. At most `mostTargets` ids. */
  shownOf(type: ContentType, ids: readonly string[], view: ReadView, caller: Caller): Query {
    const size = 2 ** Math.ceil(Math.log2(ids.length));
    const filled = Array.from({ length: size }, (_, place) => ids[place] ?? ids.at(-1) ?? '');
    const authenticated = isAuthenticated(caller);
    const plan = this.#context.plans.get(`shown|${type.singular}|${view.key}|${size}|${authenticated}`, () => {
      const context = { dialect: this.#dialect, authenticated, reads: new ReadsCollector() };
      const places = new ValuePlaces();
      const named = sql<boolean>`${column('t', 'id')} in (${sql.join(filled.map(() => places.take()))})`;
      const shown = viewCondition(type, view, 'get', 't', context);
      const conditions = allOf(shown === undefined ? [named] : [named, shown]);
      return new Plan(
        sql`select ${column('t', 'id')} as "id" from ${tableAs(type.table, 't')} where ${conditions}`,
        this.#dialect,
      );
    });
    return plan.bind(new RequestBindings(caller, filled));
  }

  /** One row, `id`, when the type has any record of the tenant. */
  any(type: ContentType, tenant: string | null): Query {
    const build = () => {
      const condition = allOf(this.#ofTenant(type, 't', new ValuePlaces()));
      const from = sql`from ${tableAs(type.table, 't')} where ${condition}`;
      return new Plan(sql`select ${column('t', 'id')} ${from} limit 1`, this.#dialect);
    };
    return this.#context.plans.query(`any|${type.singular}`, build, tenantValue(type, tenant));
  }

  /** The condition that a row is of a tenant, which takes one place; nothing of a type that keeps none apart. */
  #ofTenant({ partition }: ContentType, alias: string, places: ValuePlaces): RawBuilder<boolean>[] {
    return partition === null ? [] : [this.#dialect.rules.same(column(alias, partition), places.take())];
  }

  /** One row when another record of the tenant than `id` has these values in these fields. */
  taken(
    type: ContentType,
    values: readonly (readonly [Field, FieldValue])[],
    id: string,
    tenant: string | null,
  ): Query {
    const fields = values.map(([field]) => field);
    const build = () => {
      const places = new ValuePlaces();
      const conditions = [
        ...fields.map((field) => sql`${fieldValue(field, 't')} = ${places.take()}`),
        sql`${column('t', 'id')} <> ${places.take()}`,
        ...this.#ofTenant(type, 't', places),
      ];
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(conditions)}`;
      return new Plan(sql`select 1 as "found" ${from} limit 1`, this.#dialect);
    };
    return this.#context.plans.query(`taken|${type.singular}|${fields.map(({ name }) => name).join()}`, build, [
      ...values.map(([field, value]) => encodeValue(field, value, this.#dialect)),
      id,
      ...tenantValue(type, tenant),
    ]);
  }

  /** Rows `slug` and `seen` (1): the values of a field that are the text or begin with the text and a hyphen, of a tenant's records. */
  slugsLike(type: ContentType, field: Field, base: string, tenant: string | null): Query {
    const build = () => this.#slugsPlan(type, field, undefined);
    const values = slugValues(type, base, tenant);
    return this.#context.plans.query(`slugs|${type.singular}|${field.name}`, build, values);
  }

  /** As `slugsLike`; `seen` (1 or 0) says whether `get` would show the record to the caller. */
  slugsSeenBy(bindings: RequestBindings, type: ContentType, field: Field, base: string, tenant: string | null): Query {
    const authenticated = isAuthenticated(bindings.caller);
    const plan = this.#context.plans.get(`slugs-seen|${type.singular}|${field.name}|${authenticated}`, () => {
      const context = { dialect: this.#dialect, authenticated, reads: new ReadsCollector() };
      return this.#slugsPlan(type, field, gettable(type, 't', context));
    });
    return plan.bind(bindings.with(slugValues(type, base, tenant)));
  }

  #slugsPlan(type: ContentType, field: Field, seen: RawBuilder<boolean> | undefined): Plan {
    const places = new ValuePlaces();
    const slug = fieldValue(field, 't');
    // `.` follows `-` in code point order, so that the range is all that begins with `base-`.
    const like = sql`(${slug} = ${places.take()} or (${slug} >= ${places.take()} and ${slug} < ${places.take()}))`;
    const conditions = allOf([like, ...this.#ofTenant(type, 't', places)]);
    return new Plan(
      sql`select ${slug} as "slug", ${flag(seen)} as "seen" from ${tableAs(type.table, 't')} where ${conditions}`,
      this.#dialect,
    );
  }

  /** One row, `greatest`: the greatest value of a column among a tenant's records, or null. */
  greatest(type: ContentType, name: string, tenant: string | null): Query {
    const build = () => {
      const from = sql`from ${tableAs(type.table, 't')} where ${allOf(this.#ofTenant(type, 't', new ValuePlaces()))}`;
      return new Plan(sql`select max(${fieldValue(namedField(type, name), 't')}) as "greatest" ${from}`, this.#dialect);
    };
    return this.#context.plans.query(`greatest|${type.singular}|${name}`, build, tenantValue(type, tenant));
  }

  /** One row, `levels` and `includes`, of what stands below a record by the column `parent`. */
  below(type: ContentType, parent: string, id: string, other: string): Query {
    const build = () => belowPlan(type, parent, this.#dialect);
    return this.#context.plans.query(`below|${type.singular}|${parent}`, build, [id, other]);
  }

  /** Sets the depth of a record and of all that stands below it. */
  depth(type: ContentType, tree: TreeColumns, id: string): Query {
    return this.#context.plans.query(`depth|${type.singular}`, () => depthPlan(type, tree, this.#dialect), [id]);
  }

  /** The row of a record with all its columns. */
  row(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(sql`select * from ${sql.id(type.table)} where "id" = ${new ValuePlaces().take()}`, this.#dialect);
    return this.#context.plans.query(`row|${type.table}`, build, [id]);
  }

  /** Rows `id`: the records of `type` that point to the id with a to-one field, in any language. */
  pointing(type: ContentType, field: Field, id: string): Query {
    const build = () => {
      const points = refersByField({ owner: type, field }, 't', new ValuePlaces().take());
      return new Plan(sql`select ${column('t', 'id')} from ${tableAs(type.table, 't')} where ${points}`, this.#dialect);
    };
    return this.#context.plans.query(`pointing|${type.singular}|${field.name}`, build, [id]);
  }

  /** Rows `id` and `tenant`: the records of `type` that lead to the id with a field, in any language. */
  referring(type: ContentType, field: Field, id: string): Query {
    const junction = junctionOf(field);
    const build = () => {
      const tenant = type.partition === null ? sql`null` : column('t', type.partition);
      const led = new ValuePlaces().take();
      const leads =
        junction === undefined
          ? refersByField({ owner: type, field }, 't', led)
          : sql`${column('t', 'id')} in (select ${sql.id(junctionColumns.source)} from ${sql.id(junction)} where ${sql.id(junctionColumns.target)} = ${led})`;
      return new Plan(
        sql`select ${column('t', 'id')} as "id", ${tenant} as "tenant" from ${tableAs(type.table, 't')} where ${leads} order by ${column('t', 'id')}`,
        this.#dialect,
      );
    };
    return this.#context.plans.query(`referring|${type.singular}|${field.name}`, build, [id]);
  }

  /** One row, `total`: how many rows of a relation to many belong to the id. */
  related(relation: { readonly table: string; readonly column: string }, id: string): Query {
    const build = () =>
      new Plan(
        sql`select count(*) as "total" from ${sql.id(relation.table)} where ${sql.id(relation.column)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return this.#context.plans.query(`related|${relation.table}|${relation.column}`, build, [id]);
  }
}

/** Whether a statement finds anything. */
export async function finds(executor: Executor, query: Query): Promise<boolean> {
  return (await executor.first(query)) !== undefined;
}
