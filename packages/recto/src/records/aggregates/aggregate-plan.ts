import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { ReadKind } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import type { AggregateQuery, AggregateValue } from '../../query/aggregate-query.ts';
import type { GroupKey } from '../../query/group-key.ts';
import { unitPrefix } from '../../values/calendar-unit.ts';
import { countedParts } from '../list/filtered-rows.ts';
import { selectParts } from '../list/list-page.ts';
import { listedRows, type RowShape, readKindOf, rowShapeKey, rowValues } from '../list/list-rows.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { PlanContext } from '../plans/visibility.ts';

export interface AggregateShape extends RowShape {
  readonly query: AggregateQuery;
}

/** The statements of one shape of aggregate. */
export interface AggregatePlan {
  /** One row: `groups`, the JSON array of the groups as text; null where their texts are longer than the answer may be. */
  readonly groups: Plan;
  /** For each key of `piecedKeys` in order: rows `prefix`, the beginnings that its values have. */
  readonly prefixes: readonly Plan[];
  readonly kind: ReadKind;
  readonly reads: PlanReads;
}

/** The most groups in an answer. */
export const mostGroups = 1_000;

/** The most groups that are sorted by what the database cannot sort by: sums and averages. */
export const mostSortedGroups = 20_000;

/** The most beginnings of times whose units in a zone are looked up. */
export const mostPrefixes = 20_000;

/** Keys whose units no beginning of a value names, so that they are looked up: units in a zone, and weeks. */
export const isPieced = ({ unit, zone }: GroupKey): boolean => unit !== null && (zone !== null || unit === 'week');

/** Whether the groups are sorted after they have been read. */
export const sortsAfterwards = ({ sort, values }: AggregateQuery): boolean =>
  sort.some((term) => {
    const value = term.by === 'value' ? values[term.place] : undefined;
    return value?.of === 'sum' || value?.of === 'avg';
  });

/** Equal for requests that one plan serves. */
export function aggregateShapeKey(shape: AggregateShape): string {
  const { groups, values, sort } = shape.query;
  return [
    rowShapeKey(shape),
    groups.map((key) => `${key.field.name}:${key.unit}:${isPieced(key)}`).join(','),
    values.map(({ of, field }) => `${of}:${field.name}`).join(','),
    sort.map((term) => `${term.by}:${term.by === 'count' ? '' : term.place}:${term.direction}`).join(','),
  ].join('|');
}

/** The values for a plan's places; `pieces` has the JSON text of each pieced key's. */
export const aggregateValues = (
  shape: AggregateShape,
  dialect: Dialect,
  pieces: readonly string[] = [],
): readonly SqlValue[] => [...rowValues(shape, dialect), ...pieces];

const row = 't0';
const links = 'links';

/** Members of a group in what a statement returns. */
export const memberOf = {
  key: (place: number) => `k${place}`,
  value: (place: number) => `v${place}`,
  /** How many values an average is of. */
  counted: (place: number) => `c${place}`,
  count: 'n',
} as const;

/** `mostText`: the most characters that the texts of all groups may have together. */
export function buildAggregatePlan(shape: AggregateShape, dialect: Dialect, mostText: number): AggregatePlan {
  const { type, query, authenticated, tenant } = shape;
  const reads = new ReadsCollector();
  reads.type(type.singular);
  const context: PlanContext = { dialect, authenticated, tenant, reads };
  const groups = new Plan(groupsStatement(shape, context, mostText), dialect);
  const prefixes = query.groups.filter(isPieced).map((key) => new Plan(prefixStatement(shape, key, context), dialect));
  return { groups, prefixes, kind: readKindOf(query), reads: reads.done() };
}

function groupsStatement(shape: AggregateShape, context: PlanContext, mostText: number): RawBuilder<unknown> {
  const { dialect } = context;
  const { groups, values } = shape.query;
  const places = new ValuePlaces();
  const counted = countedRows(shape, context, places);
  const columns = [
    ...groups.flatMap((key, place) => keyColumns(key, place)),
    ...values.map((value, place) => sql`${addendOf(value, dialect)} as ${sql.id(`a${place}`)}`),
  ];
  const read = columns.length === 0 ? sql`1 as "one"` : sql.join(columns);
  const rows = selectParts(counted, (where, own) => sql`select ${read} from ${groupedRows(shape, own)} where ${where}`);
  const from = dialect.aggregates.computedOnce(rows);
  const pieced = groups.flatMap((key, place) => (isPieced(key) ? [place] : []));
  const joins = pieced.map((place) => pieceJoin(place, dialect, places));
  // Times that came to be after their beginnings were looked up: as if the answer had been made before.
  const known = pieced.map(
    (place) => sql`(${column('r', `r${place}`)} is null or ${column(`s${place}`, 'unit')} is not null)`,
  );
  const selected = [
    ...groups.map(
      (key, place) =>
        sql`${isPieced(key) ? column(`s${place}`, 'unit') : column('r', `r${place}`)} as ${sql.id(memberOf.key(place))}`,
    ),
    sql`count(*) as ${sql.id(memberOf.count)}`,
    ...values.flatMap((value, place) => valueColumns(value, place, dialect)),
  ];
  const by =
    groups.length === 0 ? sql`` : sql`group by ${sql.join(groups.map((_, place) => sql.raw(String(place + 1))))}`;
  const most = sortsAfterwards(shape.query) ? mostSortedGroups : mostGroups;
  const grouped = sql`select ${sql.join(selected)} from (${from}) as "r" ${sql.join(joins, sql` `)} where ${allOf(known)}
    ${by} order by ${order(shape.query, dialect)} limit ${sql.lit(most + 1)}`;
  const json = dialect.jsonRows(dialect.jsonObject(members(shape.query, dialect)));
  const texts = textMembers(shape.query);
  if (texts.length === 0) return sql`select ${json} as "groups" from (${grouped}) as "g"`;
  // A thousand groups can have a thousand long texts: they are weighed before one text is made of them.
  const lengths = texts.map((name) => sql`coalesce(length(cast(${sql.id('g', name)} as text)), 0)`);
  const total = sql`(select coalesce(sum(${sql.join(lengths, sql` + `)}), 0) from "g")`;
  return sql`with "g" as materialized (${grouped})
    select case when ${total} <= ${sql.lit(mostText)} then (select ${json} from "g") end as "groups"`;
}

/** The members of a group that are texts of any length. */
const textMembers = ({ groups, values }: AggregateQuery): readonly string[] => [
  ...groups.flatMap(({ kind, unit }, place) => (kind === 'text' && unit === null ? [memberOf.key(place)] : [])),
  ...values.flatMap(({ kind }, place) => (kind === 'text' ? [memberOf.value(place)] : [])),
];

/** The rows of the list that the aggregate is of, as its total counts them. */
const countedRows = (shape: AggregateShape, context: PlanContext, places: ValuePlaces) =>
  countedParts(listedRows(shape, row, context, places), { table: shape.type.table, row, dialect: context.dialect });

/** The records; with a relation to many, each as often as it has ids, and once without any. */
function groupedRows(
  { type, query }: AggregateShape,
  records: RawBuilder<unknown> = tableAs(type.table, row),
): RawBuilder<unknown> {
  const junction = query.groups.find((key) => key.junction !== null)?.junction;
  if (junction === undefined || junction === null) return records;
  return sql`${records} left join ${tableAs(junction, links)} on ${column(links, junctionColumns.source)} = ${column(row, 'id')}`;
}

/** The value of a key, and the beginning by which its unit is looked up. */
function keyColumns(key: GroupKey, place: number): readonly RawBuilder<unknown>[] {
  const value = key.junction === null ? fieldValue(key.field, row) : column(links, junctionColumns.target);
  const begin = key.unit === null ? value : sql`substr(${value}, 1, ${sql.lit(unitPrefix[key.unit])})`;
  if (!isPieced(key)) return [sql`${begin} as ${sql.id(`r${place}`)}`];
  return [sql`${value} as ${sql.id(`r${place}`)}`, sql`${begin} as ${sql.id(`p${place}`)}`];
}

function pieceJoin(place: number, dialect: Dialect, places: ValuePlaces): RawBuilder<unknown> {
  const [alias, value] = [`s${place}`, column('r', `r${place}`)];
  const pieces = dialect.aggregates.textRows(places.take(), alias, ['prefix', 'from', 'until', 'unit']);
  return sql`left join ${pieces} on ${column(alias, 'prefix')} = ${column('r', `p${place}`)}
    and ${value} >= ${column(alias, 'from')} and ${value} < ${column(alias, 'until')}`;
}

const isAdded = ({ of }: AggregateValue): boolean => of === 'sum' || of === 'avg';

const addendOf = (value: AggregateValue, dialect: Dialect): RawBuilder<unknown> =>
  isAdded(value) ? dialect.aggregates.addend(value.kind, fieldValue(value.field, row)) : fieldValue(value.field, row);

function valueColumns(value: AggregateValue, place: number, dialect: Dialect): readonly RawBuilder<unknown>[] {
  const of = column('r', `a${place}`);
  const named = (made: RawBuilder<unknown>, name: string) => sql`${made} as ${sql.id(name)}`;
  const name = memberOf.value(place);
  switch (value.of) {
    case 'min':
      return [named(sql`min(${of})`, name)];
    case 'max':
      return [named(sql`max(${of})`, name)];
    case 'sum':
      return [named(dialect.aggregates.sum(value.kind, of), name)];
    case 'avg':
      return [named(dialect.aggregates.sum(value.kind, of), name), named(sql`count(${of})`, memberOf.counted(place))];
  }
}

/** What is sorted by afterwards comes in the order of the keys. */
function order(query: AggregateQuery, dialect: Dialect): RawBuilder<unknown> {
  const terms = sortsAfterwards(query) ? [] : query.sort;
  const sorted = terms.map((term) => {
    const name = term.by === 'count' ? memberOf.count : memberOf[term.by](term.place);
    return dialect.order(sql.id(name), term.direction);
  });
  const keys = query.groups.map((_, place) => dialect.order(sql.id(memberOf.key(place)), 'asc'));
  return sql.join(sorted.length + keys.length === 0 ? [sql.id(memberOf.count)] : [...sorted, ...keys]);
}

function members({ groups, values }: AggregateQuery, dialect: Dialect) {
  const member = (name: string, kind: GroupKey['kind']) => [name, dialect.json(kind, sql.id('g', name))] as const;
  return [
    ...groups.map(({ kind, unit }, place) => member(memberOf.key(place), unit === null ? kind : 'text')),
    member(memberOf.count, 'integer'),
    ...values.flatMap((value, place) => [
      member(memberOf.value(place), isAdded(value) ? 'text' : value.kind),
      ...(value.of === 'avg' ? [member(memberOf.counted(place), 'integer')] : []),
    ]),
  ];
}

/** Each beginning that the values of a key have, once. */
function prefixStatement(shape: AggregateShape, key: GroupKey, context: PlanContext): RawBuilder<unknown> {
  const counted = countedRows(shape, context, new ValuePlaces());
  const value = fieldValue(key.field, row);
  const begin = sql`substr(${value}, 1, ${sql.lit(unitPrefix[key.unit ?? 'day'])})`;
  const rows = selectParts(
    counted,
    (where, from = tableAs(shape.type.table, row)) =>
      sql`select ${begin} as "prefix" from ${from} where ${where} and ${value} is not null`,
  );
  return sql`select distinct "prefix" from (${rows}) as "r" limit ${sql.lit(mostPrefixes + 1)}`;
}
