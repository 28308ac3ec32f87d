import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type FieldFault, mostErrors } from '../base/problem.ts';
import { schemaFaults } from './schema-faults.ts';
import { type UniqueItems, uniqueItemsOf } from './unique-items.ts';

// The library reports 8 errors by default; a caller gets every error at once, up to `mostErrors`. The check looks for a few more,
// so that the response can say that there are more. Without a bound, an array of a hundred thousand bad items takes a second and 400 MB.
Settings.Set({ maxErrors: 4 * mostErrors });

/** A JSON Schema validator. Compiled on first use, because a service has more schemas than it uses. */
export class CompiledSchema {
  readonly #schema: TSchema;
  #made: { readonly validator: Validator; readonly unique: UniqueItems | null } | undefined;

  constructor(schema: TSchema) {
    this.#schema = schema;
  }

  /** Returns the same instance for the same schema object. */
  static of(schema: TSchema): CompiledSchema {
    const known = shared.get(schema);
    if (known !== undefined) return known;
    const made = new CompiledSchema(schema);
    shared.set(schema, made);
    return made;
  }

  /** All errors in a JSON value, at most one for each field; empty when it is valid. */
  faults(value: unknown): readonly FieldFault[] {
    this.#made ??= this.#make();
    const { validator, unique } = this.#made;
    const faults = validator.Check(value) ? noFaults : schemaFaults(validator.Errors(value)[1], value);
    const repeated = unique?.repeated(value) ?? noFaults;
    if (repeated.length === 0) return faults;
    const known = new Set(faults.map(({ field }) => field));
    return [...faults, ...repeated.filter(({ field }) => !known.has(field))];
  }

  #make(): { readonly validator: Validator; readonly unique: UniqueItems | null } {
    const unique = uniqueItemsOf(this.#schema);
    return { validator: Compile(unique?.rest ?? this.#schema), unique };
  }
}

const shared = new WeakMap<TSchema, CompiledSchema>();

const noFaults: readonly FieldFault[] = [];
