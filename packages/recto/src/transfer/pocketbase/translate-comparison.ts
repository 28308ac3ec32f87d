import type { ComparisonOperator, ParsedNode, ParsedOperand } from '../../rules/rule-tree.ts';
import { isMultiple } from './pocketbase-field.ts';
import { moment, pattern, quoted } from './rule-literals.ts';
import { kindOf, type PlaceKind, placeAt, type RuleCollection, type RulePlace } from './rule-places.ts';
import { Untranslatable } from './untranslatable.ts';

type Comparison = Extract<ParsedNode, { node: 'comparison' }>;

/** What a rule is translated for. */
export interface RuleContext {
  readonly collection: RuleCollection;
  /** The collection whose records are accounts here. */
  readonly accounts: string | undefined;
}

/** The one comparison that every account passes. */
export const isSignedIn = '@request.auth.id != null';

/**
 * A comparison as rules here say it. It holds for no record and no caller for which PocketBase's does not: since rules join comparisons with
 * `&&` and `||` alone, so does the whole rule. Throws an `Untranslatable`.
 */
export function translateComparison(comparison: Comparison, context: RuleContext): string {
  const { operator, any, left, right } = inOrder(comparison);
  if (left.node === 'path')
    return compareField(placeOf(left, context), left.modifier?.name, { operator, any, right }, context);
  if (left.node !== 'variable') throw new Untranslatable('It compares no field.');
  const { name } = left;
  if (name.startsWith('@request.auth.')) return compareAuth(name, left.modifier?.name, { operator, right }, context);
  if (name.startsWith('@request.body.')) return compareBody(name, left.modifier?.name, { operator, right }, context);
  if (name.startsWith('@request.query.')) return compareQuery(name, left.modifier?.name, { operator, right });
  throw new Untranslatable(`"${name}" has no counterpart here.`);
}

interface Sides {
  readonly operator: ComparisonOperator;
  readonly any?: boolean;
  readonly right: ParsedOperand;
}

const turned: Readonly<Record<ComparisonOperator, ComparisonOperator | undefined>> = {
  ...{ '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' },
  ...{ '~': undefined, '!~': undefined },
};

/** Fields stand on the left, then what the request has, then values. */
const rank = (operand: ParsedOperand): number => (operand.node === 'path' ? 0 : operand.node === 'variable' ? 1 : 2);

function inOrder(comparison: Comparison): Comparison {
  const { left, right, operator } = comparison;
  const other = turned[operator];
  if (rank(left) <= rank(right) || other === undefined) return comparison;
  return { ...comparison, left: right, right: left, operator: other };
}

function placeOf(operand: Extract<ParsedOperand, { node: 'path' }>, { collection }: RuleContext): RulePlace {
  return placeAt(collection, operand);
}

function compareField(place: RulePlace, modifier: string | undefined, sides: Sides, context: RuleContext): string {
  const { right, operator } = sides;
  if (modifier === 'length') return compareLength(place, sides);
  if (modifier !== undefined && modifier !== 'lower')
    throw new Untranslatable(`":${modifier}" has no counterpart here.`);
  const isOfRequest = right.node === 'variable' && /^@request\.(?:auth|body)\./.test(right.name);
  if ((isOfRequest || right.node === 'path') && (modifier !== undefined || right.modifier !== null))
    throw new Untranslatable('It compares what a modifier has changed with what is no value.');
  if (right.node === 'variable' && right.name === '@request.auth.id') return compareCaller(place, sides);
  if (right.node === 'variable' && right.name.startsWith('@request.body.'))
    return compareBody(
      right.name,
      right.modifier?.name,
      { operator, right: { ...right, node: 'path', parts: pathParts(place), modifier: null } },
      context,
    );
  if (right.node === 'path') return compareFields(place, sides, placeOf(right, context));
  const path = modifier === 'lower' ? `${place.path}:lower` : place.path;
  if (isMany(place)) return compareMany({ ...place, path }, sides);
  return compareValue({ ...place, path }, operator, right);
}

/** The parts are only printed again. */
const pathParts = ({ path }: RulePlace) => {
  const span = { start: 0, end: 0 };
  const [first = '', ...rest] = path.split('.');
  return [{ name: first, span }, ...rest.map((name) => ({ name, span }))] as const;
};

const isMany = ({ isList, isThrough }: RulePlace): boolean => isList || isThrough;

function compareLength({ path, kind, isList, isThrough }: RulePlace, { operator, right }: Sides): string {
  if (!isList || isThrough || right.node !== 'number') throw new Untranslatable('It counts what is no list here.');
  if (canBeLost(kind) && operator !== '>' && operator !== '>=') throw new Untranslatable(lostRefused);
  return `${path}:length ${operator} ${right.text}`;
}

/** An owner that there is not and a caller that there is not are the same to PocketBase; here nobody is nobody's owner. */
function compareCaller(place: RulePlace, { operator, any }: Sides): string {
  const { path, kind, isList, isThrough, isElsewhere } = place;
  if (kind !== 'relation') throw new Untranslatable('It compares an account with what is no relation.');
  const isEqual = operator === '=' || operator === '~';
  if (isMany(place)) {
    if (isThrough && any !== true) throw new Untranslatable(allOfMany);
    if (isEqual && (!isList || operator === '~')) return `${path} ?= @request.auth.id`;
    throw new Untranslatable(wholeList);
  }
  if (isEqual) return `(${path} = @request.auth.id && ${isSignedIn})`;
  if (operator === '!=') return thereAlso(`${path} != @request.auth.id`, path, isElsewhere);
  throw new Untranslatable(`"${operator}" compares no accounts here.`);
}

const allOfMany = 'It must hold for all of several values, which no rule says here.';
const wholeList = 'It compares with the whole list, which no rule does here: PocketBase looks into one with "~".';

/** Two values that are missing are equal here, even where they are 0 and none there, or led to different records that are not brought in. */
function compareFields(left: RulePlace, { operator }: Sides, right: RulePlace): string {
  const isSame = left.kind === right.kind && !isMany(left) && !isMany(right);
  if (!isSame || operator !== '=' || left.kind === 'json' || left.kind === 'html')
    throw new Untranslatable('It compares two fields in a way that would mean something else here.');
  return thereAlso(`${left.path} = ${right.path}`, left.path, true);
}

/** Any of several values. An item that is empty counts for nothing here, so that it never holds for more. */
function compareMany({ path, kind, isList, isThrough }: RulePlace, { operator, any, right }: Sides): string {
  if (isThrough && any !== true) throw new Untranslatable(allOfMany);
  if (isList && operator !== '~') throw new Untranslatable(wholeList);
  if (operator === '!=' || operator === '!~')
    throw new Untranslatable('It looks for any of several values that differs.');
  if (right.node === 'boolean' && kind === 'boolean' && right.value) return `${path} ?= true`;
  if (right.node === 'number' && kind === 'number') return `${path} ?${operator} ${right.text}`;
  const isText = kind === 'text' || kind === 'enum' || kind === 'email' || kind === 'date' || kind === 'json';
  if (right.node !== 'string' || right.value === '' || !isText) throw new Untranslatable(valueRefused);
  if (kind === 'date') return `${path} ?${comparedMoment(operator, right.value)}`;
  if (operator === '~') {
    // PocketBase looks into the JSON of a list: a pattern of its own could span several values, and Go escapes these characters.
    if (isList && /[%<>&"\u2028\u2029]/.test(right.value)) throw new Untranslatable(wholeList);
    return `${path} ?~ ${pattern(right.value)}`;
  }
  if (operator !== '=') throw new Untranslatable(orderRefused);
  return `${path} ?= ${quoted(right.value)}`;
}

const valueRefused = 'It compares with a value that means something else here.';
const orderRefused = 'Texts have another order here.';
const lostRefused = 'It asks whether something is missing. Here it also is where that was not brought in.';

/** Whether a value that was there can be missing here, because the record or file that it leads to is not brought in. */
const canBeLost = (kind: PlaceKind): boolean => kind === 'relation' || kind === 'file';

function compareValue(place: RulePlace, operator: ComparisonOperator, right: ParsedOperand): string {
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
  throw new Untranslatable(valueRefused);
}

/** A comparison that a missing value would pass, where it must not. */
const thereAlso = (comparison: string, path: string, isNeeded: boolean): string =>
  isNeeded ? `(${comparison} && ${path.replace(/:lower$/, '')} != null)` : comparison;

function ordered(operator: ComparisonOperator): ComparisonOperator {
  if (operator === '~' || operator === '!~') throw new Untranslatable(valueRefused);
  return operator;
}

const isEmpty = (operand: ParsedOperand): boolean =>
  operand.node === 'null' || (operand.node === 'string' && operand.value === '');

/** What is empty there is null here, or an empty text. */
function compareEmpty({ path, kind, isElsewhere }: RulePlace, operator: ComparisonOperator): string {
  if (operator !== '=' && operator !== '!=') throw new Untranslatable(valueRefused);
  const isEqual = operator === '=';
  if (isEqual && (canBeLost(kind) || isElsewhere)) throw new Untranslatable(lostRefused);
  switch (kind) {
    case 'text':
      if (path.endsWith(':lower')) throw new Untranslatable(valueRefused);
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
      throw new Untranslatable(valueRefused);
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
      throw new Untranslatable(valueRefused);
  }
}

/** One that was never set is false there, and null here. */
function compareBoolean(path: string, operator: ComparisonOperator, value: boolean, isElsewhere: boolean): string {
  if (operator !== '=' && operator !== '!=') throw new Untranslatable(valueRefused);
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
  if (known === undefined || operator === '~' || operator === '!~') throw new Untranslatable(valueRefused);
  return known;
}

function comparedMoment(operator: ComparisonOperator, value: string): string {
  const { text, isWhole } = moment(value);
  if (operator === '>' || operator === '>=' || operator === '<') return `${operator} ${text}`;
  if (operator === '<=') return `${isWhole ? '<=' : '<'} ${text}`;
  if (isWhole && (operator === '=' || operator === '!=')) return `${operator} ${text}`;
  throw new Untranslatable(valueRefused);
}

function compareText(path: string, operator: ComparisonOperator, value: string): string {
  switch (operator) {
    case '=':
    case '!=':
      return `${path} ${operator} ${quoted(value)}`;
    case '~':
    case '!~':
      return `${path} ${operator} ${pattern(value)}`;
    default:
      throw new Untranslatable(orderRefused);
  }
}

function compareJson(path: string, operator: ComparisonOperator, right: ParsedOperand): string {
  if (right.node === 'string' && operator !== '!~') return compareText(path, operator, right.value);
  if (right.node === 'number' && Number(right.text) > 0 && (operator === '=' || operator === '>' || operator === '>='))
    return `${path} ${operator} ${right.text}`;
  if (right.node === 'boolean' && right.value && operator === '=') return `${path} = true`;
  throw new Untranslatable(valueRefused);
}

function compareAuth(
  name: string,
  modifier: string | undefined,
  { operator, right }: Sides,
  { accounts }: RuleContext,
): string {
  if (modifier !== undefined) throw new Untranslatable(`":${modifier}" has no counterpart here.`);
  const isEqual = operator === '=';
  const isText = right.node === 'string';
  switch (name.slice('@request.auth.'.length)) {
    case 'id':
      if (isEmpty(right) && (isEqual || operator === '!=')) return `@request.auth.id ${operator} null`;
      throw new Untranslatable('It names an account by its id, which is another one here.');
    case 'collectionName':
      if (isEqual && isText && right.value === accounts) return isSignedIn;
      throw new Untranslatable('It asks of which collection an account is. Here all accounts are of one.');
    case 'verified':
      if (right.node === 'boolean' && (isEqual || operator === '!=') && isEqual === right.value)
        return '@request.auth.verified = true';
      throw new Untranslatable(valueRefused);
    case 'email':
      // Who registers here gives any address.
      if (isText && right.value !== '' && (isEqual || operator === '~'))
        return `(${compareText(name, operator, right.value)} && @request.auth.verified = true)`;
      throw new Untranslatable(valueRefused);
    case 'username':
      throw new Untranslatable('It names an account by its username, which accounts choose here.');
    default:
      throw new Untranslatable(
        `"${name}" has no counterpart here: rules read the id, email and verified of the caller.`,
      );
  }
}

function compareBody(
  name: string,
  modifier: string | undefined,
  { operator, right }: Sides,
  { collection }: RuleContext,
): string {
  const [field = '', ...rest] = name.slice('@request.body.'.length).split('.');
  const found = collection.fields.get(field);
  if (found?.to == null || rest.length > 0) throw new Untranslatable(`"${name}" is no field that is brought in.`);
  const own = `@request.body.${found.to}`;
  if (modifier === 'isset' || modifier === 'changed') {
    if (right.node === 'boolean' && (operator === '=' || operator === '!='))
      return `${own}:${modifier} = ${String((operator === '=') === right.value)}`;
    throw new Untranslatable(valueRefused);
  }
  if (modifier !== undefined) throw new Untranslatable(`":${modifier}" has no counterpart here.`);
  if (isMultiple(found.field)) throw new Untranslatable(wholeList);
  return compareSent(own, kindOf(found.field), operator, right);
}

/** A value of the payload, which may be missing: then nothing holds here but what differs from a text. */
function compareSent(own: string, kind: PlaceKind, operator: ComparisonOperator, right: ParsedOperand): string {
  if (right.node === 'variable' && right.name === '@request.auth.id' && operator === '=' && kind === 'relation')
    return `(${own} = @request.auth.id && ${isSignedIn})`;
  if (right.node === 'path' && operator === '=')
    return `(${own}:isset = true && ${own} = ${right.parts.map(({ name }) => name).join('.')})`;
  if (right.node === 'number' && kind === 'number' && operator === '=' && Number(right.text) !== 0)
    return `${own} = ${right.text}`;
  if (right.node === 'boolean' && kind === 'boolean' && (operator === '=') === right.value && operator !== '~')
    return `${own} = true`;
  if (right.node === 'string' && right.value !== '' && (kind === 'text' || kind === 'enum' || kind === 'email'))
    return compareText(own, operator, right.value);
  throw new Untranslatable(valueRefused);
}

function compareQuery(name: string, modifier: string | undefined, { operator, right }: Sides): string {
  if (modifier === 'isset' && right.node === 'boolean' && operator === '=')
    return `${name}:isset = ${String(right.value)}`;
  if (modifier === undefined && right.node === 'string' && right.value !== '' && operator === '=')
    return `${name} = ${quoted(right.value)}`;
  throw new Untranslatable(valueRefused);
}
