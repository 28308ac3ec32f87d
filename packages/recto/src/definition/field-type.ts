import type { TSchema } from 'typebox';
import type { ValueDomain } from '../rules/value-domain.ts';
import type { JsonValue, Scalar, ValueKind } from '../values/value-kind.ts';
import type { Field, FieldOptions } from './content-type.ts';

/** A value as a record holds it in memory: a scalar in canonical form, any JSON for kind `json`, ids for relations to many. */
export type FieldValue = Scalar | JsonValue;

export type ParsedValue =
  | { readonly ok: true; readonly value: FieldValue }
  | { readonly ok: false; readonly code: string; readonly message: string };

/**
 * All that there is to know of a field type, in one object. Adding one is a new file and a line in `fields/index.ts`.
 * `null` never reaches `parse`: whether a field may be empty is `required`, the same for all types.
 */
export interface FieldType {
  /** What a definition's `field_type` says, of those that are in the registry. */
  readonly name: string;
  /** How it is stored, compared and sorted. For `relation` this is `text` (an id). */
  readonly kind: ValueKind;
  /** Which of the special options a definition may give it. */
  readonly options: readonly (keyof FieldOptions)[];
  /** The characters that a text of the type has at most where no `max_length` says so; absent: as many as there are. */
  readonly longest?: number;
  /** Faults of the options that a schema cannot see (min over max, a pattern that is no expression …); empty when fine. */
  checkOptions(options: FieldOptions): readonly { readonly option: string; readonly message: string }[];
  /** JSON Schema of what a caller may send for it (without null). Used to validate and to document. */
  input(field: Field): TSchema;
  /** The same in the OpenAPI document, where that can say more of what `parse` checks than `input` does. */
  documentedInput?(field: Field): TSchema;
  /** JSON Schema of what a record tells (without null). */
  output(field: Field): TSchema;
  /** A sent value that `input` has accepted, in canonical form, or what is wrong with it beyond the schema. */
  parse(value: JsonValue, field: Field): ParsedValue;
  /** Its values are the ids of other records: `relation` of the definition says of which, and how many. */
  readonly relates: boolean;
  /** Whether a slug can be made of a value (`target_field`). */
  readonly slugSource: boolean;
  /** Whether its words are found by `search`. */
  readonly searchable: boolean;
  /** Whether lists may filter by it (`{field}=`). */
  readonly filterable: boolean;
  /** The values of a type that does not hold every text: what rules and lists can compare its fields with. */
  domain?(field: Field): ValueDomain;
  /** Another name of the list parameter that filters by it, where no field has that name. */
  readonly filterAlias?: string;
  /** A JSON array of strings that lists are filtered by one element of. */
  readonly filteredByElement: boolean;
  readonly sortable: boolean;
  /** Never told to anyone, not even an admin. */
  readonly secret: boolean;
  /** Whether versions of a record are without it, because it is no content. */
  readonly unversioned?: true;
  /** Whether it always has a unique index (`uid`). */
  readonly alwaysUnique: boolean;
  /** How an export tells a stored value and an import takes it back, where callers send something else (a hash for a password). */
  readonly restored?: { readonly input: TSchema; parse(value: JsonValue): ParsedValue };
  /** Work on the value before the transaction that stores it (hashing a password). */
  prepare?(value: FieldValue): Promise<FieldValue>;
}

/** Gives a field type object its type; what most types share is filled in. */
export function defineFieldType<const Name extends string>(
  type: Pick<FieldType, 'kind' | 'input'> & Partial<FieldType> & { readonly name: Name },
): FieldType & { readonly name: Name } {
  return {
    options: [],
    checkOptions: () => [],
    output: type.input,
    parse: (value) => ({ ok: true, value }),
    relates: false,
    slugSource: false,
    searchable: false,
    filterable: true,
    filteredByElement: false,
    sortable: true,
    secret: false,
    alwaysUnique: false,
    ...type,
  };
}
