import Type, { type TSchema } from 'typebox';
import { absentIfEmpty } from '../../definition/empty-parameters.ts';
import { keyPattern } from '../idempotency/idempotency-key.ts';
import type { Operation } from '../operation.ts';
import type { JsonMembers, OpenApiSchemas } from './openapi-schemas.ts';

/**
 * The parameters of a document. One whose schema has the keyword `component` is written once, under that name into
 * `components.parameters`, and referenced everywhere else.
 */
export class OpenApiParameters {
  readonly #schemas: OpenApiSchemas;
  readonly #components = new Map<string, JsonMembers>();

  constructor(schemas: OpenApiSchemas) {
    this.#schemas = schemas;
  }

  /** The parameters of an operation, of its path first, then of its query and its headers. */
  of(operation: Operation): readonly JsonMembers[] {
    const { path, params, query } = operation;
    const names = [...path.matchAll(/\{([^}]*)\}/g)].flatMap(([, name]) => name ?? []);
    const required: readonly string[] = query?.schema.required ?? [];
    return [
      ...names.map((name) => this.#parameter('path', name, true, params?.[name] ?? Type.String())),
      ...Object.entries(query?.schema.properties ?? {}).map(([name, schema]) =>
        this.#parameter('query', name, required.includes(name), schema),
      ),
      ...Object.entries(headersOf(operation)).map(([name, schema]) => this.#parameter('header', name, false, schema)),
    ];
  }

  /** All parameters that have a name of their own. */
  components(): JsonMembers {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #parameter(place: string, name: string, required: boolean, declared: TSchema): JsonMembers {
    // A schema is an object of keywords.
    const { component, description, ...schema } = declared as TSchema & Readonly<Record<string, unknown>>;
    const parameter = {
      name,
      in: place,
      required,
      ...(typeof description === 'string' ? { description } : {}),
      ...serialization(schema),
      ...(place === 'query' && absentIfEmpty.has(name) ? { allowEmptyValue: true } : {}),
      schema: this.#schemas.use(schema),
    };
    return typeof component === 'string' ? this.#shared(component, parameter) : parameter;
  }

  #shared(component: string, parameter: JsonMembers): JsonMembers {
    const other = this.#components.get(component);
    if (other !== undefined && !Bun.deepEquals(other, parameter)) {
      throw new Error(`Two parameters are the component ${component}.`);
    }
    this.#components.set(component, parameter);
    return { $ref: `#/components/parameters/${component}` };
  }
}

/** Lists are separated by commas. The members of an object are parameters of their own. */
function serialization(schema: Readonly<Record<string, unknown>>): JsonMembers {
  if (schema.type === 'array') return { style: 'form', explode: false };
  return schema.type === 'object' ? { style: 'form', explode: true } : {};
}

const headersOf = ({ headers, once, responses }: Operation): Readonly<Record<string, TSchema>> => ({
  ...headers,
  ...(once === true ? { 'Idempotency-Key': keySchema } : {}),
  ...(responses[304] === undefined ? {} : { 'If-None-Match': tagSchema }),
});

const keySchema = Type.String({
  component: 'IdempotencyKey',
  pattern: keyPattern,
  description:
    'A request that is sent again with the same key within 24 hours is done once and gets the same answer, so that a client can repeat a request whose answer was lost. Without an access token, the key must be a random UUID.',
});

const tagSchema = Type.String({
  component: 'IfNoneMatch',
  description: 'Entity tags of the answers that the client has. If one of them is current, the answer is 304.',
});
