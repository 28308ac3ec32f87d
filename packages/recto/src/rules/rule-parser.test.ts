import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { RuleError } from './rule-error.ts';
import { parseRule, ruleLimits } from './rule-parser.ts';
import type { ParsedNode, ParsedOperand } from './rule-tree.ts';

function operandShape(operand: ParsedOperand): string {
  switch (operand.node) {
    case 'path':
      return operand.parts.map(({ name }) => name).join('/') + (operand.modifier ? `:${operand.modifier.name}` : '');
    case 'variable':
      return `${operand.name}${operand.modifier ? `:${operand.modifier.name}` : ''}${operand.shift === 0 ? '' : ` ${operand.shift}`}`;
    case 'string':
      return JSON.stringify(operand.value);
    case 'number':
      return `#${operand.text}`;
    case 'boolean':
      return String(operand.value);
    case 'null':
      return 'null';
  }
}

/** A tree as text in prefix form. */
function shape(node: ParsedNode): string {
  switch (node.node) {
    case 'and':
    case 'or':
      return `${node.node}(${node.terms.map(shape).join(', ')})`;
    case 'membership': {
      const items = node.items.map(operandShape).join(', ');
      return `[${operandShape(node.operand)} ${node.negated ? 'not in' : 'in'} (${items})]`;
    }
    case 'comparison':
      return `[${operandShape(node.left)} ${node.operator} ${operandShape(node.right)}]`;
    case 'bare':
      return operandShape(node.operand);
  }
}

function errorOf(source: string): RuleError {
  try {
    parseRule(source);
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error(`${source} was taken for a rule`);
}

describe('a rule', () => {
  test.each([
    ['a', 'a'],
    ['a = 1', '[a = #1]'],
    ['a!="x"', '[a != "x"]'],
    ['a>1', '[a > #1]'],
    ['a>=-1.50', '[a >= #-1.50]'],
    ['a<-1', '[a < #-1]'],
    ['a<=1', '[a <= #1]'],
    ["a~'%x'", '[a ~ "%x"]'],
    ['a !~ b', '[a !~ b]'],
    ['a && b || c && d', 'or(and(a, b), and(c, d))'],
    ['a && (b || c) && d', 'and(a, or(b, c), d)'],
    ['a || b || c', 'or(a, b, c)'],
    ['((a))', 'a'],
    ['true || false', 'or(true, false)'],
    ['a = null', '[a = null]'],
    ['nullable = trueish', '[nullable = trueish]'],
    ['__meta.a-b.C_1 = sub-title', '[__meta/a-b/C_1 = sub-title]'],
    ['a.b:isset && c:length > 3', 'and(a/b:isset, [c:length > #3])'],
    ['@request.auth.id = @request.body.x', '[@request.auth.id = @request.body.x]'],
    ['@now', '@now'],
    [String.raw`a = "\\ \" \' \n \r \t"`, `[a = ${JSON.stringify('\\ " \' \n \r \t')}]`],
    [String.raw`a = '"\''`, `[a = ${JSON.stringify('"\'')}]`],
    ['a = "two\nlines"', '[a = "two\\nlines"]'],
    ['\n a\t=\r\n 1 ', '[a = #1]'],
    ['a in ["x", 1, true]', '[a in ("x", #1, true)]'],
    ["a:lower not in['x']&&b", 'and([a:lower not in ("x")], b)'],
    ['in = not && in in [1]', 'and([in = not], [in in (#1)])'],
    ['a // = "x"\n = 1 // b', '[a = #1]'],
    ['a = "// no comment"', '[a = "// no comment"]'],
    ['@request.body.x:isset', '@request.body.x:isset'],
    ['a > @now - 7d', '[a > @now -604800000]'],
    ['a > @now-2h', '[a > @now -7200000]'],
    ['@today + 1w > a', '[@today 604800000 > a]'],
    ['a>-1', '[a > #-1]'],
    [String.raw`a ~ "100\%"`, String.raw`[a ~ "100\\%"]`],
    [String.raw`a ~ "100\\%"`, String.raw`[a ~ "100\\%"]`],
    ['a = "&& || ( ) @x"', '[a = "&& || ( ) @x"]'],
  ])('%p', (source, expected) => {
    expect(shape(parseRule(source))).toBe(expected);
  });

  test('knows the place of each part', () => {
    const source = 'a = 1 && bc.de:isset';
    const tree = parseRule(source);
    if (tree.node !== 'and') throw new Error('no chain');
    const [first, second] = tree.terms;
    if (first?.node !== 'comparison' || second?.node !== 'bare' || second.operand.node !== 'path')
      throw new Error('other');
    const text = ({ span }: { span: { start: number; end: number } }) => source.slice(span.start, span.end);
    expect([tree, first, first.right, second, ...second.operand.parts].map(text)).toEqual([
      source,
      'a = 1',
      '1',
      'bc.de:isset',
      'bc',
      'de',
    ]);
    expect(second.operand.modifier && text(second.operand.modifier)).toBe(':isset');
  });
});

describe('no rule', () => {
  test.each([
    ['', 0, 'empty'],
    ['  ', 2, 'empty'],
    ['a =', 3, 'The end of the text'],
    ['= a', 0, '= stands where'],
    ['a &&', 4, 'The end of the text'],
    ['a && && b', 5, '&& stands where'],
    ['a b', 2, 'b stands where'],
    ['a = b = c', 6, 'two sides'],
    ['(a', 0, 'not closed'],
    ['(a b)', 3, 'b stands where'],
    ['a)', 1, 'closes nothing'],
    ['()', 1, ') stands where'],
    ['(a) = 1', 4, 'group conditions'],
    ['a = (b)', 4, '( stands where'],
    ['a = "x', 4, 'not closed'],
    ['a = \'x"', 4, 'not closed'],
    ['a = "\\x"', 5, 'escapes'],
    ['a = "\\', 5, 'escapes'],
    ['a == 1', 2, 'Write ='],
    ['a === 1', 2, 'Write ='],
    ['a !== 1', 2, 'Write !='],
    ['a <> 1', 2, 'Write !='],
    ['a => 1', 2, 'Write >='],
    ['a =< 1', 2, 'Write <='],
    ['a =~ "x"', 2, 'Write ~'],
    ['a & b', 2, 'Write &&'],
    ['a | b', 2, 'Write ||'],
    ['!a', 0, 'There is no NOT: write a != true.'],
    ['!a.b:isset && c', 0, 'There is no NOT: write a.b:isset != true.'],
    ['!(a = 1)', 0, 'negate each comparison and swap && and ||'],
    ['not a', 0, 'There is no NOT: write a != true.'],
    ['b && NOT a = 1', 5, 'There is no NOT: write != for ='],
    ['not (a = 1)', 0, 'negate each comparison and swap && and ||'],
    ['a ?== "x"', 2, 'Write ?= for equality with any of them.'],
    ['a ? = "x"', 2, 'There is no choice by ?'],
    ['a ? b : c', 2, 'There is no choice by ?'],
    ['a in ("x", \'y, z\')', 2, `Write the values of in in brackets: a in ["x", 'y, z'].`],
    ['a.b IN (1, 2)', 4, 'Write the values of in in brackets: a.b in [1, 2].'],
    ['a not in (1, 2)', 2, 'Write the values of not in in brackets: a not in [1, 2].'],
    ['a IN [1]', 2, 'Write the values of in in brackets'],
    ['a in []', 6, '] stands where'],
    ['a in [1', 7, 'The end of the text stands where , or ] belongs.'],
    ['a in [1 2]', 8, '2 stands where , or ] belongs.'],
    ['a in [1,]', 8, '] stands where'],
    ['a in [b]', 6, 'A list holds strings, numbers, true and false.'],
    ['a in [null]', 6, 'Write || … = null after it.'],
    [`a in [${Array.from({ length: 101 }, () => '1').join()}]`, 206, 'A list has at most 100 values.'],
    ['a not like "x"', 2, 'Write !~'],
    ['"x" in a', 4, 'Write the values of in in brackets'],
    ['a:length in (1, 2)', 9, 'a:length in [1, 2].'],
    ['lower(a) = "x"', 0, 'There are no functions. A to Z in lower case are :lower'],
    ['a = lower("x")', 4, 'There are no functions. A to Z'],
    ['length(a) > 1', 0, 'is :length'],
    ['a < now()', 4, 'Write @now'],
    ['a.b.startsWith("x")', 0, 'Write ~ with %'],
    ['isnull(a)', 0, 'Write = null or != null.'],
    ['geoDistance(a, b) < 1', 0, 'There are no functions. A rule compares'],
    ['@now() > a', 0, 'There are no functions.'],
    ['a contains "x"', 2, 'Write ~ with % on both sides'],
    ['a between 1 and 2', 2, 'Write two comparisons'],
    ['a = [1]', 4, '[ stands where'],
    ['a [1]', 2, 'A list stands only after in or not in'],
    ['a = 1, b = 2', 5, 'A list stands only after in or not in'],
    ['a = {:b}', 4, 'There are no placeholders'],
    ['a > b + 1', 6, 'An expression does not calculate'],
    ['a > @now - 7', 9, 'An expression does not calculate'],
    ['a = 1 /* b', 6, 'Write // for a comment'],
    ['// a', 4, 'cannot be empty'],
    ['a > @now - 7y', 9, 'does not calculate, but for times such as @now - 7d'],
    ['a > b - 7d', 6, 'does not calculate, but for times such as @now - 7d'],
    ['a > -7d', 4, '-7d stands where'],
    ['"x":lower = a', 3, 'Write the value itself in lower case.'],
    ['a and b', 2, 'Write &&'],
    ['a OR b', 2, 'Write ||'],
    ['a in b', 2, 'Write the values of in in brackets, such as in ["a", "b"].'],
    ['a is null', 2, 'Write = null or != null'],
    ['a like "x"', 2, 'Write ~'],
    ['a = 1 # no', 6, 'no meaning'],
    ['a = 1;', 5, 'no meaning'],
    ['a = 🙂', 4, '"🙂" has no meaning'],
    ['a..b', 1, 'dot'],
    ['a. b', 1, 'dot'],
    ['a = .5', 4, 'dot'],
    ['a = 1.', 5, 'dot'],
    ['a = 1e5', 5, 'e5 stands where'],
    ['a = -', 4, 'no meaning'],
    ['null:length = 1', 4, 'Only a field'],
    [':isset', 0, ':isset stands where'],
  ])('%p at %p', (source, position, reason) => {
    const error = errorOf(source);
    expect(error.position).toBe(position);
    expect(error.reason).toContain(reason);
    expect(error.message.split('\n').at(-1)).toMatch(/^ *\^+$/);
  });
});

describe('limits', () => {
  const { characters, nesting, conditions } = ruleLimits;
  const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
  const chained = (count: number) => Array.from({ length: count }, () => 'a').join('||');

  test.each([
    [nested(nesting), nested(nesting + 1), nesting],
    [chained(conditions), chained(conditions + 1), conditions * 3],
    ['a'.padEnd(characters), 'a'.padEnd(characters + 1), characters],
    ['a', '('.repeat(characters), nesting],
  ])('hold', (within, beyond, position) => {
    expect(() => parseRule(within)).not.toThrow();
    expect(errorOf(beyond).position).toBe(position);
  });

  test('count the depth, not the number of parentheses', () => {
    expect(() => parseRule(Array.from({ length: 150 }, () => '(a)').join('&&'))).not.toThrow();
  });
});

describe('any text', () => {
  /** Any text gives a tree or an error with a place in the text. */
  function isHandled(source: string): void {
    try {
      parseRule(source);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      expect(error.position).toBeGreaterThanOrEqual(0);
      expect(error.position).toBeLessThanOrEqual(source.length);
    }
  }

  const pieces = fc.constantFrom(
    ...[
      'a',
      'a.b',
      ':isset',
      ':',
      '@now',
      '@',
      '"',
      "'",
      '\\',
      '"x"',
      '1',
      '-1.5',
      '.',
      '(',
      ')',
      '&&',
      '||',
      '&',
      '=',
      '!=',
      '!',
      '~',
      '<',
      ' ',
      '\n',
      'null',
      '🙂',
      '\ud83d',
      '\0',
    ],
  );

  test('is a rule or an error with a place', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), isHandled), { numRuns: randomCases(1000) });
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
        isHandled,
      ),
      { numRuns: randomCases(3000) },
    );
  });

  test('is handled too when it was a rule before a change', () => {
    const rule =
      String.raw`(author.team = "x\"y" || @request.auth.role != 'admin') && tags:length >= -1.5 && !~null`.replace(
        '!~null',
        'a !~ "%"',
      );
    parseRule(rule);
    const change = fc.tuple(fc.nat(rule.length), fc.nat(4), fc.oneof(pieces, fc.constant('')));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        isHandled(
          changes.reduce((text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed), rule),
        );
      }),
      { numRuns: randomCases(3000) },
    );
  });
});
