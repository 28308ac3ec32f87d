import type { AggregateDialect } from '../../database/dialect.ts';
import { aggregateFunctions } from '../../definition/aggregate-parameters.ts';
import type { AggregateQuery, AggregateSort, AggregateValue } from '../../query/aggregate-query.ts';
import { average, compareExact, type ExactNumber, exactNumber, exactText } from '../../values/exact-sum.ts';
import { kinds } from '../../values/kinds.ts';
import type { JsonValue, ScalarKind } from '../../values/value-kind.ts';
import { memberOf, mostGroups, sortsAfterwards } from './aggregate-plan.ts';

/** A group as the statement returns it. */
export type StoredGroup = Readonly<Record<string, JsonValue>>;

/** A value of a group: as it is compared, and as JSON text. */
interface Made {
  readonly value: JsonValue | ExactNumber;
  readonly text: string;
}

interface Group {
  readonly stored: StoredGroup;
  readonly values: readonly Made[];
}

/** The answer's text. `stored`: the groups in the order of the statement, one more than are shown where there are more. */
export function aggregateText(
  query: AggregateQuery,
  stored: readonly StoredGroup[],
  dialect: AggregateDialect,
): string {
  const groups = stored.map(
    (group): Group => ({
      stored: group,
      values: query.values.map((value, place) => make(value, group, place, dialect)),
    }),
  );
  if (sortsAfterwards(query)) groups.sort((a, b) => compareGroups(query, a, b));
  const items = groups.slice(0, mostGroups).map((group) => itemText(query, group));
  return `{"items":[${items.join(',')}],"truncated":${groups.length > mostGroups}}`;
}

const nothing: Made = { value: null, text: 'null' };

function make({ of, kind }: AggregateValue, group: StoredGroup, place: number, dialect: AggregateDialect): Made {
  const found = group[memberOf.value(place)] ?? null;
  if (found === null) return nothing;
  if (of === 'min' || of === 'max') return { value: found, text: JSON.stringify(found) };
  const total = dialect.total(kind, String(found));
  const count = of === 'avg' ? Number(group[memberOf.counted(place)]) : 1;
  const exact = exactNumber(total);
  if (kind === 'float' || exact === undefined) return finite(Number(total) / count);
  const value = of === 'avg' ? average(exact, count) : exact;
  const text = exactText(value);
  if (kind === 'bigint' || kind === 'decimal') return { value, text: `"${text}"` };
  // Of an average, as many digits as a number has.
  return { value, text: of === 'avg' ? JSON.stringify(Number(text)) : text };
}

/** A sum that no number holds is null. */
const finite = (value: number): Made => (Number.isFinite(value) ? { value, text: JSON.stringify(value) } : nothing);

function itemText({ groups, count, values }: AggregateQuery, group: Group): string {
  const members = groups.map(
    ({ name }, place) => `${JSON.stringify(name)}:${JSON.stringify(group.stored[memberOf.key(place)] ?? null)}`,
  );
  if (count) members.push(`"count":${Number(group.stored[memberOf.count])}`);
  for (const of of aggregateFunctions) {
    const computed = values.flatMap((value, place) =>
      value.of === of ? [`${JSON.stringify(value.field.name)}:${group.values[place]?.text ?? 'null'}`] : [],
    );
    if (computed.length > 0) members.push(`"${of}":{${computed.join(',')}}`);
  }
  return `{${members.join(',')}}`;
}

function compareGroups(query: AggregateQuery, a: Group, b: Group): number {
  for (const term of query.sort) {
    const compared = compareBy(query, term, a, b);
    if (compared !== 0) return term.direction === 'asc' ? compared : -compared;
  }
  return 0;
}

/** Null comes first. */
function compareBy({ groups, values }: AggregateQuery, term: AggregateSort, a: Group, b: Group): number {
  switch (term.by) {
    case 'count':
      return Number(a.stored[memberOf.count]) - Number(b.stored[memberOf.count]);
    case 'key': {
      const key = groups[term.place];
      const [left = null, right = null] = [a, b].map(({ stored }) => stored[memberOf.key(term.place)] ?? null);
      return compareJson(key === undefined || key.unit !== null ? 'text' : key.kind, left, right);
    }
    case 'value': {
      const [left, right] = [a, b].map((group) => group.values[term.place]?.value ?? null);
      if (isExact(left) && isExact(right)) return compareExact(left, right);
      const kind = values[term.place]?.kind ?? 'text';
      return compareJson(kind, isExact(left) ? 0 : (left ?? null), isExact(right) ? 0 : (right ?? null));
    }
  }
}

const isExact = (value: Made['value'] | undefined): value is ExactNumber =>
  typeof value === 'object' && value !== null && 'units' in value && typeof value.units === 'bigint';

function compareJson(kind: ScalarKind, a: JsonValue, b: JsonValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const [left, right] = [kinds[kind].fromJson(a), kinds[kind].fromJson(b)];
  return left === undefined || right === undefined ? 0 : kinds[kind].compare(left, right);
}
