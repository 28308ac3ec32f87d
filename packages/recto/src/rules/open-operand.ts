import { kinds } from '../values/kinds.ts';
import type { ScalarKind } from '../values/value-kind.ts';
import type { HeldValues } from './held-values.ts';
import { RuleError } from './rule-error.ts';
import type { JsonMember } from './rule-scope.ts';
import type { CheckedOperand, Hop, JsonScalarKind, ParsedLiteral, Place, RequestOperand, Span } from './rule-tree.ts';

/** An operand whose names are resolved, but whose kind may depend on the other side of the comparison. */
export type OpenOperand =
  | { readonly open: 'typed'; readonly operand: CheckedOperand; readonly held?: HeldValues; readonly span: Span }
  | { readonly open: 'literal'; readonly literal: ParsedLiteral; readonly span: Span }
  | { readonly open: 'null'; readonly span: Span }
  | {
      readonly open: 'sent';
      readonly from: 'query' | 'body';
      readonly name: string;
      /** Of a body's value for a field of the type: what is known of that field. */
      readonly held?: HeldValues;
      readonly lower?: true;
      readonly span: Span;
    }
  | JsonOperand
  /** Any item of the JSON there. Only in an any-of comparison. */
  | {
      readonly open: 'json_items';
      readonly place: Place;
      readonly path: readonly string[];
      /** Why the items do not compare, where that is known. */
      readonly refusal?: string;
      readonly lower?: true;
      readonly span: Span;
    }
  /** What is read from each record that a path through a relation to many leads to. */
  | {
      readonly open: 'many';
      readonly through: readonly Hop[];
      readonly inner: OpenOperand;
      /** Whether the relation itself is read: the ids of its records. */
      readonly isIds: boolean;
      readonly span: Span;
    };

/** JSON of which only the other side of a comparison says what it is. */
export interface JsonOperand {
  readonly open: 'json';
  readonly place: Place;
  readonly path: readonly string[];
  /** Of a list: what each of its items is. */
  readonly items?: JsonMember;
  readonly lower?: true;
  readonly span: Span;
}

/** How messages name a kind. */
export const kindNames = {
  text: 'text',
  integer: 'an integer',
  bigint: 'a bigint',
  float: 'a number',
  decimal: 'a decimal',
  boolean: 'a boolean',
  datetime: 'a datetime',
  date: 'a date',
  time: 'a time',
} as const satisfies Record<ScalarKind, string>;

/** What a literal of each kind looks like. */
const literalForms = {
  text: 'a string in quotes',
  integer: 'a whole number such as 12, at most 2^53 - 1',
  bigint: 'a whole number such as 12, within 64 bits',
  float: 'a number such as 12.5',
  decimal: 'a number such as 12.50, with at most 60 digits before and 40 after the point',
  boolean: 'true or false',
  datetime: 'a string such as "2026-11-21T10:00:00Z" or "2026-11-21"',
  date: 'a string such as "2026-11-21"',
  time: 'a string such as "10:00" or "10:00:00"',
} as const satisfies Record<ScalarKind, string>;

/** The form in which a literal of each kind is written. */
const literalNodes = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  datetime: 'string',
  date: 'string',
  time: 'string',
} as const satisfies Record<ScalarKind, ParsedLiteral['node']>;

/** What a literal is where nothing else decides. */
const naturalKinds = { string: 'text', number: 'float', boolean: 'boolean' } as const;

/** The kind that an operand has by itself; undefined where the other side decides. */
export function naturalKind(operand: OpenOperand): ScalarKind | undefined {
  switch (operand.open) {
    case 'typed':
      return operand.operand.kind;
    case 'literal':
      return naturalKinds[operand.literal.node];
    case 'null':
      return undefined;
    case 'sent':
      return operand.lower === true ? 'text' : operand.held?.kind;
    case 'json':
    case 'json_items':
      return operand.lower === true ? 'text' : undefined;
    case 'many':
      return naturalKind(operand.inner);
  }
}

export const heldOf = ({ held }: { readonly held?: HeldValues }) => (held === undefined ? {} : { held });

/** Any item of the JSON, of which each is a `member`, if that is known. */
export function jsonItems({ items: _, ...json }: JsonOperand, member: JsonMember | undefined): OpenOperand {
  if (member?.member !== 'scalar') {
    const refusal = refusalOf(member);
    return { ...json, open: 'json_items', ...(refusal === undefined ? {} : { refusal }) };
  }
  const { place, path, span } = json;
  const operand = { node: 'json_item', kind: member.kind, place, path, ...lowerOf(json), span } as const;
  return { open: 'typed', operand, ...heldOf(member), span };
}

function refusalOf(member: JsonMember | undefined): string | undefined {
  if (member?.member === 'unusable') return `The items cannot be read: ${member.reason}`;
  if (member?.member !== 'json') return undefined;
  if (member.items !== undefined) return 'The items are lists, which do not compare.';
  return member.inner === undefined ? undefined : 'The items are no plain values: compare a field of them.';
}

/** How a JSON value compares with a kind; undefined where it does not. */
function jsonKind(kind: ScalarKind): JsonScalarKind | undefined {
  if (kind === 'text' || kind === 'boolean' || kind === 'float') return kind;
  return kind === 'integer' ? 'float' : undefined;
}

const isQuotedNumber = (literal: ParsedLiteral, kind: ScalarKind): boolean =>
  literal.node === 'string' && literal.orNumber === true && (kind === 'decimal' || kind === 'bigint');

/** A literal, read as the kind that it is compared with. Throws a RuleError where it is not one. */
export function closeLiteral(literal: ParsedLiteral, kind: ScalarKind, source: string): RequestOperand {
  const { span } = literal;
  if (literal.node === literalNodes[kind] || isQuotedNumber(literal, kind)) {
    const value =
      literal.node === 'boolean'
        ? kinds[kind].fromJson(literal.value)
        : kinds[kind].fromText(literal.node === 'string' ? literal.value : literal.text);
    if (value !== undefined) return { node: 'literal', kind, value, span };
  }
  if (kind === 'text' && literal.node === 'string') {
    throw new RuleError('A string cannot contain U+0000 or half a surrogate pair.', source, span);
  }
  throw new RuleError(`The other side is ${kindNames[kind]}: write ${literalForms[kind]}.`, source, span);
}

const lowerOf = ({ lower }: { readonly lower?: true }) => (lower === true ? { lower } : {});

/** The operand with its kind determined. Throws a RuleError where it cannot be of that kind. */
export function closeOperand(operand: OpenOperand, kind: ScalarKind, source: string): CheckedOperand {
  const { span } = operand;
  switch (operand.open) {
    case 'typed':
      return operand.operand;
    case 'literal':
      return closeLiteral(operand.literal, kind, source);
    case 'null':
      return { node: 'literal', kind, value: null, span };
    case 'sent':
      return { node: 'sent', kind, from: operand.from, name: operand.name, ...lowerOf(operand), span };
    case 'many':
      throw new RuleError('This leads to many records: only ?= and its like compare them.', source, span);
    case 'json_items': {
      if (operand.refusal !== undefined) throw new RuleError(operand.refusal, source, span);
      const read = jsonKind(kind);
      if (read === undefined) throw incomparableJson(kind, source, span);
      return { node: 'json_item', kind: read, place: operand.place, path: operand.path, ...lowerOf(operand), span };
    }
    case 'json': {
      const { place, path } = operand;
      if (path.length === 0) {
        const reason = `"${place.field}" is JSON as a whole: compare a path in it, such as ${place.field}.name, any item of an array by ${place.field} ?= …, or use = null, :isset or :length.`;
        throw new RuleError(reason, source, span);
      }
      const read = jsonKind(kind);
      if (read === undefined) throw incomparableJson(kind, source, span);
      return { node: 'json_value', kind: read, place, path, ...lowerOf(operand), span };
    }
  }
}

function incomparableJson(kind: ScalarKind, source: string, span: Span): RuleError {
  const reason = `A value in JSON compares with text, a number or a boolean, not with ${kindNames[kind]}.`;
  return new RuleError(reason, source, span);
}
