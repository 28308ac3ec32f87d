import type { Scalar, ScalarKind } from '../values/value-kind.ts';

/** A place in a rule's text, in UTF-16 units from its start; `end` is after the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type EqualityOperator = '=' | '!=';
export type OrderOperator = '>' | '>=' | '<' | '<=';
export type LikeOperator = '~' | '!~';
export type ComparisonOperator = EqualityOperator | OrderOperator | LikeOperator;

interface Spanned {
  readonly span: Span;
}

/** What the text says, before its names mean anything. */
export type ParsedNode =
  | (Spanned & { readonly node: 'and' | 'or'; readonly terms: readonly ParsedNode[] })
  | (Spanned & {
      readonly node: 'comparison';
      readonly operator: ComparisonOperator;
      /** Written with `?`: one side is many values, and the comparison holds for any of them. */
      readonly any: boolean;
      readonly left: ParsedOperand;
      readonly right: ParsedOperand;
    })
  /** `in […]` and `not in […]`. */
  | (Spanned & {
      readonly node: 'membership';
      readonly negated: boolean;
      readonly operand: ParsedOperand;
      readonly items: readonly ParsedLiteral[];
    })
  /** An operand that stands alone as a condition. */
  | (Spanned & { readonly node: 'bare'; readonly operand: ParsedOperand });

export type ParsedLiteral =
  /** `pattern`: the first `\%` or `\_`, which only a pattern has. `orNumber`: it may be a decimal or a bigint, as in JSON. */
  | (Spanned & {
      readonly node: 'string';
      readonly value: string;
      readonly pattern?: Span;
      readonly orNumber?: true;
    })
  /** The digits as written: a decimal field needs every one of them. */
  | (Spanned & { readonly node: 'number'; readonly text: string })
  | (Spanned & { readonly node: 'boolean'; readonly value: boolean });

export interface PathPart extends Spanned {
  readonly name: string;
}

export interface ParsedPath extends Spanned {
  readonly node: 'path';
  readonly parts: readonly [PathPart, ...PathPart[]];
  /** What stands after the colon. */
  readonly modifier: PathPart | null;
}

export type ParsedOperand =
  | ParsedLiteral
  | ParsedPath
  | (Spanned & { readonly node: 'null' })
  | (Spanned & {
      readonly node: 'variable';
      readonly name: string;
      readonly modifier: PathPart | null;
      /** Milliseconds: `@now - 7d`. */
      readonly shift: number;
    });

/** One relation that a dotted path follows: the row of `table` whose `id` is in `column`. */
export interface RelationStep {
  readonly field: string;
  readonly column: string;
  readonly table: string;
  /** The target's singular name. */
  readonly type: string;
}

/** A column of the rule's own record (no steps) or of one that its relations lead to. */
export interface Place {
  readonly steps: readonly RelationStep[];
  readonly field: string;
  readonly column: string;
}

/** One relation to many: the rows of `table` whose `column` is the id of the record. */
export interface ManyStep {
  readonly field: string;
  readonly type: string;
  readonly table: string;
  readonly column: string;
  /** Where the rows are links: their column with the id of the related record, and that record's table. */
  readonly link?: { readonly column: string; readonly table: string };
}

/** The rows that a relation to many of the record at the end of `steps` leads to. */
export interface RelatedRows extends ManyStep {
  readonly steps: readonly RelationStep[];
}

/** One relation on the way to many records. */
export type Hop = ({ readonly to: 'one' } & RelationStep) | ({ readonly to: 'many' } & ManyStep);

export type JsonScalarKind = 'text' | 'float' | 'boolean';

/** A value that is read from a record. Every operand knows the kind that it compares as. */
export type RecordOperand =
  | (Spanned & {
      readonly node: 'column';
      readonly kind: ScalarKind;
      readonly place: Place;
      /** `:lower` */
      readonly lower?: true;
    })
  | (Spanned & {
      readonly node: 'json_value';
      readonly kind: JsonScalarKind;
      readonly place: Place;
      readonly path: readonly string[];
      readonly lower?: true;
    })
  /** Any item at the path of a JSON column, where an array on the way stands for its items. Only in a `CheckedAny`. */
  | (Spanned & {
      readonly node: 'json_item';
      readonly kind: JsonScalarKind;
      readonly place: Place;
      readonly path: readonly string[];
      readonly lower?: true;
    })
  | (Spanned & { readonly node: 'text_length'; readonly kind: 'integer'; readonly place: Place })
  | (Spanned & {
      readonly node: 'json_length';
      readonly kind: 'integer';
      readonly place: Place;
      readonly path: readonly string[];
    })
  | (Spanned & { readonly node: 'related_count'; readonly kind: 'integer'; readonly related: RelatedRows })
  | (Spanned & { readonly node: 'column_isset'; readonly kind: 'boolean'; readonly place: Place })
  | (Spanned & {
      readonly node: 'json_isset';
      readonly kind: 'boolean';
      readonly place: Place;
      readonly path: readonly string[];
    })
  | (Spanned & { readonly node: 'related_isset'; readonly kind: 'boolean'; readonly related: RelatedRows });

/** What `@request.auth` has. */
export type AuthName = 'id' | 'role' | 'tenant_id' | 'email' | 'username' | 'verified';

/** A value that needs no record: written in the rule, or taken from the request. */
export type RequestOperand =
  | (Spanned & { readonly node: 'literal'; readonly kind: ScalarKind; readonly value: Scalar | null })
  | (Spanned & {
      readonly node: 'auth';
      readonly kind: 'text' | 'boolean';
      readonly name: AuthName;
      readonly lower?: true;
    })
  /** The language of the request. */
  | (Spanned & {
      readonly node: 'language';
      readonly kind: 'text';
      /** The tag of the default language, of requests that name none; null: the service has no languages. */
      readonly otherwise: string | null;
      readonly lower?: true;
    })
  | MomentOperand
  /** Whether the caller sent a value of that name, null included. */
  | (Spanned & {
      readonly node: 'was_sent';
      readonly kind: 'boolean';
      readonly from: 'query' | 'body';
      readonly name: string;
    })
  /** A value that the caller sent, of whatever kind; it is read as `kind`. */
  | (Spanned & {
      readonly node: 'sent';
      readonly kind: ScalarKind;
      readonly from: 'query' | 'body';
      readonly name: string;
      readonly lower?: true;
    });

/** A time that follows from that of the request. */
export interface MomentOperand extends Spanned {
  readonly node: 'now';
  /** A day compares with dates as a date. */
  readonly kind: 'datetime' | 'date';
  /** Null: the time itself; else the beginning of the day so many days after it, in UTC. */
  readonly day: number | null;
  /** Milliseconds that are added. */
  readonly shift: number;
}

export type CheckedOperand = RecordOperand | RequestOperand;

export interface CheckedComparison extends Spanned {
  readonly node: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: CheckedOperand;
  readonly right: CheckedOperand;
}

/** Whether the operand equals one of the items. */
export interface CheckedMembership extends Spanned {
  readonly node: 'membership';
  readonly negated: boolean;
  readonly operand: CheckedOperand;
  readonly items: readonly LiteralOperand[];
}

/**
 * Whether the comparison holds for any record that `through` leads to, and any item of its JSON. The side `item` is read
 * from that record, the other side from the record of the rule. Without `through` both are the same record.
 */
export interface CheckedAny extends Spanned {
  readonly node: 'any';
  readonly through: readonly Hop[];
  readonly item: 'left' | 'right';
  readonly comparison: CheckedComparison;
}

export type LiteralOperand = Extract<RequestOperand, { node: 'literal' }>;

/** What the rule means: every name resolved, every operand of a kind that its other side compares with. */
export type CheckedNode =
  | (Spanned & { readonly node: 'and' | 'or'; readonly terms: readonly CheckedNode[] })
  | CheckedComparison
  | CheckedMembership
  | CheckedAny;

export function isRequestOperand(operand: CheckedOperand): operand is RequestOperand {
  switch (operand.node) {
    case 'literal':
    case 'auth':
    case 'language':
    case 'now':
    case 'sent':
    case 'was_sent':
      return true;
    default:
      return false;
  }
}
