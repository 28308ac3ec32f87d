import type { TSchema } from 'typebox';
import type { JsonValue } from '../../values/value-kind.ts';

export type JsonMembers = Readonly<Record<string, JsonValue>>;

/** Finds a schema by its `$id`. */
export type SchemaLookup = (name: string) => TSchema | undefined;

/** Collects the schemas of a document: one with an `$id` is written once, into `components.schemas`, and referenced everywhere else. */
export class OpenApiSchemas {
  readonly #components = new Map<string, JsonValue>();
  readonly #referenced = new Set<string>();
  readonly #lookup: SchemaLookup;

  /** `lookup` finds the schemas that others only reference (`$ref`), such as those of related records. */
  constructor(lookup: SchemaLookup = () => undefined) {
    this.#lookup = lookup;
  }

  /** A schema as it stands in the document: plain JSON, its named parts replaced by references. Throws when two different schemas share an `$id`. */
  use(schema: TSchema): JsonValue {
    // The library's own marks on a schema are not enumerable; JSON is what is left of it.
    return this.#schema(JSON.parse(JSON.stringify(schema)));
  }

  /** All schemas with an `$id` that were used or referenced, by name. Throws for a reference to nothing. */
  components(): JsonMembers {
    // A set also visits what is added while it is iterated: the references of the schemas that are looked up.
    for (const name of this.#referenced) {
      if (this.#components.has(name)) continue;
      const schema = this.#lookup(name);
      if (schema !== undefined) this.use(schema);
      if (!this.#components.has(name)) throw new Error(`There is no schema with the $id ${name}.`);
    }
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #schema(schema: JsonValue): JsonValue {
    if (!isMembers(schema)) return schema;
    const { $id, ...keywords } = schema;
    const converted = Object.fromEntries(
      Object.entries(keywords).map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]),
    );
    if (typeof $id !== 'string') return converted;
    this.#define($id, converted);
    return { $ref: reference($id) };
  }

  /** The value of a keyword (JSON Schema 2020-12): a schema, several, or data that is left alone. */
  #keyword(keyword: string, value: JsonValue): JsonValue {
    if (keyword === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
      this.#referenced.add(value);
      return reference(value);
    }
    if (namedSchemas.has(keyword) && isMembers(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#schema(schema)]));
    }
    if (listedSchemas.has(keyword) && isList(value)) return value.map((schema) => this.#schema(schema));
    return singleSchemas.has(keyword) ? this.#schema(value) : value;
  }

  #define(name: string, schema: JsonValue): void {
    if (!/^[\w.-]+$/.test(name))
      throw new Error(`A schema's $id must be of letters, digits, "_", "." and "-": ${name}`);
    const other = this.#components.get(name);
    if (other !== undefined && !Bun.deepEquals(other, schema)) throw new Error(`Two schemas have the $id ${name}.`);
    this.#components.set(name, schema);
  }
}

const reference = (name: string): string => `#/components/schemas/${name}`;

const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const listedSchemas: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singleSchemas: ReadonlySet<string> = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]);

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const isMembers = (value: JsonValue): value is JsonMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
