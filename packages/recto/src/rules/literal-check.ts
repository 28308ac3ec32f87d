import { nearestName } from '../base/nearest-name.ts';
import { truncate } from '../base/truncate.ts';
import type { Scalar } from '../values/value-kind.ts';
import type { HeldValues } from './held-values.ts';
import type { OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import type { CheckedOperand, ComparisonOperator, Span } from './rule-tree.ts';
import type { ValueDomain } from './value-domain.ts';

interface Comparison {
  readonly operator: ComparisonOperator;
  readonly source: string;
}

/**
 * Checks a literal against the other side of its comparison. A comparison with a value that the other side can never
 * have always holds or never does, whatever the record and the caller, so it is an error.
 * Returns the literal as the field stores it.
 */
export function checkLiteral(
  literal: CheckedOperand,
  other: { readonly open: OpenOperand; readonly closed: CheckedOperand },
  comparison: Comparison & { readonly isPattern: boolean },
): CheckedOperand {
  if (literal.node !== 'literal' || literal.value === null) return literal;
  const { value, span } = literal;
  const { operator, source, isPattern } = comparison;
  const about: Refused = {
    name: source.slice(other.open.span.start, other.open.span.end),
    value,
    span,
    operator,
    source,
  };
  if (isLength(other.closed) && Number(value) < 0) throw new RuleError('A length is never negative.', source, span);
  const held = heldBy(other.open);
  if (held === undefined) return literal;
  const { domain } = held;
  if (domain !== undefined && typeof value === 'string') {
    if (isPattern) {
      if (!domain.matches(value)) throw neverMatches(about, held, domain);
      return literal;
    }
    const found = domain.find(value);
    if (found === undefined) throw neverHeld(about, held, domain);
    // What a caller sent is compared as sent.
    return other.open.open === 'sent' ? literal : { ...literal, value: found };
  }
  if (operator !== '=' && operator !== '!=') return literal;
  const refusal = held.refusal?.(value);
  if (refusal !== undefined) throw refused(about, refusal);
  return literal;
}

const heldBy = (operand: OpenOperand): HeldValues | undefined =>
  operand.open === 'typed' || operand.open === 'sent' ? operand.held : undefined;

/** Checks two sides that are no literals: if one is one of a few words, and the other never is any of them, they are never equal. */
export function checkSides(left: OpenOperand, right: OpenOperand, span: Span, source: string): void {
  const [one, other] = [heldBy(left), heldBy(right)];
  if (one === undefined || other === undefined || !(areApart(one, other) || areApart(other, one))) return;
  const [a, b] = [left, right].map((side) => source.slice(side.span.start, side.span.end));
  throw new RuleError(`"${a}" and "${b}" never have the same value.`, source, span);
}

const areApart = ({ domain }: HeldValues, other: HeldValues): boolean =>
  domain !== undefined && domain.words.length > 0 && domain.words.every((word) => !canHold(other, word));

const canHold = ({ domain, refusal }: HeldValues, word: string): boolean =>
  domain === undefined ? refusal?.(word) === undefined : domain.find(word) !== undefined;

const isLength = ({ node }: CheckedOperand): boolean =>
  node === 'text_length' || node === 'json_length' || node === 'related_count';

interface Refused extends Comparison {
  /** The other operand, as the rule writes it. */
  readonly name: string;
  readonly value: Scalar;
  readonly span: Span;
}

function neverHeld(about: Refused, held: HeldValues, domain: ValueDomain): RuleError {
  const { name, value, span, source } = about;
  const remedy = value === '' ? nullRemedy(about) : domainRemedy(String(value), about, held, domain);
  return new RuleError(`"${name}" is never ${shown(about)}. ${remedy}`, source, span);
}

function neverMatches(about: Refused, held: HeldValues, domain: ValueDomain): RuleError {
  const { name, value, span, source } = about;
  const text = String(value).replaceAll('%', '');
  const remedy = value === '' ? nullRemedy(about) : domainRemedy(text, about, held, domain);
  return new RuleError(`"${name}" never matches ${shown(about)}. ${remedy}`, source, span);
}

function refused(about: Refused, refusal: string): RuleError {
  const { name, value, span, source } = about;
  const remedy = value === '' ? nullRemedy(about) : `It ${refusal.charAt(0).toLowerCase()}${refusal.slice(1)}`;
  return new RuleError(`"${name}" is never ${shown(about)}. ${remedy}`, source, span);
}

/** Other languages have an empty text where there is no value. */
function nullRemedy({ name, operator }: Refused): string {
  const negative = operator === '=' || operator === '!~' || operator === '<' || operator === '<=';
  return `Where there is no value, it is null: write ${name} ${negative ? '=' : '!='} null.`;
}

function domainRemedy(text: string, { name }: Refused, { relation }: HeldValues, domain: ValueDomain): string {
  const near = domain.find(text.toLowerCase()) ?? nearestName(text, domain.words);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (relation !== true) return `It is ${domain.wanted}.`;
  return `A relation compares as ${domain.wanted}; for a field of the related record, write ${name}.FIELD.`;
}

/** The literal in one line: a string quoted, a number as written. */
function shown({ value, span, source }: Refused): string {
  if (typeof value !== 'string' || !/^["']/.test(source.slice(span.start))) return source.slice(span.start, span.end);
  return JSON.stringify(truncate(value, 60));
}
