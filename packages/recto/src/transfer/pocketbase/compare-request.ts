import type { ComparisonOperator, ParsedOperand } from '../../rules/rule-tree.ts';
import { canBeLost, compareText, isEmpty } from './compare-value.ts';
import type { PocketbaseField } from './pocketbase-collections.ts';
import { isMultiple } from './pocketbase-field.ts';
import { refusals } from './refusals.ts';
import { quoted } from './rule-literals.ts';
import { kindOf, type PlaceKind, type RuleCollection, type RulePlace } from './rule-places.ts';
import { Untranslatable } from './untranslatable.ts';

/** The one comparison that every account passes. */
export const isSignedIn = '@request.auth.id != null';

/** What something of the request is compared with. */
interface Sides {
  readonly operator: ComparisonOperator;
  readonly right: ParsedOperand;
}

/** Compares what a rule says of the caller. `accounts`: the collection whose records are accounts here. Throws an `Untranslatable`. */
export function compareAuth(
  name: string,
  modifier: string | undefined,
  { operator, right }: Sides,
  accounts: string | undefined,
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
      throw new Untranslatable(refusals.value);
    case 'email':
      // Who registers here gives any address.
      if (isText && right.value !== '' && (isEqual || operator === '~'))
        return `(${compareText(name, operator, right.value)} && @request.auth.verified = true)`;
      throw new Untranslatable(refusals.value);
    case 'username':
      throw new Untranslatable('It names an account by its username, which accounts choose here.');
    default:
      throw new Untranslatable(
        `"${name}" has no counterpart here: rules read the id, email and verified of the caller.`,
      );
  }
}

/** The member of the payload that has a field. */
function sentField(
  name: string,
  collection: RuleCollection,
): { readonly own: string; readonly field: PocketbaseField } {
  const [field = '', ...rest] = name.slice('@request.body.'.length).split('.');
  const found = collection.fields.get(field);
  if (found?.to == null || rest.length > 0) throw new Untranslatable(`"${name}" is no field that is brought in.`);
  return { own: `@request.body.${found.to}`, field: found.field };
}

/** Compares a member of the payload with a value. Throws an `Untranslatable`. */
export function compareBody(
  name: string,
  modifier: string | undefined,
  { operator, right }: Sides,
  collection: RuleCollection,
): string {
  const { own, field } = sentField(name, collection);
  if (modifier === 'isset' || modifier === 'changed') {
    if (right.node === 'boolean' && (operator === '=' || operator === '!='))
      return `${own}:${modifier} = ${String((operator === '=') === right.value)}`;
    throw new Untranslatable(refusals.value);
  }
  if (modifier !== undefined) throw new Untranslatable(`":${modifier}" has no counterpart here.`);
  if (isMultiple(field)) throw new Untranslatable(refusals.wholeList);
  return compareSent(own, kindOf(field), operator, right);
}

/** Compares a member of the payload with a field. Throws an `Untranslatable`. */
export function compareBodyField(
  name: string,
  operator: ComparisonOperator,
  { path, kind, isElsewhere }: RulePlace,
  collection: RuleCollection,
): string {
  const { own, field } = sentField(name, collection);
  if (isMultiple(field)) throw new Untranslatable(refusals.wholeList);
  if (operator !== '=') throw new Untranslatable(refusals.value);
  // Nothing that is sent must not equal what was not brought in.
  const isThere = isElsewhere || canBeLost(kind) ? ` && ${path} != null` : '';
  return `(${own}:isset = true && ${own} = ${path}${isThere})`;
}

/** A value of the payload, which may be missing: then nothing holds here but what differs from a text. */
function compareSent(own: string, kind: PlaceKind, operator: ComparisonOperator, right: ParsedOperand): string {
  if (right.node === 'variable' && right.name === '@request.auth.id' && operator === '=' && kind === 'relation')
    return `(${own} = @request.auth.id && ${isSignedIn})`;
  if (right.node === 'number' && kind === 'number' && operator === '=' && Number(right.text) !== 0)
    return `${own} = ${right.text}`;
  if (right.node === 'boolean' && kind === 'boolean' && (operator === '=') === right.value && operator !== '~')
    return `${own} = true`;
  if (right.node === 'string' && right.value !== '' && (kind === 'text' || kind === 'enum' || kind === 'email'))
    return compareText(own, operator, right.value);
  throw new Untranslatable(refusals.value);
}

/** Compares a parameter of the query string. Throws an `Untranslatable`. */
export function compareQuery(name: string, modifier: string | undefined, { operator, right }: Sides): string {
  if (modifier === 'isset' && right.node === 'boolean' && operator === '=')
    return `${name}:isset = ${String(right.value)}`;
  if (modifier === undefined && right.node === 'string' && right.value !== '' && operator === '=')
    return `${name} = ${quoted(right.value)}`;
  throw new Untranslatable(refusals.value);
}
