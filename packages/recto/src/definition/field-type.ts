import type { TSchema } from 'typebox';
import type { Role } from '../base/caller.ts';
import type { FieldFault } from '../base/problem.ts';
import type { ValueDomain } from '../rules/value-domain.ts';
import type { JsonValue, Scalar, ValueKind } from '../values/value-kind.ts';
import type { BlockDefinition, FieldDefinition, InsideDefinition, ItemDefinition } from './definition-file.ts';

/** A value as a record holds it in memory: a scalar in canonical form, any JSON for kind `json`, ids for relations to many. */
export type FieldValue = Scalar | JsonValue;

export type ParsedValue =
  | { readonly ok: true; readonly value: FieldValue }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** What is wrong within the value, by paths from it: `title`, `[2].author`. Absent: the value as a whole is wrong. */
      readonly inside?: readonly FieldFault[];
    };

/** How a value is sent. */
export interface Sending {
  /** The sender is not shown private fields: where one is left out inside the value, `Field.structure` keeps what is stored. */
  readonly keepsPrivate: boolean;
  /** Whether the sender knows no private field inside the value, so that such a name is no name. Absent: no. */
  readonly knowsNoPrivate?: boolean;
}

/** The JSON Schema of a field inside another; undefined where it is not shown. */
export type MemberSchema = (inner: Field) => TSchema | undefined;

/** How values of a field are made of fields inside it. */
export interface Structure {
  /** Whether a value is an array of items; otherwise it is one. */
  readonly many: boolean;
  /** Whether items name their part, as `block`, and have an `id`. */
  readonly tagged: boolean;
  readonly minItems: number;
  readonly maxItems: number;
  /** What an item can be: one part, or where items are tagged one of several. */
  readonly parts: readonly Part[];
}

/** What an item is made of. */
export interface Part {
  /** What `block` says; null where there is one part. */
  readonly name: string | null;
  /** The name under which a database that has not followed yet still holds its items. */
  readonly renamedFrom?: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** Of an item that is an object. */
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  /** Of an item that is itself the value of a field, which has no name. */
  readonly item: Field | null;
}

/** What a definition writes of the fields inside a field. */
export type StructureDefinition = InsideDefinition & Pick<FieldOptions, 'min_items' | 'max_items'>;

/** Resolves what stands inside a field's definition. Errors are reported, and what has one is left out. */
export interface InsideResolver {
  fields(
    path: string,
    written: readonly (FieldDefinition | undefined)[],
    reserved?: readonly string[],
  ): readonly Field[];
  item(path: string, written: ItemDefinition): Field | undefined;
  blocks(path: string, written: readonly (BlockDefinition | undefined)[]): readonly Part[];
  report(path: string, message: string, remedy: string): void;
}

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
  /** Errors of the options that a schema cannot see (min over max, a pattern that is no expression …); empty when fine. */
  checkOptions(options: FieldOptions): readonly { readonly option: string; readonly message: string }[];
  /** JSON Schema of what a caller may send for it (without null). Used to validate and to document. */
  input(field: Field): TSchema;
  /** The same in the OpenAPI document, where that can say more of what `parse` checks than `input` does. */
  documentedInput?(field: Field, member?: MemberSchema): TSchema;
  /** JSON Schema of the value in a returned record (without null); `member` makes that of a field inside it. */
  output(field: Field, member?: MemberSchema): TSchema;
  /** A sent value that `input` has accepted, in canonical form, or what is wrong with it beyond the schema. */
  parse(value: JsonValue, field: Field, sending?: Sending): ParsedValue;
  /** What a definition may write inside a field of this type. */
  readonly inside?: readonly (keyof InsideDefinition)[];
  /** The fields inside a field of this type. */
  structure?(written: StructureDefinition, resolve: InsideResolver): Structure | undefined;
  /** Its values are the ids of other records: `relation` of the definition says of which, and how many. */
  readonly relates: boolean;
  /** Whether a slug can be derived from a value (`target_field`). */
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
  /** A filter by an element finds those that have its key among theirs; absent: only the very same text. */
  readonly filteredBy?: { key(text: string): string; keys(element: string): readonly string[] };
  readonly sortable: boolean;
  /** Whether a field may hold a value for each language (`localized`). */
  readonly localizable: boolean;
  /** Never shown to anyone, not even an admin. */
  readonly secret: boolean;
  /** Whether versions of a record are without it, because it is no content. */
  readonly unversioned?: true;
  /** Whether it always has a unique index (`uid`). */
  readonly alwaysUnique: boolean;
  /** How an export writes a stored value and an import takes it back, where callers send something else (a hash for a password). */
  readonly restored?: { readonly input: TSchema; parse(value: JsonValue): ParsedValue };
  /** The built-in type whose records its values name, where the service has that type; absent: they are only values. */
  readonly refersTo?: string;
  /** It is shown as an object of texts, each put together from its parts; the object is empty where the column is null. */
  readonly members?: readonly ShownMember[];
  /** Whether `parse` may rewrite a value that is fine as it is stored: changes of definitions keep such values. */
  readonly rewrites?: true;
  /** Work on the value before the transaction that stores it (hashing a password). */
  prepare?(value: FieldValue): Promise<FieldValue>;
}

/** A text of an answer that is put together from fixed text and columns of the record. */
export interface ShownMember {
  readonly name: string;
  readonly parts: readonly (string | { readonly column: string })[];
}

/** What sets a field of files apart from a relation. */
export interface MediaPlace {
  /** The fields of a file that are shown in place of its id. */
  readonly shows: readonly string[];
  /** Whether it may also hold the address of a file elsewhere. */
  readonly external: boolean;
}

/** Where a field's values are. */
export type FieldPlace =
  /** A column of the type's own table. */
  | { readonly shape: 'column'; readonly column: string; readonly kind: ValueKind }
  /** A column that holds the id of one record of `target` (a content type's singular name). */
  | { readonly shape: 'to_one'; readonly column: string; readonly target: string; readonly media?: MediaPlace }
  /** Rows of a junction table, in `position` order. */
  | { readonly shape: 'to_many'; readonly junction: string; readonly target: string; readonly media?: MediaPlace }
  /** The other side of the target's `mappedBy` field; read only. */
  | { readonly shape: 'inverse'; readonly target: string; readonly mappedBy: string };

/**
 * A field as the definition resolved it. `engine` fields (`id`, a protocol's columns) are kept by the service:
 * ignored when a caller sends them, unless `writable`.
 */
export interface Field {
  readonly name: string;
  /** The name under which a database that has not followed yet still holds its values. */
  readonly renamedFrom?: string;
  readonly type: FieldType;
  readonly place: FieldPlace;
  readonly origin: 'engine' | 'declared' | 'protocol';
  /** Whether a caller's payload may set it. */
  readonly writable: boolean;
  /** The service computes it from what only it knows, so an import does not set it either. Absent: a record that is put back brings it. */
  readonly computed?: true;
  readonly required: boolean;
  /** Where people edit, it is shown if the rule `source` holds; `required`: it must have a value then. Absent: always. */
  readonly showIf?: { readonly source: string; readonly required: boolean };
  readonly unique: boolean;
  readonly private: boolean;
  /** A relation to one: the record belongs to the one that it leads to, and is deleted with it. */
  readonly cascades?: true;
  /** The roles whose callers may set and change it (403 for others); absent: whoever may write the record. */
  readonly writers?: readonly Role[];
  /** Set at creation, then never changed: an update that changes it is rejected (422). */
  readonly immutable: boolean;
  /** Records are often looked for or sorted by it: the database keeps an index. */
  readonly indexed: boolean;
  /** Each language has a value of its own. False in a service with one language, whatever the definition says. */
  readonly localized: boolean;
  /** Canonical default in JSON form; undefined: none. */
  readonly default: JsonValue | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** `include` by this name adds the record of `target` whose id the field holds, beside the id; absent: it holds no such id. */
  readonly includedAs?: { readonly name: string; readonly target: string };
  /** A relation to many: another list parameter filters by the id or the `slug` field of a related record, where no field has that name. */
  readonly filteredAs?: { readonly name: string; readonly slug: string };
  /** The options of its own type (`max_length`, `enum_values`, …), checked. */
  readonly options: Readonly<FieldOptions>;
  /** The fields inside it. Their places are members of its value. */
  readonly structure?: Structure;
}

/** Whether a field holds files of the service. */
export const isFileField = ({ place }: Field): boolean =>
  (place.shape === 'to_one' || place.shape === 'to_many') && place.media !== undefined;

/** The options that only some field types have, as the definition file spells them. */
export interface FieldOptions {
  readonly max_length?: number;
  readonly min_length?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly enum_values?: readonly string[];
  readonly target_field?: string;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly multiple?: boolean;
  readonly external?: boolean;
  readonly format?: 'html' | 'markdown';
  readonly sanitize?: boolean;
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
    localizable: false,
    secret: false,
    alwaysUnique: false,
    ...type,
  };
}
