import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { FieldFault } from '../base/problem.ts';
import { schemaFaults } from './schema-faults.ts';

// The library reports 8 errors unless told otherwise, and a caller is told every fault at once. A bound is kept all the
// same, so that an array of a hundred thousand bad items does not make an answer larger than the request.
Settings.Set({ maxErrors: 256 });

/** A JSON Schema as a check to run on values. Compiled when it is first asked, because a service has more schemas than it uses. */
export class CompiledSchema {
  readonly #schema: TSchema;
  #validator: Validator | undefined;

  constructor(schema: TSchema) {
    this.#schema = schema;
  }

  /** One for each schema object, for what many share. */
  static of(schema: TSchema): CompiledSchema {
    const known = shared.get(schema);
    if (known !== undefined) return known;
    const made = new CompiledSchema(schema);
    shared.set(schema, made);
    return made;
  }

  /** All that is wrong with a JSON value, at most one fault for each field; empty when the schema accepts it. */
  faults(value: unknown): readonly FieldFault[] {
    this.#validator ??= Compile(this.#schema);
    return this.#validator.Check(value) ? noFaults : schemaFaults(this.#validator.Errors(value)[1], value);
  }
}

const shared = new WeakMap<TSchema, CompiledSchema>();

const noFaults: readonly FieldFault[] = [];
