import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isInverse } from '../../definition/stored-field.ts';
import type { VisibilityParams } from '../../query/read-view.ts';
import { fieldAssignment } from '../plans/field-values.ts';
import { Plan } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable, type PlanContext, protocolConditions, viewCondition } from '../plans/visibility.ts';
import { Projection } from '../select/projection.ts';

const row = 't0';

/** How a written record is returned. */
export interface ReturningShape {
  readonly type: ContentType;
  readonly types: ContentTypes;
  readonly view: ReadView;
  readonly authenticated: boolean;
}

export interface InsertShape extends ReturningShape {
  /** The names of all columns of the type's table. */
  readonly columns: readonly string[];
  /** Which parts of its search entry there are; null where the statement indexes nothing. */
  readonly entry: readonly boolean[] | null;
  readonly unlessTaken: boolean;
}

/** Inserts a record without links and returns it as the view does. Its values are those of the columns, then those of its search entry. */
export function buildInsertReturning(shape: InsertShape, dialect: Dialect): Plan {
  const { type, columns } = shape;
  const places = new ValuePlaces();
  const statement = insertion(type, columns, places, shape.unlessTaken);
  const entry = shape.entry?.map((isThere) => (isThere ? places.take() : null)) ?? null;
  const body = bodyOf(shape, dialect, true);
  return new Plan(dialect.returning({ statement, table: type.table, body, entry }), dialect);
}

/** Updates a record and returns it as the view does. Its values are those of the fields, then the id. */
export function buildUpdateReturning(shape: ReturningShape, fields: readonly Field[], dialect: Dialect): Plan {
  const { type } = shape;
  const statement = updating(type, fields);
  const body = bodyOf(shape, dialect, false);
  return new Plan(dialect.returning({ statement, table: type.table, body, entry: null }), dialect);
}

function bodyOf({ type, types, view, authenticated }: ReturningShape, dialect: Dialect, isNew: boolean) {
  // The transaction fails where the tables are no longer those of the definition.
  const context: PlanContext = { dialect, authenticated, reads: new ReadsCollector(), form: 'as_defined' };
  return (alias: string): RawBuilder<string> => new Projection(types, context, isNew).record(type, alias, view);
}

/** `unlessTaken`: inserts nothing, without an error, where the row violates a unique index. */
export function insertion(
  { table }: ContentType,
  columns: readonly string[],
  places: ValuePlaces,
  unlessTaken: boolean,
): RawBuilder<unknown> {
  const names = sql.join(columns.map((name) => sql.id(name)));
  const values = sql.join(columns.map(() => places.take()));
  const otherwise = unlessTaken ? sql` on conflict do nothing` : sql``;
  return sql`insert into ${sql.id(table)} (${names}) values (${values})${otherwise}`;
}

export function updating({ table }: ContentType, fields: readonly Field[]): RawBuilder<unknown> {
  const places = new ValuePlaces();
  const settings = sql.join(fields.map((field) => fieldAssignment(field, places.take())));
  return sql`update ${sql.id(table)} set ${settings} where "id" = ${places.take()}`;
}

/** Whether an update can return the record: a view of what points to it depends on the row that is being written. */
export const isReturnable = (type: ContentType, view: ReadView): boolean => !readableFields(type, view).some(isInverse);

export interface CurrentShape {
  readonly type: ContentType;
  readonly endpoint: 'update' | 'delete';
  readonly view: ReadView;
  readonly authenticated: boolean;
  readonly byId: boolean;
  readonly choices: VisibilityParams;
}

/**
 * Loads the row that a write is about, and what this caller may do with it. One row: `$may_change` and `$may_get` (1 or 0)
 * and the type's own columns; or no row.
 */
export function buildCurrentPlan(shape: CurrentShape, dialect: Dialect): Plan {
  const { type, endpoint, view, authenticated, byId, choices } = shape;
  const context: PlanContext = { dialect, authenticated, reads: new ReadsCollector() };
  const mayChange = viewCondition(type, view, endpoint, row, context);
  // What protocols hide from the admin routes is no row at all.
  const mayGet =
    view.audience === 'admin' ? viewCondition(type, view, 'get', row, context) : gettable(type, row, context);
  const seen = protocolConditions(type, row, context, view.audience, choices);
  const key = byId ? [sql<boolean>`${column(row, 'id')} = ${new ValuePlaces().take()}`] : [];
  return new Plan(
    sql`select ${flag(mayChange)} as "$may_change", ${flag(mayGet)} as "$may_get", ${sql.id(row)}.*
      from ${tableAs(type.table, row)} where ${allOf([...key, ...seen])}`,
    dialect,
  );
}

export const flag = (condition: RawBuilder<boolean> | undefined): RawBuilder<number> =>
  condition === undefined ? sql`1` : sql`case when ${condition} then 1 else 0 end`;
