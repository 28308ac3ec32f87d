import type { ScalarKind } from '../values/value-kind.ts';
import type { HeldValues } from './held-values.ts';

/** What a rule's names mean: the fields of one content type. Made by `definition/`; `rules/` knows nothing else of content types. */
export interface RuleScope {
  /** The content type's singular name, for messages and for `reads.types`. */
  readonly type: string;
  /** The table that holds its records. */
  readonly table: string;
  field(name: string): RuleField | undefined;
  readonly fieldNames: readonly string[];
  /** The names that `@request.auth.role` can have; absent: those of the roles that are built in. */
  readonly roles?: readonly string[];
  /** The tags that `@request.language` can be, the default first; absent: the service has no languages. */
  readonly languages?: readonly string[];
}

/** What is known of a JSON value that is no scalar. */
export interface JsonContent {
  /** What a name in it means, where only some can be named. */
  readonly inner?: (name: string) => JsonMember;
  /** Of a list: what each of its items is. */
  readonly items?: JsonMember;
}

/** A member of a JSON value. */
export type JsonMember =
  /** One that compares as its kind. */
  | { readonly member: 'scalar'; readonly kind: 'text' | 'float' | 'boolean'; readonly held?: HeldValues }
  | ({ readonly member: 'json' } & JsonContent)
  /** One that no rule may read, with the reason. */
  | { readonly member: 'unusable'; readonly reason: string };

/**
 * What `@request.body.NAME` can read: nothing where requests have no body, the fields of the type where the body is a payload.
 * Any other name would always be null.
 */
export type RuleBody = 'any' | 'payload' | 'none';

/** What a rule is checked against. */
export interface Checking {
  readonly source: string;
  readonly scope: RuleScope;
  readonly body: RuleBody;
}

export type RuleField =
  /** A column that compares as its kind. */
  | { readonly shape: 'scalar'; readonly kind: ScalarKind; readonly column: string; readonly held?: HeldValues }
  /** A JSON column: `field.path` reads into it, whole it only knows `= null`, `:isset`, `:length`. */
  | ({ readonly shape: 'json'; readonly column: string } & JsonContent)
  /** A relation to one record: compares as the id (text), `field.name` goes on in the target. */
  | { readonly shape: 'to_one'; readonly column: string; readonly target: () => RuleScope; readonly held?: HeldValues }
  /** A relation to many: only `:isset` and `:length`. The related rows are those of `table` whose `column` is the record's id. */
  | {
      readonly shape: 'to_many';
      readonly type: string;
      readonly table: string;
      readonly column: string;
      readonly target: () => RuleScope;
      /** Where the rows are links: the column with the id of the related record. */
      readonly linkedBy?: string;
    }
  /** A field that no rule may read, with the reason (a password). */
  | { readonly shape: 'unusable'; readonly reason: string };
