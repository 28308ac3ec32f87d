import type { TObject, TSchema } from 'typebox';
import { badRequest } from '../base/problem.ts';
import { absentIfEmpty } from '../definition/empty-parameters.ts';
import { invalidParameter, readBoolean, readPageSize, readParameters, shownName } from '../query/query-text.ts';
import { CompiledSchema } from '../values/compiled-schema.ts';

export type QueryValue = string | number | boolean;
export type QueryValues = Readonly<Record<string, QueryValue>>;

/** Reads the query parameters that a schema declares; everything else is 400. The schema's properties are strings, numbers, integers, booleans, or enums of strings. */
export class QueryReader {
  readonly #parameters: ReadonlyMap<string, Parameter>;
  readonly #defaults: QueryValues;
  readonly #required: readonly string[];

  constructor(schema: TObject) {
    const properties = Object.entries(schema.properties);
    this.#parameters = new Map(properties.map(([name, property]) => [name, compileParameter(property)]));
    this.#defaults = Object.freeze(
      Object.fromEntries(properties.flatMap(([name, property]) => defaultOf(name, property))),
    );
    this.#required = schema.required ?? [];
  }

  /** The values of a raw query string (without `?`), defaults filled in; 400 for a parameter that is unknown, doubled, missing or malformed. */
  read(search: string): QueryValues {
    if (search === '' && this.#required.length === 0) return this.#defaults;
    const sent = new Map([...readParameters(search)].filter(([name, text]) => !this.#isAbsent(name, text)));
    const values = [...sent].map(([name, text]) => [name, this.#value(name, text)] as const);
    for (const name of this.#required) {
      if (!sent.has(name)) throw badRequest('missing_parameter', `The parameter "${name}" is required.`);
    }
    return { ...this.#defaults, ...Object.fromEntries(values) };
  }

  #isAbsent(name: string, text: string): boolean {
    return text === '' && absentIfEmpty.has(name) && this.#parameters.has(name);
  }

  #value(name: string, text: string): QueryValue {
    const parameter = this.#parameters.get(name);
    if (parameter === undefined) throw unknownParameter(name, [...this.#parameters.keys()]);
    const value = name === 'page_size' ? readPageSize(name, text) : converters[parameter.type](name, text);
    const [fault] = parameter.schema.faults(value);
    if (fault !== undefined)
      throw badRequest('invalid_parameter', `The parameter "${name}" ${lowerFirst(fault.message)}`);
    return value;
  }
}

/** 400 for every parameter, on an operation that takes none. */
export function rejectParameters(search: string): void {
  for (const name of readParameters(search).keys()) throw unknownParameter(name, []);
}

interface Parameter {
  readonly type: ParameterType;
  readonly schema: CompiledSchema;
}

type ParameterType = 'string' | 'integer' | 'number' | 'boolean';

function compileParameter(schema: TSchema): Parameter {
  const type = 'type' in schema ? schema.type : 'string';
  return {
    type: type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string',
    schema: new CompiledSchema(schema),
  };
}

function defaultOf(name: string, schema: TSchema): readonly (readonly [string, QueryValue])[] {
  const value = 'default' in schema ? schema.default : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [];
}

const converters = {
  string: (_name, text) => text,
  integer: (name, text) => {
    if (!/^-?\d{1,15}$/.test(text)) throw invalidParameter(name, 'a whole number');
    return Number(text);
  },
  number: (name, text) => {
    if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) throw invalidParameter(name, 'a number');
    return Number(text);
  },
  boolean: readBoolean,
} satisfies Record<ParameterType, (name: string, text: string) => QueryValue>;

function unknownParameter(name: string, known: readonly string[]) {
  const rest = known.length === 0 ? 'none are taken' : `known are ${known.join(', ')}`;
  return badRequest('unknown_parameter', `There is no parameter "${shownName(name)}" here; ${rest}.`);
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
