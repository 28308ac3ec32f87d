import type { RecordAction } from './type-rights.ts';

/** A role of a deployment, read from `roles/*.toml` or from the API, and checked for its form. `compileRole` makes rights of it. */
export interface RoleDefinition {
  /** `^[a-z][a-z0-9_-]*$`; none of the built-in names. */
  readonly name: string;
  /** What people are shown instead of the name; absent: the name. */
  readonly label?: string;
  readonly description?: string;
  /** What a right that is not written is: nothing (`member`), or what an editor has (`editor`). */
  readonly base: 'member' | 'editor';
  /**
   * By the singular name of a content type, or `*`. A type with an entry of its own does not look at `*`: entries are not merged.
   * A type without either has the rights of `base`.
   */
  readonly types: ReadonlyMap<string, TypeRules>;
  readonly may: RoleMay;
  /** The file, relative to its folder, or the name of another source. */
  readonly source: string;
}

/** The rights to one content type, as written. What is absent follows `base`. */
export type TypeRules = Readonly<Partial<Record<RecordAction, boolean | string>>> & {
  /** Absent: with `base = "editor"` all fields, with `"member"` all that are not private. */
  readonly read?: FieldNames;
  /** Absent: all that it reads. A field that is not read cannot be written. */
  readonly write?: FieldNames;
};

/** Names of fields. With `except`, the base's fields without these; private fields are read by `member` only if `only` names them. */
export type FieldNames = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** Rights that belong to no content type. What is absent follows `base`. */
export interface RoleMay {
  /** `own`: uploads, and the files of one's own. Default: `none` (member), `all` (editor). */
  readonly media?: 'none' | 'own' | 'all';
  /** Default: `none` (member), `moderate` (editor). */
  readonly comments?: 'none' | 'moderate';
  readonly releases?: boolean;
  /** Accounts of roles that are not above this one. Default: false. */
  readonly users?: boolean;
  /** Default: false. */
  readonly import?: boolean;
  /** The audit log of content types. Default: false (member), true (editor). */
  readonly events?: boolean;
}

/** What is wrong with a role's definition. */
export interface RoleFault {
  /** Where in the definition, such as `types.article.update`. */
  readonly path: string;
  /** A sentence that says what is wrong, and how to correct it. */
  readonly message: string;
}
