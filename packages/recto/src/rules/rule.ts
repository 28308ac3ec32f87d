import type { AuthName, CheckedNode } from './rule-tree.ts';

/** A rule that has been parsed and checked against a content type's fields. */
export interface Rule {
  /** The text as written in the definition. */
  readonly source: string;
  readonly tree: CheckedNode;
  readonly reads: RuleReads;
  /** It did not compile, and never holds. */
  readonly uncompiled?: true;
}

/** What a rule looks at, besides its own record's columns. Decides what an answer may be remembered by. */
export interface RuleReads {
  readonly auth: ReadonlySet<AuthName>;
  readonly query: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
  readonly now: boolean;
  /** The language of the request. */
  readonly language: boolean;
  /** Singular names of the other content types whose records it reads (dotted paths, counts of relations). */
  readonly types: ReadonlySet<string>;
  /** The record's own fields it reads, heads of dotted paths included. */
  readonly fields: ReadonlySet<string>;
}
