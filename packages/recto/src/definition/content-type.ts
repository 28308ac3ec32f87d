import type { Role } from '../base/caller.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import type { JsonValue, ValueKind } from '../values/value-kind.ts';
import type { FieldType } from './field-type.ts';
import type { ActiveProtocol } from './protocol.ts';
import type { WrittenDefinition } from './type-draft.ts';

export const endpointNames = ['list', 'get', 'create', 'update', 'delete'] as const;
export type EndpointName = (typeof endpointNames)[number];

export const accessLevels = ['none', 'public', 'member', 'admin'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** One endpoint's options (service specification, section 5.2), rules compiled. */
export interface Endpoint {
  readonly access: AccessLevel;
  readonly filter: Rule | null;
  readonly filterAuth: Rule | null;
  readonly cache: boolean;
  /** The whitelist of fields returned, `id` always among them; null: all that are not private. */
  readonly fields: ReadonlySet<string> | null;
}

/** Where a field's values are. */
export type FieldPlace =
  /** A column of the type's own table. */
  | { readonly shape: 'column'; readonly column: string; readonly kind: ValueKind }
  /** A column that holds the id of one record of `target` (a content type's singular name). */
  | { readonly shape: 'to_one'; readonly column: string; readonly target: string }
  /** Rows of a junction table, in `position` order. */
  | { readonly shape: 'to_many'; readonly junction: string; readonly target: string }
  /** The other side of the target's `mappedBy` field; read only. */
  | { readonly shape: 'mirror'; readonly target: string; readonly mappedBy: string };

/** The columns of every junction table. */
export const junctionColumns = { source: 'source_id', target: 'target_id', position: 'position' } as const;

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
  readonly required: boolean;
  readonly unique: boolean;
  readonly private: boolean;
  /** The roles whose callers may set and change it (403 for others); absent: whoever may write the record. */
  readonly writers?: readonly Role[];
  /** Set at creation, then never changed: an update that changes it is refused (422). */
  readonly immutable: boolean;
  /** Records are often looked for or sorted by it: the database keeps an index. */
  readonly indexed: boolean;
  /** Canonical default in JSON form; undefined: none. */
  readonly default: JsonValue | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** The options of its own type (`max_length`, `enum_values`, …), checked. */
  readonly options: Readonly<FieldOptions>;
}

/** The options that only some field types have, as the definition file spells them. */
export interface FieldOptions {
  readonly max_length?: number;
  readonly min_length?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly enum_values?: readonly string[];
  readonly target_field?: string;
}

/** Which rows reads see of a type, as one of its protocols has it. */
export interface Visibility {
  /** Null: all rows. */
  readonly rule: Rule | null;
  /** Whom all other rows are hidden from. */
  readonly hiddenFrom: 'everyone' | 'public';
  /** The parameter with which admin reads ask for other rows. */
  readonly parameter: VisibilityParameter | undefined;
}

export interface VisibilityParameter {
  readonly name: string;
  readonly description: string;
  /** By the parameter's value; null: all rows. */
  readonly choices: ReadonlyMap<string, Rule | null>;
}

export interface ContentType {
  readonly name: string;
  readonly singular: string;
  /** The singular under which a database that has not followed yet still holds its records. */
  readonly renamedFrom?: string;
  readonly plural: string;
  readonly description: string | undefined;
  readonly kind: 'collection' | 'single';
  /** False: the simple route mode (service specification, section 4.4). */
  readonly restful: boolean;
  readonly table: string;
  /** `id` first, then as declared, then the protocols'. */
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  readonly protocols: readonly ActiveProtocol[];
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  readonly scope: RuleScope;
  /** The column that keeps the records of tenants apart; null: they are everyone's. */
  readonly partition: string | null;
  /** What protocols hide from reads. */
  readonly visible: readonly Visibility[];
  /** Ships with the product and has routes of its own, not the generated ones. */
  readonly builtIn: boolean;
  /** Made through the API, and kept in the database. */
  readonly stored: boolean;
  /** The file it was read from, relative to the definitions folder, or another name of its definition's source. */
  readonly source: string;
  /** The definition that it was made of: plain JSON in the flat layout, with what files add to a type of the product. */
  readonly definition: WrittenDefinition;
}

/** All content types of a service, by singular name. Immutable: a change makes a new one. */
export interface ContentTypes {
  readonly all: readonly ContentType[];
  /** Throws when there is none: only for names that the definition check has resolved. */
  get(singular: string): ContentType;
  find(singular: string): ContentType | undefined;
}
