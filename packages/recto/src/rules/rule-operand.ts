import type { RuleEnvironment } from '../base/bindings.ts';
import {
  type Caller,
  callerEmail,
  callerId,
  callerRole,
  callerTenant,
  callerUsername,
  callerVerified,
} from '../base/caller.ts';
import { kinds } from '../values/kinds.ts';
import type { Scalar, ScalarKind } from '../values/value-kind.ts';
import { codePointLength } from './code-points.ts';
import { lowerCase } from './letter-case.ts';
import { completeEscapes, matchesLike } from './like.ts';
import { momentAt } from './moment.ts';
import {
  type AuthName,
  type CheckedComparison,
  type ComparisonOperator,
  isRequestOperand,
  type RequestOperand,
} from './rule-tree.ts';

/** A value that is there, but not of the kind that the other side compares with: equal to nothing, not even to null. */
export const incomparable = Symbol('incomparable');

export type OperandValue = Scalar | null | typeof incomparable;

/** Longest LIKE pattern, in code points. SQLite rejects one of more than 50,000 bytes. */
export const longestPattern = 10_000;

/** What an operand that needs no record is worth in one request. */
export function readRequestOperand(operand: RequestOperand, environment: RuleEnvironment): OperandValue {
  switch (operand.node) {
    case 'literal':
      return operand.value;
    case 'auth':
      return lowerIf(operand.lower, authValues[operand.name](environment.caller));
    case 'language':
      return lowerIf(operand.lower, environment.caller.language ?? operand.otherwise);
    case 'now':
      return momentAt(operand, environment.now);
    case 'was_sent':
      return operand.from === 'query'
        ? environment.query.has(operand.name)
        : environment.body !== null && Object.hasOwn(environment.body, operand.name);
    case 'sent':
      return lowerIf(
        operand.lower,
        operand.from === 'query'
          ? readQuery(operand.name, operand.kind, environment)
          : readBody(operand.name, operand.kind, environment),
      );
  }
}

export const lowerIf = (lower: true | undefined, value: OperandValue): OperandValue =>
  lower === true && typeof value === 'string' ? lowerCase(value) : value;

const authValues = {
  id: callerId,
  role: callerRole,
  tenant_id: callerTenant,
  email: callerEmail,
  username: callerUsername,
  verified: callerVerified,
} satisfies Record<AuthName, (caller: Caller) => string | boolean | null>;

function readQuery(name: string, kind: ScalarKind, { query }: RuleEnvironment): OperandValue {
  const text = query.get(name);
  return text === undefined ? null : (kinds[kind].fromText(text) ?? incomparable);
}

function readBody(name: string, kind: ScalarKind, { body }: RuleEnvironment): OperandValue {
  const value = body !== null && Object.hasOwn(body, name) ? body[name] : null;
  return value === null || value === undefined ? null : (kinds[kind].fromJson(value) ?? incomparable);
}

/** A pattern that a database would reject matches nothing. */
export function usablePattern(value: OperandValue): OperandValue {
  // A code point is one or two UTF-16 units: counting is needed only for long texts.
  if (typeof value !== 'string' || value.length <= longestPattern) return value;
  return codePointLength(value) <= longestPattern ? value : incomparable;
}

/** The value of a pattern as a database takes it. What a record holds was not written as a pattern: it has no escapes. */
export function readPattern(value: OperandValue, isRequest: boolean): OperandValue {
  const usable = usablePattern(value);
  if (typeof usable !== 'string') return usable;
  return isRequest ? completeEscapes(usable) : usable.replaceAll('\\', '\\\\');
}

/** What a comparison says of its sides' values. */
export function decide({ operator, left, right }: CheckedComparison, a: OperandValue, b: OperandValue): boolean {
  const isPattern = operator === '~' || operator === '!~';
  return holds(operator, left.kind, a, isPattern ? readPattern(b, isRequestOperand(right)) : b);
}

/** What a comparison says of two values; `kind` is that of either side. */
export function holds(
  operator: ComparisonOperator,
  kind: ScalarKind,
  left: OperandValue,
  right: OperandValue,
): boolean {
  switch (operator) {
    case '=':
      return equal(kind, left, right);
    case '!=':
      return !equal(kind, left, right);
    case '~':
      return like(left, right);
    case '!~':
      return !like(left, right);
    default: {
      const order = compare(kind, left, right);
      if (order === undefined) return false;
      if (order === 0) return operator === '>=' || operator === '<=';
      return order < 0 ? operator === '<' || operator === '<=' : operator === '>' || operator === '>=';
    }
  }
}

const isValue = (value: OperandValue): value is Scalar => value !== null && value !== incomparable;

function compare(kind: ScalarKind, left: OperandValue, right: OperandValue): number | undefined {
  return isValue(left) && isValue(right) ? kinds[kind].compare(left, right) : undefined;
}

function equal(kind: ScalarKind, left: OperandValue, right: OperandValue): boolean {
  return (left === null && right === null) || compare(kind, left, right) === 0;
}

function like(text: OperandValue, pattern: OperandValue): boolean {
  return typeof text === 'string' && typeof pattern === 'string' && matchesLike(text, pattern);
}
