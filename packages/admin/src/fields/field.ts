import type { Snippet } from 'svelte';
import type { Condition } from '../api/condition.ts';
import type { LabelText } from '../api/reader-text.ts';

/** How a definition writes a field, as `GET /admin/content-types` returns it. */
export interface WrittenField {
  readonly name: string;
  readonly field_type: string;
  readonly required?: boolean;
  readonly private?: boolean;
  readonly immutable?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly label?: LabelText;
  readonly description?: string;
  readonly help?: LabelText;
  readonly placeholder?: LabelText;
  readonly widget?: string;
  readonly max_length?: number;
  readonly min_length?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly enum_values?: readonly string[];
  readonly value_labels?: Readonly<Record<string, LabelText>>;
  readonly target_field?: string;
  readonly multiple?: boolean;
  readonly external?: boolean;
  readonly format?: 'html' | 'markdown';
  readonly sanitize?: boolean;
  readonly relation?: { readonly relation_type: string; readonly target: string; readonly mapped_by?: string };
  readonly min_items?: number;
  readonly max_items?: number;
  readonly fields?: readonly WrittenField[];
  readonly item?: Omit<WrittenField, 'name'>;
  readonly blocks?: readonly WrittenBlock[];
}

/** How a definition writes a kind of block. */
export interface WrittenBlock {
  readonly name: string;
  readonly label?: LabelText;
  readonly description?: string;
  /** The path of a picture of it. */
  readonly image?: string;
  readonly fields?: readonly WrittenField[];
}

/** What the service says of a field of a type, those of protocols included. */
export interface FieldFacts {
  readonly name: string;
  readonly field_type: string;
  readonly origin: 'engine' | 'declared' | 'protocol';
  readonly required: boolean;
  readonly must_be_sent: boolean;
  readonly private: boolean;
  readonly immutable: boolean;
  readonly writable: boolean;
  readonly writers: readonly string[] | null;
  /** Absent or null: it is always shown. */
  readonly show_if?: { readonly condition: Condition; readonly required: boolean } | null;
  readonly target: string | null;
  readonly many: boolean;
}

/** What a form reads of a content type: an entry of `GET /admin/content-types` is one. */
export interface FormType {
  readonly singular: string;
  readonly plural: string;
  readonly name: string;
  readonly kind: 'collection' | 'single';
  /** `built_in`: one of the product's own, whose fields have names in the language of the reader. */
  readonly source?: 'file' | 'api' | 'built_in';
  readonly fields: readonly FieldFacts[];
  readonly definition: {
    readonly fields?: readonly WrittenField[];
    readonly admin?: {
      readonly title_field?: string;
      readonly labels?: Readonly<Record<string, LabelText>>;
      readonly groups?: readonly {
        readonly label: LabelText;
        readonly fields: readonly string[];
        readonly column?: 'main' | 'side';
      }[];
    };
  };
}

/** A field as its component sees it. */
export interface FieldInfo {
  readonly name: string;
  /** The field type of the definition: `text`, `relation`, … */
  readonly type: string;
  readonly label: string;
  readonly help: string | undefined;
  /** What an empty control shows. */
  readonly placeholder?: string | undefined;
  /** A record always has a value. */
  readonly required: boolean;
  /** Somebody has to fill it: the service does not. */
  readonly mustBeFilled: boolean;
  readonly private: boolean;
  readonly immutable: boolean;
  /** Whether a caller may ever set it. */
  readonly writable: boolean;
  /** The options, as the definition writes them; of a protocol's field, none. */
  readonly options: Readonly<Partial<WrittenField>>;
  /** Of a relation: the type that it leads to, by singular or plural, or `users`. */
  readonly target: string | undefined;
  /** Of a relation: it leads to many records. */
  readonly many: boolean;
  /** Of a group or a list of groups. */
  readonly fields: readonly FieldInfo[];
  /** Of a list of values. */
  readonly item: FieldInfo | undefined;
  /** Of blocks. */
  readonly blocks: readonly BlockInfo[];
}

/** A kind of block, with its fields. */
export interface BlockInfo {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly image?: string | undefined;
  readonly fields: readonly FieldInfo[];
}

/** What each component of a field type gets. It reports changes, and knows no other field. */
export interface FieldProps<V = unknown> {
  readonly field: FieldInfo;
  /** Undefined: the record has no value yet; like null, it shows as empty. */
  readonly value: V | null | undefined;
  /** What is wrong with the value, in a sentence. */
  readonly error?: string | undefined;
  readonly label: string;
  readonly help?: string | undefined;
  readonly disabled: boolean;
  /** Also gets `Unreadable`, for text that is no value yet. */
  readonly onchange: (value: unknown) => void;
  readonly onblur?: (() => void) | undefined;
  /** Where the value stands in the record: `body[2].author`. */
  readonly path: string;
}

/** Errors of a record by path, as the service reports them. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The values of a record, by field. */
export type Values = Readonly<Record<string, unknown>>;

/** Typing that controls show already, and that is reported a little later. */
export interface FormTyping {
  /** `report` calls `onchange`. Of several for one path before a frame, the last one is called. */
  add(path: string, report: () => void): void;
  /** For a control that reports by itself later: `report` is called where it is settled before. Returns what says that it has reported. */
  hold(report: () => void): () => void;
  /** Reports it now. */
  settle(): void;
}

/** Takes back what was done to the fields of a form, whichever of them it was. Its members are reactive. */
export interface FormHistory {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  undo(): void;
  redo(): void;
  /** What comes next is a step of its own. */
  close(): void;
}

/** The language that a form is written in, where some fields have a value for each. */
export interface FormLanguage {
  /** A BCP 47 tag: `de`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The fields with a value for each language. */
  readonly localized: ReadonlySet<string>;
}

/** What a form gets. */
/** What people have written about the fields of a form. */
export interface FormNotes {
  /** How many open notes there are about the field at a path. Reactive. */
  countAt(path: string): number;
  /** Shows them. */
  show(path: string): void;
}

export interface FormProps {
  readonly type: FormType;
  readonly values: Values;
  /** By path, as the service reports them. The summary takes the focus when another object of errors arrives. */
  readonly errors?: FieldErrors;
  readonly disabled?: boolean;
  /** The record that is edited; undefined: a new one, whose immutable fields can be set. */
  readonly recordId?: string | undefined;
  readonly onchange: (name: string, value: unknown) => void;
  /** Lets fields report typing after the frame that shows it. Default: at once. */
  readonly typing?: FormTyping | undefined;
  /** One for all fields. Default: each has that of the browser. */
  readonly history?: FormHistory | undefined;
  /** Its title and texts are laid out for writing: large, without boxes, in a column of a readable width. */
  readonly isWriting?: boolean;
  /** Shows only the groups of one column; both forms then have the same `id`, and one of them has the summary. */
  readonly column?: 'main' | 'side' | undefined;
  readonly summary?: boolean;
  /** Begins the ids of the controls. */
  readonly id?: string;
  /** Fields that stand elsewhere. */
  readonly omit?: readonly string[];
  readonly language?: FormLanguage | undefined;
  /** Marks the fields that people have written about. */
  readonly noted?: FormNotes | undefined;
  /** What stands around each field. */
  readonly around?: Snippet<[field: FieldInfo, control: Snippet]> | undefined;
}
