import type { ComparisonOperator, ParsedNode, ParsedOperand } from '../../rules/rule-tree.ts';
import { compareAuth, compareBody, compareBodyField, compareQuery, isSignedIn } from './compare-request.ts';
import { canBeLost, comparedMoment, compareValue, thereAlso } from './compare-value.ts';
import { refusals } from './refusals.ts';
import { pattern, quoted } from './rule-literals.ts';
import { placeAt, type RuleCollection, type RulePlace } from './rule-places.ts';
import { Untranslatable } from './untranslatable.ts';

type Comparison = Extract<ParsedNode, { node: 'comparison' }>;

/** What a rule is translated for. */
export interface RuleContext {
  readonly collection: RuleCollection;
  /** The collection whose records are accounts here. */
  readonly accounts: string | undefined;
}

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
  if (name.startsWith('@request.auth.'))
    return compareAuth(name, left.modifier?.name, { operator, right }, context.accounts);
  if (name.startsWith('@request.body.'))
    return compareBody(name, left.modifier?.name, { operator, right }, context.collection);
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
    return compareBodyField(right.name, operator, place, context.collection);
  if (right.node === 'path') return compareFields(place, sides, placeOf(right, context));
  const path = modifier === 'lower' ? `${place.path}:lower` : place.path;
  if (isMany(place)) return compareMany({ ...place, path }, sides);
  return compareValue({ ...place, path }, operator, right);
}

const isMany = ({ isList, isThrough }: RulePlace): boolean => isList || isThrough;

function compareLength({ path, kind, isList, isThrough }: RulePlace, { operator, right }: Sides): string {
  if (!isList || isThrough || right.node !== 'number') throw new Untranslatable('It counts what is no list here.');
  if (canBeLost(kind) && operator !== '>' && operator !== '>=') throw new Untranslatable(refusals.lost);
  return `${path}:length ${operator} ${right.text}`;
}

/** An owner that there is not and a caller that there is not are the same to PocketBase; here nobody is nobody's owner. */
function compareCaller(place: RulePlace, { operator, any }: Sides): string {
  const { path, kind, isList, isThrough, isElsewhere } = place;
  if (kind !== 'relation') throw new Untranslatable('It compares an account with what is no relation.');
  const isEqual = operator === '=' || operator === '~';
  if (isMany(place)) {
    if (isThrough && any !== true) throw new Untranslatable(refusals.allOfMany);
    if (isEqual && (!isList || operator === '~')) return `${path} ?= @request.auth.id`;
    throw new Untranslatable(refusals.wholeList);
  }
  if (isEqual) return `(${path} = @request.auth.id && ${isSignedIn})`;
  if (operator === '!=') return thereAlso(`${path} != @request.auth.id`, path, isElsewhere);
  throw new Untranslatable(`"${operator}" compares no accounts here.`);
}

/** Two values that are missing are equal here, even where they are 0 and none there, or led to different records that are not brought in. */
function compareFields(left: RulePlace, { operator }: Sides, right: RulePlace): string {
  const isSame = left.kind === right.kind && !isMany(left) && !isMany(right);
  if (!isSame || operator !== '=' || left.kind === 'json' || left.kind === 'html')
    throw new Untranslatable('It compares two fields in a way that would mean something else here.');
  return thereAlso(`${left.path} = ${right.path}`, left.path, true);
}

/** Any of several values. An item that is empty counts for nothing here, so that it never holds for more. */
function compareMany({ path, kind, isList, isThrough }: RulePlace, { operator, any, right }: Sides): string {
  if (isThrough && any !== true) throw new Untranslatable(refusals.allOfMany);
  if (isList && operator !== '~') throw new Untranslatable(refusals.wholeList);
  if (operator === '!=' || operator === '!~')
    throw new Untranslatable('It looks for any of several values that differs.');
  if (right.node === 'boolean' && kind === 'boolean' && right.value) return `${path} ?= true`;
  if (right.node === 'number' && kind === 'number') return `${path} ?${operator} ${right.text}`;
  const isText = kind === 'text' || kind === 'enum' || kind === 'email' || kind === 'date' || kind === 'json';
  if (right.node !== 'string' || right.value === '' || !isText) throw new Untranslatable(refusals.value);
  if (kind === 'date') return `${path} ?${comparedMoment(operator, right.value)}`;
  if (operator === '~') {
    // PocketBase looks into the JSON of a list: a pattern of its own could span several values, and Go escapes these characters.
    if (isList && /[%<>&"\u2028\u2029]/.test(right.value)) throw new Untranslatable(refusals.wholeList);
    return `${path} ?~ ${pattern(right.value)}`;
  }
  if (operator !== '=') throw new Untranslatable(refusals.order);
  return `${path} ?= ${quoted(right.value)}`;
}
