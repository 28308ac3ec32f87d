import Type, { type TObject, type TSchema } from 'typebox';
import {
  type AggregateFunction,
  type AggregateParameter,
  aggregateFunctions,
  aggregateParameters,
} from '../../definition/aggregate-parameters.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { type ViewName, viewNamed } from '../../definition/rights/read-view.ts';
import { valueKindOf } from '../../definition/stored-field.ts';
import { isComputed, mostValues } from '../../query/aggregate-query.ts';
import { keyOf, mostKeys, unitsOf } from '../../query/group-key.ts';
import { takesAlternates, takesMay } from '../../query/read-view.ts';
import { mostGroups, mostSortedGroups } from '../../records/aggregates/aggregate-plan.ts';
import { calendarUnits } from '../../values/calendar-unit.ts';
import { averageDigits } from '../../values/exact-sum.ts';
import { listQuerySchema } from './parameters/query-schemas.ts';
import { schemaName } from './schema-name.ts';

/** The parameters of a type's aggregates: what a list takes to choose records, and what is computed of them. */
export function aggregateQuerySchema(type: ContentType, view: 'list' | 'admin', types: ContentTypes): TObject {
  const { page, page_size, sort, include, fields, skip_total, cursor, ...rows } = listQuerySchema(
    type,
    view,
    types,
  ).properties;
  const properties: Record<string, TSchema> = { ...rows };
  // Groups are no records.
  if (takesMay(type, viewNamed(view))) delete properties.may;
  if (takesAlternates(type)) delete properties.alternates;
  for (const name of aggregateParameters) {
    const schema = parameterSchema(name, type, view);
    if (schema !== undefined) properties[name] = Type.Optional(schema);
  }
  return Type.Object(properties);
}

/** Undefined for those of lists. */
function parameterSchema(name: AggregateParameter, type: ContentType, view: ViewName): TSchema | undefined {
  switch (name) {
    case 'group':
      return groupSchema(type, view);
    case 'count':
      return Type.Boolean({
        component: 'AggregateCount',
        description: 'Count the records of each group. Default: where nothing else is computed.',
      });
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return valuesSchema(name, type, view);
    case 'sort':
      return Type.String({
        component: 'AggregateSort',
        description: `The order of the groups, by keys, by \`count\` or by computed values: \`count:desc,sum.views:asc\`. Default: by the keys. By sums and averages, at most ${mostSortedGroups} groups are sorted.`,
      });
    case 'filter':
    case 'search':
      return undefined;
  }
}

function groupSchema(type: ContentType, view: ViewName): TSchema {
  const times = keyFields(type, view).filter((field) => valueKindOf(field) === 'datetime');
  const names = times.map(({ name }) => name).join('|');
  const zoned = { type: 'string', pattern: `^(${names}):(${calendarUnits.join('|')})@[A-Za-z][A-Za-z0-9_+/-]{0,63}$` };
  const known = { type: 'string', enum: keyNames(type, view) };
  return Type.Array(Type.Unsafe(times.length === 0 ? known : { anyOf: [known, zoned] }), {
    uniqueItems: true,
    maxItems: mostKeys,
    description:
      'What records are grouped by. Dates and times take a unit, `created_at:month`. Times take a zone, `created_at:month@Europe/Lisbon`, else they are in UTC.',
  });
}

function valuesSchema(of: AggregateFunction, type: ContentType, view: ViewName): TSchema | undefined {
  const names = computedFields(of, type, view).map(({ name }) => name);
  return names.length === 0 ? undefined : namesSchema(names, { maxItems: mostValues, description: descriptions[of] });
}

const namesSchema = (names: readonly string[], more: { readonly maxItems: number; readonly description: string }) =>
  Type.Array(Type.Unsafe({ type: 'string', enum: names }), { uniqueItems: true, ...more });

const descriptions = {
  sum: 'Fields that are added up. Exact: of decimals and bigints, a string.',
  avg: `Fields whose average is computed, of the records that have a value. Of decimals and bigints, a string of at most ${averageDigits} digits after the point.`,
  min: 'Fields whose least value is returned.',
  max: 'Fields whose greatest value is returned.',
} as const satisfies Record<AggregateFunction, string>;

const keyFields = (type: ContentType, view: ViewName): readonly Field[] =>
  readableFields(type, viewNamed(view)).filter((field) => keyOf(field) !== undefined);

const keyNames = (type: ContentType, view: ViewName): readonly string[] =>
  keyFields(type, view).flatMap((field) => [
    field.name,
    ...unitsOf(keyOf(field)?.kind ?? 'text').map((unit) => `${field.name}:${unit}`),
  ]);

const computedFields = (of: AggregateFunction, type: ContentType, view: ViewName): readonly Field[] =>
  readableFields(type, viewNamed(view)).filter((field) => {
    const kind = field.type.sortable ? valueKindOf(field) : undefined;
    return kind !== undefined && isComputed(of, kind);
  });

/** The answer to a request for aggregates. Keys in a zone are members of their own names. */
export function aggregateSchema(type: ContentType, view: 'list' | 'admin'): TObject {
  const computed = aggregateFunctions.flatMap((of) => {
    const fields = computedFields(of, type, view);
    if (fields.length === 0) return [];
    const members = fields.map((field) => [field.name, Type.Optional(valueSchema(of, field))] as const);
    return [[of, Type.Optional(Type.Object(Object.fromEntries(members), { additionalProperties: false }))] as const];
  });
  const group = Type.Object(
    { count: Type.Optional(Type.Integer({ minimum: 0 })), ...Object.fromEntries(computed) },
    { additionalProperties: Type.Unsafe({ type: ['string', 'number', 'boolean', 'null'] }) },
  );
  return Type.Object(
    {
      items: Type.Array(group, { maxItems: mostGroups }),
      truncated: Type.Boolean({ description: `Whether there are more than ${mostGroups} groups.` }),
    },
    { $id: `${schemaName(type)}Aggregate${view === 'admin' ? '_admin' : ''}`, additionalProperties: false },
  );
}

/** Null where no record has a value. */
function valueSchema(of: AggregateFunction, { type: { kind } }: Field): TSchema {
  const isText = (of === 'min' || of === 'max' || kind === 'decimal' || kind === 'bigint') && !isNumber(kind);
  if (isText) return Type.Unsafe({ type: ['string', 'null'] });
  return Type.Unsafe({ type: [of === 'avg' || kind === 'float' ? 'number' : 'integer', 'null'] });
}

const isNumber = (kind: Field['type']['kind']): boolean => kind === 'integer' || kind === 'float';
