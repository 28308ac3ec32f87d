import type { Role } from '../base/caller.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import type { FieldCondition } from '../definition/field-condition.ts';
import { mustBeSent } from '../definition/must-be-sent.ts';
import { targetName } from '../definition/profile/profile-type.ts';
import { etagOf } from '../records/answers/answer.ts';
import { type ConditionJson, conditionJson } from '../rules/condition-json.ts';
import type { StoredDefinition } from './stored-definition.ts';

export const typeSources = ['file', 'api', 'built_in'] as const;
export type TypeSource = (typeof typeSources)[number];

/** A content type as the API returns it. */
export interface TypeEntry {
  readonly singular: string;
  readonly plural: string;
  readonly name: string;
  readonly kind: ContentType['kind'];
  readonly source: TypeSource;
  /** The file that defines it or adds fields to it, relative to the folder of definitions. */
  readonly file: string | null;
  /** For a type created through the API; null for all others, like the members below. */
  readonly revision: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  /** Exported as a file; cannot be changed until the file is in place. */
  readonly handed_over: boolean;
  /** All fields, in the order of records. */
  readonly fields: readonly FieldEntry[];
  readonly definition: ContentType['definition'];
}

/** A field of a type, with those of its protocols. */
export interface FieldEntry {
  readonly name: string;
  readonly field_type: string;
  /** `engine` fields every record has; others come from the definition or from a protocol. */
  readonly origin: Field['origin'];
  readonly required: boolean;
  /** A payload that makes a record must have it: required, and filled neither with a default nor with a slug. */
  readonly must_be_sent: boolean;
  readonly unique: boolean;
  readonly private: boolean;
  readonly immutable: boolean;
  /** Whether a payload may set it. */
  readonly writable: boolean;
  /** The roles that may set it; null: whoever may write the record. */
  readonly writers: readonly Role[] | null;
  /** On what it depends whether a form shows it, and whether it must have a value then; null: it is always shown. */
  readonly show_if: { readonly condition: ConditionJson; readonly required: boolean } | null;
  /** Of a relation: the singular of the type that it leads to, or `users`, and whether it leads to many. */
  readonly target: string | null;
  readonly many: boolean;
}

const fieldEntry = (field: Field, { conditions }: ContentType): FieldEntry => ({
  name: field.name,
  field_type: field.type.name,
  origin: field.origin,
  required: field.required,
  must_be_sent: field.writable && mustBeSent(field),
  unique: field.unique || field.type.alwaysUnique,
  private: field.private,
  immutable: field.immutable,
  writable: field.writable,
  writers: field.writers ?? null,
  show_if: shownIf(conditions.find((condition) => condition.field === field)),
  target: field.place.shape === 'column' ? null : targetName(field.place.target),
  many: field.place.shape === 'to_many' || field.place.shape === 'inverse',
});

const shownIf = (condition: FieldCondition | undefined): FieldEntry['show_if'] =>
  condition === undefined ? null : { condition: conditionJson(condition.rule), required: condition.required };

/** What a caller of the admin routes may do with a type. */
export interface TypeRights {
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  /** Change or delete the type itself. */
  readonly define: boolean;
}

/** A type as editors see it: without its rules, and without who changed it and when. */
export const entryForEditors = ({ definition, ...entry }: TypeEntry): TypeEntry => {
  const { api: _, ...shown } = definition;
  return { ...entry, revision: null, created_at: null, updated_at: null, updated_by: null, definition: shown };
};

export const rightsOf = ({ kind, source, handed_over }: TypeEntry, isAdmin: boolean): TypeRights => ({
  create: kind === 'collection',
  update: true,
  delete: kind === 'collection',
  define: isAdmin && source === 'api' && !handed_over,
});

export function typeEntry(type: ContentType, stored: StoredDefinition | undefined): TypeEntry {
  const { singular, plural, name, kind, definition } = type;
  const own = type.stored ? stored : undefined;
  return {
    ...{ singular, plural, name, kind },
    source: sourceOf(type),
    file: fileOf(type),
    revision: own?.revision ?? null,
    created_at: own?.createdAt ?? null,
    updated_at: own?.updatedAt ?? null,
    updated_by: own?.author ?? null,
    handed_over: own !== undefined && own.keeper !== 'api',
    fields: type.fields.map((field) => fieldEntry(field, type)),
    definition,
  };
}

export const sourceOf = ({ stored, builtIn }: ContentType): TypeSource =>
  stored ? 'api' : builtIn ? 'built_in' : 'file';

/** The product's own definitions are not files. */
const fileOf = ({ stored, source }: ContentType): string | null =>
  stored || source.endsWith(' (built in)') ? null : source;

/** Equal entries, equal tags (RFC 9110, section 8.8.3). */
export const entryTag = (entry: TypeEntry): string => etagOf(JSON.stringify(entry));
