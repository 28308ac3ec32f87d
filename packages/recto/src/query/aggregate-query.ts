import { badRequest } from '../base/problem.ts';
import { type AggregateFunction, aggregateFunctions, aggregateParameters } from '../definition/aggregate-parameters.ts';
import type { Field } from '../definition/content-type.ts';
import { valueKindOf } from '../definition/stored-field.ts';
import type { ScalarKind } from '../values/value-kind.ts';
import { type GroupKey, readGroup } from './group-key.ts';
import { invalidParameter, readBoolean, readGiven, readParameters, shownName } from './query-text.ts';
import { readableField } from './read-view.ts';
import { type RowQuery, type RowQuestion, readRowQuery } from './row-query.ts';

/** One value that is computed for each group. */
export interface AggregateValue {
  readonly of: AggregateFunction;
  readonly field: Field;
  readonly kind: ScalarKind;
}

/** What the groups are sorted by: the count, a key or a value by its place among the others. */
export type AggregateSort = { readonly direction: 'asc' | 'desc' } & (
  | { readonly by: 'count' }
  | { readonly by: 'key' | 'value'; readonly place: number }
);

/** What a request for aggregates asks for, checked. */
export interface AggregateQuery extends RowQuery {
  readonly groups: readonly GroupKey[];
  readonly count: boolean;
  readonly values: readonly AggregateValue[];
  /** Empty: by the keys, ascending. */
  readonly sort: readonly AggregateSort[];
}

/** Fields that one request computes something of. */
export const mostValues = 20;

/** Kinds that can be added up. */
export const isSummed = (kind: ScalarKind): boolean =>
  kind === 'integer' || kind === 'bigint' || kind === 'float' || kind === 'decimal';

/** Kinds that have a least and a greatest value. */
const isCompared = (kind: ScalarKind): boolean => kind !== 'boolean';

export const isComputed = (of: AggregateFunction, kind: ScalarKind): boolean =>
  of === 'sum' || of === 'avg' ? isSummed(kind) : isCompared(kind);

/** Reads the query string of a request for aggregates, as `readListQuery` reads a list's. */
export function readAggregateQuery(
  search: string,
  question: RowQuestion,
  ruleParameters: ReadonlySet<string>,
): AggregateQuery {
  const parameters = readParameters(search);
  const rows = readRowQuery(parameters, question, aggregateParameters, ruleParameters);
  const groups = readGiven(parameters, 'group', (_, text) => readGroup(text, question)) ?? [];
  const values = aggregateFunctions.flatMap(
    (of) => readGiven(parameters, of, (_, text) => readValues(of, text, question)) ?? [],
  );
  if (values.length > mostValues) {
    throw badRequest('invalid_parameter', `At most ${mostValues} values are computed at once.`);
  }
  const asked = readGiven(parameters, 'count', readBoolean);
  const count = asked ?? values.length === 0;
  const members = new Set<string>([...(count ? ['count'] : []), ...values.map(({ of }) => of)]);
  const doubled = groups.find(({ name }) => members.has(name));
  if (doubled !== undefined) {
    throw badRequest('invalid_parameter', `"group" names "${doubled.name}", which also names a value of each group.`);
  }
  const named = { groups, values, count };
  return {
    ...rows,
    ...named,
    sort: readGiven(parameters, 'sort', (_, text) => readSort(text, named)) ?? [],
  };
}

function readValues(of: AggregateFunction, text: string, { type, view }: RowQuestion): readonly AggregateValue[] {
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) {
    throw badRequest('invalid_parameter', `"${of}" names a field more than once.`);
  }
  return names.map((name): AggregateValue => {
    const field = readableField(type, view, name);
    const kind = field?.type.sortable === true ? valueKindOf(field) : undefined;
    if (field === undefined || kind === undefined || !isComputed(of, kind)) {
      throw badRequest(
        'invalid_parameter',
        `"${of}" names "${shownName(name)}", of which ${type.plural} have no ${words[of]}.`,
      );
    }
    return { of, field, kind };
  });
}

const words = { sum: 'sum', avg: 'average', min: 'least value', max: 'greatest value' } as const satisfies Record<
  AggregateFunction,
  string
>;

function readSort(text: string, { groups, values, count }: Pick<AggregateQuery, 'groups' | 'values' | 'count'>) {
  const places = new Map<string, { by: 'count' } | { by: 'key' | 'value'; place: number }>(
    groups.map(({ name }, place) => [name, { by: 'key', place }]),
  );
  for (const [place, { of, field }] of values.entries()) places.set(`${of}.${field.name}`, { by: 'value', place });
  if (count) places.set('count', { by: 'count' });
  const names = new Set<string>();
  return text.split(',').map((entry): AggregateSort => {
    const [, name = '', direction] = /^\s*(\S+):(asc|desc)\s*$/.exec(entry) ?? [];
    if (direction !== 'asc' && direction !== 'desc') {
      throw invalidParameter('sort', 'a list such as "count:desc,sum.views:asc"');
    }
    const place = places.get(name);
    if (place === undefined) {
      const known = [...places.keys()].join(', ');
      throw badRequest('invalid_parameter', `"sort" names "${shownName(name)}", which is none of ${known}.`);
    }
    if (names.has(name)) throw badRequest('invalid_parameter', '"sort" names a value more than once.');
    names.add(name);
    return { ...place, direction };
  });
}
