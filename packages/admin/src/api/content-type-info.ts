import type { Condition } from './condition.ts';
import type { LabelText } from './reader-text.ts';

/** A content type as `GET /admin/content-types` returns it. */
export interface ContentTypeInfo {
  readonly singular: string;
  readonly plural: string;
  /** As people call one record: "Article". */
  readonly name: string;
  /** What a list of its records is called, where the definition says it. Not from the service. */
  readonly pluralName?: string | undefined;
  readonly kind: 'collection' | 'single';
  readonly source: 'file' | 'api' | 'built_in';
  /** The file that defines it. */
  readonly file: string | null;
  readonly revision: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly handed_over: boolean;
  /** All fields of a record, those of protocols too. */
  readonly fields: readonly FieldEntry[];
  /** The tags of the languages of the content, the default first; absent: there is one. */
  readonly languages?: readonly string[];
  /** Each language of a record has a status of its own; absent: they share one. */
  readonly status_by_language?: boolean;
  /** Those of them that this account writes in; absent: all. */
  readonly writesIn?: readonly string[] | undefined;
  readonly definition: Definition;
  /** What this account may do, with records by the admin routes. */
  readonly may: {
    readonly create: boolean;
    readonly update: boolean;
    readonly delete: boolean;
    /** Change or delete the type itself. */
    readonly define: boolean;
    /** Any change into or out of the published state. Absent: yes. */
    readonly publish?: boolean;
  };
}

/** A field as the service serves it. Its options are in the definition, by the same name. */
export interface FieldEntry {
  readonly name: string;
  readonly field_type: string;
  /** `engine`: every record has it; `protocol`: it comes with a protocol of the type. */
  readonly origin: 'engine' | 'declared' | 'protocol';
  /** A record always has a value. */
  readonly required: boolean;
  /** A new record must be sent with it: the service does not fill it. */
  readonly must_be_sent: boolean;
  readonly unique: boolean;
  readonly private: boolean;
  readonly immutable: boolean;
  /** A payload may set it. */
  readonly writable: boolean;
  /** The roles that may set it; null: whoever may write the record. */
  readonly writers: readonly string[] | null;
  /** A form shows it if the condition holds; `required`: it must have a value then. Absent or null: always. */
  readonly show_if?: { readonly condition: Condition; readonly required: boolean } | null;
  /** Of a relation: the singular of the type that it leads to, or `users`. */
  readonly target: string | null;
  readonly many: boolean;
}

/** A definition as its file has it. */
export interface Definition {
  readonly singular: string;
  readonly plural: string;
  readonly name?: string;
  readonly description?: string;
  readonly protocols?: readonly string[];
  readonly fields?: readonly FieldDefinition[];
  readonly admin?: AdminHints;
  readonly [member: string]: unknown;
}

export interface FieldDefinition {
  readonly name: string;
  readonly field_type: string;
  readonly label?: LabelText;
  readonly description?: string;
  /** Options of the field type: `max_length`, `enum_values`, `fields` … */
  readonly [option: string]: unknown;
}

/** `[admin]` of a definition. */
export interface AdminHints {
  readonly label?: LabelText;
  readonly plural_label?: LabelText;
  readonly title_field?: string;
  readonly list_columns?: readonly string[];
  readonly groups?: readonly {
    readonly label: LabelText;
    readonly fields: readonly string[];
    readonly column?: 'main' | 'side';
  }[];
  readonly preview_url?: string;
  readonly page_url?: string;
  readonly icon?: string;
  readonly color?: string;
  /** The heading of the navigation that it is below. */
  readonly section?: LabelText;
  /** What people read for fields that the definition does not declare, by name. */
  readonly labels?: Readonly<Record<string, LabelText>>;
  readonly hidden?: boolean;
  readonly [hint: string]: unknown;
}
