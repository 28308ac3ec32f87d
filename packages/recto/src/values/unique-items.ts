import type { TSchema } from 'typebox';
import type { FieldFault } from '../base/problem.ts';
import { childPath } from './field-path.ts';

/**
 * Checks a schema's `uniqueItems` separately: the library copies its list of repeated items for each of them, so a body of one
 * megabyte takes it a minute. Covers properties and items; unions are left to the library.
 */
export interface UniqueItems {
  /** The schema without the keywords that are checked here. */
  readonly rest: TSchema;
  /** The arrays with a repeated item. */
  repeated(value: unknown): readonly FieldFault[];
}

/** Null when the schema has no `uniqueItems`. */
export function uniqueItemsOf(schema: TSchema): UniqueItems | null {
  if (!asksForUnique(schema)) return null;
  return { rest: without(schema), repeated: (value) => [...repeatedIn(schema, value, '')] };
}

interface Parts {
  readonly uniqueItems?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: unknown;
}

const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function asksForUnique(schema: TSchema): boolean {
  const { uniqueItems, properties = {}, items }: Parts = schema;
  return (
    uniqueItems === true || Object.values(properties).some(asksForUnique) || (isSchema(items) && asksForUnique(items))
  );
}

function without(schema: TSchema): TSchema {
  if (!asksForUnique(schema)) return schema;
  const { uniqueItems: _, properties, items, ...rest }: Parts & TSchema = schema;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, without(each)])) }),
    ...(items === undefined ? {} : { items: isSchema(items) ? without(items) : items }),
  };
}

function* repeatedIn(schema: TSchema, value: unknown, path: string): Generator<FieldFault> {
  const { uniqueItems, properties = {}, items }: Parts = schema;
  if (Array.isArray(value)) {
    if (uniqueItems === true && new Set(value.map(identity)).size < value.length) {
      yield { field: path, code: 'invalid', message: 'Must not hold the same item twice.' };
    }
    if (!isSchema(items) || !asksForUnique(items)) return;
    for (const [index, item] of value.entries()) yield* repeatedIn(items, item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(properties)) {
      if (!asksForUnique(each) || !Object.hasOwn(value, name)) continue;
      yield* repeatedIn(each, Reflect.get(value, name), childPath(path, name));
    }
  }
}

/** Equal for equal JSON values: strings and numbers as they are, others as JSON text. */
const identity = (item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? `json ${JSON.stringify(item)}`
    : typeof item === 'string'
      ? `text ${item}`
      : item;
