import type { ComparisonOperator, ParsedOperand } from '../../rules/rule-tree.ts';
import { refusals } from './refusals.ts';
import { moment, pattern, quoted } from './rule-literals.ts';
import type { PlaceKind, RulePlace } from './rule-places.ts';
import { Untranslatable } from './untranslatable.ts';

/** Whether a value that was there can be missing here, because the record or file that it leads to is not brought in. */
export const canBeLost = (kind: PlaceKind): boolean => kind === 'relation' || kind === 'file';

/** Compares one field with a value. Throws an `Untranslatable`. */
export function compareValue(place: RulePlace, operator: ComparisonOperator, right: ParsedOperand): string {
  const { path, kind, isElsewhere } = place;
  if (isEmpty(right)) return compareEmpty(place, operator);
  switch (kind) {
    case 'number':
      if (right.node !== 'number') break;
      if (isElsewhere) return thereAlso(`${path} ${ordered(operator)} ${right.text}`, path, operator === '!=');
      return compareNumber(path, operator, right.text);
    case 'boolean':
      if (right.node !== 'boolean') break;
      return compareBoolean(path, operator, right.value, isElsewhere);
    case 'date':
      return compareMoment(place, operator, right);
    case 'text':
    case 'enum':
    case 'email':
      if (right.node !== 'string') break;
      return thereAlso(compareText(path, operator, right.value), path, isElsewhere && operator.startsWith('!'));
    case 'json':
      return thereAlso(compareJson(path, operator, right), path, operator.startsWith('!'));
    case 'relation':
      throw new Untranslatable('It names a record by its id, which is another one here.');
    case 'html':
      throw new Untranslatable('It looks into HTML, which is sanitised here.');
    case 'file':
    case 'point':
      break;
  }
  throw new Untranslatable(refusals.value);
}

/** A comparison that a missing value would pass, where it must not. */
export const thereAlso = (comparison: string, path: string, isNeeded: boolean): string =>
  isNeeded ? `(${comparison} && ${path.replace(/:lower$/, '')} != null)` : comparison;

function ordered(operator: ComparisonOperator): ComparisonOperator {
  if (operator === '~' || operator === '!~') throw new Untranslatable(refusals.value);
  return operator;
}

export const isEmpty = (operand: ParsedOperand): boolean =>
  operand.node === 'null' || (operand.node === 'string' && operand.value === '');

/** What is empty there is null here, or an empty text. */
function compareEmpty({ path, kind, isElsewhere }: RulePlace, operator: ComparisonOperator): string {
  if (operator !== '=' && operator !== '!=') throw new Untranslatable(refusals.value);
  const isEqual = operator === '=';
  if (isEqual && (canBeLost(kind) || isElsewhere)) throw new Untranslatable(refusals.lost);
  switch (kind) {
    case 'text':
      if (path.endsWith(':lower')) throw new Untranslatable(refusals.value);
      return isEqual ? `${path}:length = 0` : `${path}:length > 0`;
    case 'html':
      // What is left of it could be nothing.
      if (isEqual || path.endsWith(':lower')) throw new Untranslatable('It looks into HTML, which is sanitised here.');
      return `${path}:length > 0`;
    case 'enum':
    case 'email':
    case 'relation':
    case 'file':
    case 'date':
      if (path === 'id') throw new Untranslatable('A record always has an id.');
      return `${path} ${operator} null`;
    default:
      throw new Untranslatable(refusals.value);
  }
}

/** A number that was never set is 0 there, and null here. */
function compareNumber(path: string, operator: ComparisonOperator, text: string): string {
  const value = Number(text);
  switch (operator) {
    case '=':
      return value === 0 ? `(${path} = 0 || ${path} = null)` : `${path} = ${text}`;
    case '!=':
      return value === 0 ? `(${path} != 0 && ${path} != null)` : `${path} != ${text}`;
    case '<':
      return value > 0 ? `(${path} < ${text} || ${path} = null)` : `${path} < ${text}`;
    case '<=':
      return value >= 0 ? `(${path} <= ${text} || ${path} = null)` : `${path} <= ${text}`;
    case '>':
      return value < 0 ? `(${path} > ${text} || ${path} = null)` : `${path} > ${text}`;
    case '>=':
      return value <= 0 ? `(${path} >= ${text} || ${path} = null)` : `${path} >= ${text}`;
    default:
      throw new Untranslatable(refusals.value);
  }
}

/** One that was never set is false there, and null here. */
function compareBoolean(path: string, operator: ComparisonOperator, value: boolean, isElsewhere: boolean): string {
  if (operator !== '=' && operator !== '!=') throw new Untranslatable(refusals.value);
  if ((operator === '=') === value) return `${path} = true`;
  return isElsewhere ? `${path} = false` : `${path} != true`;
}

const moments: Readonly<Record<string, string>> = {
  '@now': '@now',
  '@todayStart': '@today',
  '@yesterday': '@now - 1d',
  '@tomorrow': '@now + 1d',
};

function compareMoment({ path, isElsewhere }: RulePlace, operator: ComparisonOperator, right: ParsedOperand): string {
  const isBefore = operator === '<' || operator === '<=';
  const compared =
    right.node === 'string' ? comparedMoment(operator, right.value) : `${operator} ${momentNamed(right, operator)}`;
  // No time is before all others there.
  if (isBefore && !isElsewhere) return `(${path} ${compared} || ${path} = null)`;
  return thereAlso(`${path} ${compared}`, path, isElsewhere && operator === '!=');
}

function momentNamed(operand: ParsedOperand, operator: ComparisonOperator): string {
  const known = operand.node === 'variable' && operand.shift === 0 ? moments[operand.name] : undefined;
  if (known === undefined || operator === '~' || operator === '!~') throw new Untranslatable(refusals.value);
  return known;
}

/** The operator and the time to compare with. */
export function comparedMoment(operator: ComparisonOperator, value: string): string {
  const { text, isWhole } = moment(value);
  if (operator === '>' || operator === '>=' || operator === '<') return `${operator} ${text}`;
  if (operator === '<=') return `${isWhole ? '<=' : '<'} ${text}`;
  if (isWhole && (operator === '=' || operator === '!=')) return `${operator} ${text}`;
  throw new Untranslatable(refusals.value);
}

export function compareText(path: string, operator: ComparisonOperator, value: string): string {
  switch (operator) {
    case '=':
    case '!=':
      return `${path} ${operator} ${quoted(value)}`;
    case '~':
    case '!~':
      return `${path} ${operator} ${pattern(value)}`;
    default:
      throw new Untranslatable(refusals.order);
  }
}

function compareJson(path: string, operator: ComparisonOperator, right: ParsedOperand): string {
  if (right.node === 'string' && operator !== '!~') return compareText(path, operator, right.value);
  if (right.node === 'number' && Number(right.text) > 0 && (operator === '=' || operator === '>' || operator === '>='))
    return `${path} ${operator} ${right.text}`;
  if (right.node === 'boolean' && right.value && operator === '=') return `${path} = true`;
  throw new Untranslatable(refusals.value);
}
