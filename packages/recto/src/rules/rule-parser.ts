import { truncate } from '../base/truncate.ts';
import { calculationRemedy, functionRemedy, notRemedy, valueModifierRemedy, wordRemedy } from './foreign-spelling.ts';
import { RuleError } from './rule-error.ts';
import { lexRule, type RuleToken } from './rule-lexer.ts';
import type { ParsedLiteral, ParsedNode, ParsedOperand, ParsedPath, PathPart, Span } from './rule-tree.ts';

/** Bounds that keep any rule within what a parser's and a database's stack can take. */
export const ruleLimits = { what: 'A rule', characters: 10_000, nesting: 100, conditions: 200, values: 500 } as const;

/** Values of one `in`. */
const mostItems = 100;

export interface ExpressionLimits {
  /** What messages call the text. */
  readonly what: string;
  readonly characters: number;
  readonly nesting: number;
  readonly conditions: number;
  /** In all of its lists. */
  readonly values: number;
  /** Strings also stand for numbers of the kinds that are strings in JSON. */
  readonly quotedNumbers?: true;
}

/** `or = and {"||" and}`, `and = term {"&&" term}`, `term = "(" or ")" | operand [op operand | ["not"] "in" list]`. */
class Parser {
  readonly #source: string;
  readonly #limits: ExpressionLimits;
  readonly #tokens: readonly RuleToken[];
  #at = 0;
  #depth = 0;
  #conditions = 0;
  #values = 0;

  constructor(source: string, limits: ExpressionLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#tokens = lexRule(source);
  }

  parse(): ParsedNode {
    if (this.#peek().token === 'end') throw this.#error(`${this.#limits.what} cannot be empty.`, this.#peek().span);
    const tree = this.#chain('or');
    if (this.#peek().token !== 'end') throw this.#unexpectedAfterTerm();
    return tree;
  }

  #chain(node: 'or' | 'and'): ParsedNode {
    const next = () => (node === 'or' ? this.#chain('and') : this.#term());
    const first = next();
    if (this.#peek().token !== node) return first;
    const terms = [first];
    while (this.#peek().token === node) {
      this.#take();
      terms.push(next());
    }
    return { node, terms, span: { start: first.span.start, end: (terms.at(-1) ?? first).span.end } };
  }

  #term(): ParsedNode {
    const token = this.#peek();
    if (token.token === 'open') return this.#group();
    this.#conditions += 1;
    const { what, conditions } = this.#limits;
    if (this.#conditions > conditions) {
      throw this.#error(`${what} has at most ${conditions} conditions.`, token.span);
    }
    const left = this.#operand();
    const membership = this.#membership(left);
    if (membership !== undefined) return membership;
    const operator = this.#peek();
    if (operator.token !== 'operator') return { node: 'bare', operand: left, span: left.span };
    this.#take();
    const right = this.#operand();
    const span = { start: left.span.start, end: right.span.end };
    return { node: 'comparison', operator: operator.operator, any: operator.any, left, right, span };
  }

  /** `in […]` or `not in […]` after an operand; undefined for anything else. */
  #membership(operand: ParsedOperand): ParsedNode | undefined {
    const [first, second, third] = this.#tokens.slice(this.#at, this.#at + 3);
    const negated = isWord(first, 'not') && isWord(second, 'in');
    if (!negated && !isWord(first, 'in')) return undefined;
    if ((negated ? third : second)?.token !== 'open_list') return undefined;
    this.#at += negated ? 3 : 2;
    const items: ParsedLiteral[] = [];
    for (;;) {
      const item = this.#item();
      items.push(item);
      if (items.length > mostItems) throw this.#error(`A list has at most ${mostItems} values.`, item.span);
      const next = this.#take();
      if (next.token === 'close_list') {
        return { node: 'membership', negated, operand, items, span: { start: operand.span.start, end: next.span.end } };
      }
      if (next.token !== 'comma') throw this.#error(`${this.#shown(next)} stands where , or ] belongs.`, next.span);
    }
  }

  /** One value of a list. */
  #item(): ParsedLiteral {
    const item = this.#operand();
    if (item.node !== 'string' && item.node !== 'number' && item.node !== 'boolean') {
      const remedy = item.node === 'null' ? ' Write || … = null after it.' : '';
      throw this.#error(`A list holds strings, numbers, true and false.${remedy}`, item.span);
    }
    this.#values += 1;
    const { what, values } = this.#limits;
    if (this.#values > values) throw this.#error(`${what} has at most ${values} values in its lists.`, item.span);
    return item;
  }

  #group(): ParsedNode {
    const open = this.#take();
    this.#depth += 1;
    const { nesting } = this.#limits;
    if (this.#depth > nesting) {
      throw this.#error(`Parentheses nest at most ${nesting} deep.`, open.span);
    }
    const inside = this.#chain('or');
    const close = this.#peek();
    if (close.token === 'end') throw this.#error('This parenthesis is not closed.', open.span);
    if (close.token !== 'close') throw this.#unexpectedAfterTerm();
    this.#take();
    this.#depth -= 1;
    const next = this.#peek();
    if (next.token === 'operator') {
      throw this.#error('Parentheses group conditions, not values: join with && or ||.', next.span);
    }
    return inside;
  }

  #operand(): ParsedOperand {
    const token = this.#take();
    const { span } = token;
    switch (token.token) {
      case 'string':
        return this.#withoutModifier({
          ...{ node: 'string', value: token.value, span },
          ...(token.pattern === undefined ? {} : { pattern: token.pattern }),
          ...(this.#limits.quotedNumbers === undefined ? {} : { orNumber: true }),
        });
      case 'number':
        return this.#withoutModifier({ node: 'number', text: token.text, span });
      case 'variable':
        return this.#variable(token.text, span);
      case 'path':
        if (token.text === 'null') return this.#withoutModifier({ node: 'null', span });
        if (token.text === 'true' || token.text === 'false') {
          return this.#withoutModifier({ node: 'boolean', value: token.text === 'true', span });
        }
        return this.#path(token.text, span);
      default:
        throw this.#error(`${this.#shown(token)} stands where a field, a value or a variable belongs.`, span);
    }
  }

  #path(text: string, span: Span): ParsedPath {
    let start = span.start;
    const part = (name: string): PathPart => {
      const made = { name, span: { start, end: start + name.length } };
      start = made.span.end + 1;
      return made;
    };
    const [head = '', ...rest] = text.split('.');
    const parts: readonly [PathPart, ...PathPart[]] = [part(head), ...rest.map(part)];
    const next = this.#peek();
    if (next.token !== 'modifier') return { node: 'path', parts, modifier: null, span };
    this.#take();
    const modifier = { name: next.text.slice(1), span: next.span };
    return { node: 'path', parts, modifier, span: { start: span.start, end: next.span.end } };
  }

  #variable(name: string, span: Span): ParsedOperand {
    const next = this.#peek();
    if (next.token === 'modifier') {
      this.#take();
      const modifier = { name: next.text.slice(1), span: next.span };
      return { node: 'variable', name, modifier, shift: 0, span: { start: span.start, end: next.span.end } };
    }
    if (next.token !== 'duration') return { node: 'variable', name, modifier: null, shift: 0, span };
    this.#take();
    return {
      ...{ node: 'variable', name, modifier: null, shift: next.milliseconds },
      span: { start: span.start, end: next.span.end },
    };
  }

  #withoutModifier<Operand extends ParsedOperand>(operand: Operand): Operand {
    const next = this.#peek();
    if (next.token !== 'modifier') return operand;
    const written = this.#source.slice(operand.span.start, operand.span.end);
    const remedy = valueModifierRemedy(next.text.slice(1), written);
    throw this.#error(`Only a field can have ${next.text}. ${remedy}`, next.span);
  }

  #unexpectedAfterTerm(): RuleError {
    const before = this.#tokens[this.#at - 1];
    if (before?.token === 'path' && before.text.toLowerCase() === 'not') {
      return this.#error(notRemedy(this.#source, before.span.end), before.span);
    }
    const token = this.#peek();
    if (token.token === 'open' && (before?.token === 'path' || before?.token === 'variable')) {
      return this.#error(functionRemedy(before.text), { start: before.span.start, end: token.span.end });
    }
    const first = before?.token === 'modifier' ? this.#tokens[this.#at - 2] : before;
    const left = this.#source.slice(first?.span.start, before?.span.end);
    const remedy =
      token.token === 'path' ? wordRemedy(token.text, left, this.#source.slice(token.span.end)) : undefined;
    if (remedy !== undefined) return this.#error(remedy, token.span);
    if (token.token === 'duration') return this.#error(calculationRemedy, token.span);
    if (token.token === 'open_list' || token.token === 'comma' || token.token === 'close_list') {
      return this.#error('A list stands only after in or not in, such as status in ["a", "b"].', token.span);
    }
    if (token.token === 'close') return this.#error('This parenthesis closes nothing.', token.span);
    if (token.token === 'operator') {
      return this.#error('A comparison has two sides: join several comparisons with && or ||.', token.span);
    }
    return this.#error(`${this.#shown(token)} stands where && or || or the end belongs.`, token.span);
  }

  #shown(token: RuleToken): string {
    if (token.token === 'end') return 'The end of the text';
    return truncate(this.#source.slice(token.span.start, token.span.end), 40);
  }

  #peek(): RuleToken {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('A rule was read past its end.');
    if (token.token === 'unreadable') throw token.error;
    return token;
  }

  #take(): RuleToken {
    const token = this.#peek();
    if (token.token !== 'end') this.#at += 1;
    return token;
  }

  #error(reason: string, span: Span): RuleError {
    return new RuleError(reason, this.#source, span);
  }
}

const isWord = (token: RuleToken | undefined, word: string): boolean => token?.token === 'path' && token.text === word;

/** The tree of a rule's text, with places. Throws a RuleError for any text that is no rule; never anything else. */
export function parseRule(source: string, limits: ExpressionLimits = ruleLimits): ParsedNode {
  const { what, characters } = limits;
  if (source.length > characters) {
    const span = { start: characters, end: characters + 1 };
    throw new RuleError(`${what} has at most ${characters} characters.`, source, span);
  }
  return new Parser(source, limits).parse();
}
