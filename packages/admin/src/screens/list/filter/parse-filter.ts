import { type FilterToken, lexFilter } from './filter-lexer.ts';
import type { Comparison, DurationUnit, FilterCondition, FilterGroup, FilterNode, FilterValue } from './filter-tree.ts';

/** More is refused by the service. */
const deepest = 32;

/**
 * The conditions of a filter's text, in groups. What the builder cannot show is kept as text, so that printing the result means the
 * same. Undefined for a text that is no filter, or that has comments: it can only be edited as text.
 */
export function parseFilter(source: string): FilterGroup | undefined {
  const tokens = lexFilter(source);
  if (tokens === undefined) return undefined;
  if (tokens.length === 0) return { node: 'group', join: 'and', items: [] };
  const found = new Parser(source, tokens).parse();
  if (found === undefined) return undefined;
  return found.node === 'group' ? found : { node: 'group', join: 'and', items: [found] };
}

type Operand =
  | { readonly kind: 'path'; readonly path: string; readonly modifier: string }
  | { readonly kind: 'value'; readonly value: FilterValue }
  | { readonly kind: 'null' }
  | { readonly kind: 'variable'; readonly name: string; readonly shift: string };

interface ReadComparison {
  readonly left: Operand;
  readonly operator: string;
  readonly right: Operand;
}

/** Thrown and caught in this file. */
class Unreadable extends Error {}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly FilterToken[];
  #at = 0;
  #depth = 0;
  /** Comparisons by the nodes that were made of them: two of them can be one condition. */
  readonly #comparisons = new Map<FilterNode, ReadComparison>();

  constructor(source: string, tokens: readonly FilterToken[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  parse(): FilterNode | undefined {
    try {
      const node = this.#chain('or');
      return this.#peek() === undefined ? node : undefined;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #chain(join: 'and' | 'or'): FilterNode {
    const next = () => (join === 'or' ? this.#chain('and') : this.#term());
    const items = [next()];
    while (this.#peek()?.kind === join) {
      this.#at += 1;
      items.push(next());
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { node: 'group', join, items };
  }

  #term(): FilterNode {
    return this.#peek()?.kind === 'open' ? this.#group() : this.#comparison();
  }

  #group(): FilterNode {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Unreadable();
    this.#take('open');
    const inside = this.#chain('or');
    this.#take('close');
    this.#depth -= 1;
    if (inside.node !== 'group' || inside.join !== 'and' || inside.items.length !== 2) return inside;
    const [first, second] = inside.items.map((item) => this.#comparisons.get(item));
    return (first && second && rangeOf(first, second)) ?? inside;
  }

  #comparison(): FilterNode {
    const start = this.#peek()?.start ?? 0;
    const left = this.#operand();
    const token = this.#peek();
    if (token?.kind === 'operator') {
      this.#at += 1;
      const right = this.#operand();
      const read = { left, operator: token.text, right };
      const node: FilterNode = conditionOf(read) ?? this.#textFrom(start);
      this.#comparisons.set(node, read);
      return node;
    }
    const isNegated = token?.kind === 'path' && token.text === 'not';
    const word = isNegated ? this.#tokens[this.#at + 1] : token;
    if (word?.kind === 'path' && word.text === 'in') {
      this.#at += isNegated ? 2 : 1;
      const values = this.#list();
      if (left.kind !== 'path' || left.modifier !== '') return this.#textFrom(start);
      return { node: 'condition', path: left.path, comparison: { operator: isNegated ? 'not_in' : 'in', values } };
    }
    // An operand that stands alone is a condition: a boolean field, or `:isset`.
    if (left.kind === 'path' && left.modifier === '')
      return { node: 'condition', path: left.path, comparison: { operator: 'equals', value: truth } };
    return this.#textFrom(start);
  }

  #list(): readonly FilterValue[] {
    this.#take('open_list');
    const values: FilterValue[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand.kind !== 'value') throw new Unreadable();
      values.push(operand.value);
      const token = this.#tokens[this.#at];
      this.#at += 1;
      if (token?.kind === 'close_list') return values;
      if (token?.kind !== 'comma') throw new Unreadable();
    }
  }

  #operand(): Operand {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token?.kind) {
      case 'string':
        return { kind: 'value', value: { kind: 'text', text: token.text } };
      case 'number':
        return { kind: 'value', value: { kind: 'number', digits: token.text } };
      case 'variable': {
        const next = this.#peek();
        if (next?.kind === 'modifier') {
          this.#at += 1;
          return { kind: 'variable', name: `${token.text}${next.text}`, shift: '' };
        }
        if (next?.kind !== 'duration') return { kind: 'variable', name: token.text, shift: '' };
        this.#at += 1;
        return { kind: 'variable', name: token.text, shift: next.text.replaceAll(/\s/g, '') };
      }
      case 'path': {
        if (token.text === 'null') return { kind: 'null' };
        if (token.text === 'true' || token.text === 'false')
          return { kind: 'value', value: { kind: 'boolean', value: token.text === 'true' } };
        const next = this.#peek();
        if (next?.kind !== 'modifier') return { kind: 'path', path: token.text, modifier: '' };
        this.#at += 1;
        return { kind: 'path', path: token.text, modifier: next.text };
      }
      default:
        throw new Unreadable();
    }
  }

  #textFrom(start: number): FilterNode {
    return { node: 'text', text: this.#source.slice(start, this.#tokens[this.#at - 1]?.end) };
  }

  #peek(): FilterToken | undefined {
    return this.#tokens[this.#at];
  }

  #take(kind: FilterToken['kind']): void {
    if (this.#peek()?.kind !== kind) throw new Unreadable();
    this.#at += 1;
  }
}

const truth: FilterValue = { kind: 'boolean', value: true };

/** Undefined for what has no operator in the builder. */
function conditionOf({ left, operator, right }: ReadComparison): FilterCondition | undefined {
  if (left.kind !== 'path') return undefined;
  const comparison =
    left.modifier === '' ? plainComparison(operator, right) : lengthComparison(left.modifier, operator, right);
  return comparison && { node: 'condition', path: left.path, comparison };
}

const plain: Readonly<Record<string, Extract<Comparison, { readonly value: FilterValue }>['operator']>> = {
  '=': 'equals',
  '!=': 'not_equals',
  '>': 'greater',
  '>=': 'at_least',
  '<': 'less',
  '<=': 'at_most',
  '?=': 'has',
};

function plainComparison(operator: string, right: Operand): Comparison | undefined {
  switch (right.kind) {
    case 'null':
      if (operator === '=') return { operator: 'empty' };
      return operator === '!=' ? { operator: 'not_empty' } : undefined;
    case 'value': {
      const { value } = right;
      if (operator === '~' || operator === '!~')
        return value.kind === 'text' ? patternComparison(operator, value.text) : undefined;
      const known = plain[operator];
      return known && { operator: known, value };
    }
    case 'variable':
      if (operator === '=' && right.name === '@request.auth.id') return { operator: 'mine' };
      return operator === '<' ? relative('longer_ago', right, '-') : undefined;
    case 'path':
      return undefined;
  }
}

function lengthComparison(modifier: string, operator: string, right: Operand): Comparison | undefined {
  if (modifier !== ':length' || right.kind !== 'value') return undefined;
  if (right.value.kind !== 'number' || right.value.digits !== '0') return undefined;
  if (operator === '=') return { operator: 'none' };
  return operator === '>' ? { operator: 'some' } : undefined;
}

const wildcard = /\\[%_\\]|[%_]/g;

/** A pattern that only has wildcards at its ends. */
function patternComparison(operator: '~' | '!~', pattern: string): Comparison | undefined {
  const places = [...pattern.matchAll(wildcard)].filter(([found]) => found.length === 1);
  const isOpen = (at: number): boolean => places.some(({ index, 0: found }) => index === at && found === '%');
  const begins = pattern.length > 0 && isOpen(0);
  const ends = pattern.length > 1 && isOpen(pattern.length - 1);
  if (places.length !== Number(begins) + Number(ends)) return undefined;
  const text = unescaped(pattern.slice(begins ? 1 : 0, ends ? -1 : undefined));
  if (operator === '!~') return begins && ends ? { operator: 'not_contains', text } : undefined;
  if (begins && ends) return { operator: 'contains', text };
  if (begins) return { operator: 'ends', text };
  return ends ? { operator: 'begins', text } : undefined;
}

const unescaped = (pattern: string): string => pattern.replaceAll(/\\([%_\\])/g, '$1');

const momentNames = ['@now', '@today'];

/** `@now - 7d`, in units that the builder has. */
function relative(
  operator: 'within_last' | 'within_next' | 'longer_ago',
  operand: Operand,
  sign: '-' | '+',
): Comparison | undefined {
  if (operand.kind !== 'variable' || !momentNames.includes(operand.name) || operand.shift[0] !== sign) return undefined;
  const [, amount, unit] = /^.(\d+)([mhdw])$/.exec(operand.shift) ?? [];
  if (amount === undefined || !isUnit(unit)) return undefined;
  return { operator, amount: Number(amount), unit, day: operand.name === '@today' };
}

const isUnit = (unit: string | undefined): unit is DurationUnit => unit !== undefined && 'mhdw'.includes(unit);

/** `(a >= x && a <= y)` as one condition. */
function rangeOf(first: ReadComparison, second: ReadComparison): FilterCondition | undefined {
  if (first.left.kind !== 'path' || second.left.kind !== 'path' || first.operator !== '>=') return undefined;
  const { path } = first.left;
  if (path !== second.left.path || first.left.modifier !== '' || second.left.modifier !== '') return undefined;
  const comparison = rangeComparison(first.right, second.operator, second.right);
  return comparison && { node: 'condition', path, comparison };
}

function rangeComparison(from: Operand, operator: string, to: Operand): Comparison | undefined {
  if (operator === '<') {
    if (isMoment(from, '@today') && isMoment(to, '@tomorrow')) return { operator: 'today' };
    return isMoment(from, '@yesterday') && isMoment(to, '@today') ? { operator: 'yesterday' } : undefined;
  }
  if (operator !== '<=') return undefined;
  if (from.kind === 'value' && to.kind === 'value') return { operator: 'between', from: from.value, to: to.value };
  if (from.kind !== 'variable' || to.kind !== 'variable' || from.name !== to.name) return undefined;
  if (to.shift === '') return relative('within_last', from, '-');
  return from.shift === '' ? relative('within_next', to, '+') : undefined;
}

const isMoment = (operand: Operand, name: string): boolean =>
  operand.kind === 'variable' && operand.name === name && operand.shift === '';
