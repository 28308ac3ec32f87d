import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../../test/support/random-cases.ts';
import { completeEscapes } from '../../../../../recto/src/rules/like.ts';
import { parseRule } from '../../../../../recto/src/rules/rule-parser.ts';
import type { Comparison, FilterGroup, FilterNode, FilterValue } from './filter-tree.ts';
import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';

// The service's own parser is what a text means here: printing what was parsed must not change that.

const word = fc.constantFrom('title', 'views', 'author.name', 'topics', 'not_in', 'in', '_x-1');
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('%', '_', '\\', '"', "'", '\n', 'a', ' ', '/'), maxLength: 8 }),
);
const digits = fc
  .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.stringMatching(/^(?:\.\d{1,20})?$/))
  .map(([whole, rest]) => `${whole}${rest}`);
const value: fc.Arbitrary<FilterValue> = fc.oneof(
  text.map((written) => ({ kind: 'text', text: written }) as const),
  digits.map((written) => ({ kind: 'number', digits: written }) as const),
  fc.boolean().map((truth) => ({ kind: 'boolean', value: truth }) as const),
);
const relative = fc.record({
  amount: fc.integer({ min: 0, max: 999_999 }),
  unit: fc.constantFrom('m', 'h', 'd', 'w'),
  day: fc.boolean(),
});
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('equals', 'not_equals', 'greater', 'at_least', 'less', 'at_most', 'has'),
    value,
  }),
  fc.record({ operator: fc.constantFrom('contains', 'not_contains'), text }),
  // Without a text, one is the other.
  fc.record({ operator: fc.constantFrom('begins', 'ends'), text: text.filter((written) => written !== '') }),
  fc.record({ operator: fc.constantFrom('in', 'not_in'), values: fc.array(value, { minLength: 1, maxLength: 4 }) }),
  fc.record({ operator: fc.constant('between' as const), from: value, to: value }),
  fc.record({
    operator: fc.constantFrom('empty', 'not_empty', 'none', 'some', 'today', 'yesterday', 'mine'),
  }),
  fc
    .tuple(fc.constantFrom('within_last', 'within_next', 'longer_ago'), relative)
    .map(([operator, rest]) => ({ operator, ...rest })),
);
const condition = fc.record({ node: fc.constant('condition' as const), path: word, comparison });
const kept = fc
  .constantFrom('@now > created_at', 'title:lower = "a"', 'topics.slug ?!= "x"', 'a = b', '"x" = title', 'a ~ "b%c"')
  .map((written) => ({ node: 'text', text: written }) as const);

const group: fc.Arbitrary<FilterGroup> = fc.letrec<{ node: FilterNode; group: FilterGroup }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, condition, kept, tie('group')),
  group: fc.record({
    node: fc.constant('group' as const),
    join: fc.constantFrom('and', 'or'),
    items: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
  }),
})).group;

/** What the service reads, without places. */
function meaning(source: string): unknown {
  const limits = { what: 'A filter', characters: 1_000_000, nesting: 1_000, conditions: 10_000, values: 10_000 };
  return JSON.parse(
    JSON.stringify(parseRule(source, limits), (key, found) =>
      key === 'span' || key === 'pattern' ? undefined : found,
    ),
  );
}

/** Two comparisons that a reader would take for one, as the parser does. */
const canonical = (tree: FilterGroup): FilterGroup => parseFilter(printFilter(tree)) ?? tree;

describe('a filter', () => {
  test('that is printed is read as it was', () => {
    fc.assert(
      fc.property(group, (tree) => {
        const printed = printFilter(tree);
        expect(() => meaning(printed)).not.toThrow();
        const once = canonical(tree);
        expect(printFilter(once)).toBe(printed);
        expect(canonical(once)).toEqual(once);
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('of one condition is read as exactly that condition', () => {
    fc.assert(
      fc.property(condition, (item) => {
        expect(parseFilter(printFilter({ node: 'group', join: 'and', items: [item] }))).toEqual({
          ...{ node: 'group', join: 'and', items: [item] },
        });
      }),
      { numRuns: randomCases(500) },
    );
  });

  const operand = fc.oneof(
    word,
    fc.constantFrom(
      'null',
      'true',
      '@now',
      '@today - 3d',
      '@now + 2s',
      '@request.auth.id',
      'title:lower',
      'a:length',
      '0',
    ),
    value.map((of) =>
      printFilter({
        node: 'group',
        join: 'and',
        items: [{ node: 'condition', path: 'x', comparison: { operator: 'equals', value: of } }],
      }).slice(4),
    ),
    text.map((written) => `'${written.replace(/['\\]/g, '\\$&')}'`),
  );
  const operator = fc.constantFrom('=', '!=', '>', '>=', '<', '<=', '~', '!~', '?=', '?~', '?!=');
  const term = fc.oneof(
    fc.tuple(operand, operator, operand).map((parts) => parts.join(' ')),
    fc.tuple(word, operator, operand).map((parts) => parts.join('')),
    fc
      .tuple(operand, fc.constantFrom('in', 'not in'), fc.array(digits, { minLength: 1 }))
      .map(([left, between, items]) => `${left} ${between} [${items.join(',')}]`),
    operand,
  );
  const expression = fc.letrec<{ any: string; chain: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      term,
      term,
      tie('chain').map((inside) => `(${inside})`),
    ),
    chain: fc
      .array(fc.tuple(fc.constantFrom(' && ', '||', '\n&&\t'), tie('any')), { minLength: 1, maxLength: 4 })
      .map((items) => items.map(([join, item], index) => (index === 0 ? item : join + item)).join('')),
  })).chain;

  /** A boolean field alone is what equals true. In a pattern, a backslash that escapes nothing stands for itself. */
  const same = (tree: unknown): unknown =>
    JSON.parse(JSON.stringify(tree), (_, found) => {
      if (found?.node === 'bare' && found.operand.node === 'path' && found.operand.modifier === null)
        return {
          ...{ node: 'comparison', operator: '=', any: false, left: found.operand },
          right: { node: 'boolean', value: true },
        };
      if (found?.node === 'comparison' && /~/.test(found.operator) && found.right.node === 'string')
        return { ...found, right: { ...found.right, value: completeEscapes(found.right.value) } };
      return found;
    });

  test('that someone wrote keeps its meaning', () => {
    let shown = 0;
    fc.assert(
      fc.property(expression, (source) => {
        let before: unknown;
        try {
          before = meaning(source);
        } catch {
          return;
        }
        const tree = parseFilter(source);
        expect(tree).toBeDefined();
        if (tree === undefined) return;
        expect(same(meaning(printFilter(tree)))).toEqual(same(before));
        shown += 1;
      }),
      { numRuns: randomCases(1_000) },
    );
    expect(shown).toBeGreaterThan(100);
  });

  test('is never an error to read, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab =!<>~?&|()[],"\\\'@:.-0 5d/\n'), maxLength: 30 }),
        (source) => {
          const tree = parseFilter(source);
          if (tree === undefined || source.trim() === '') return;
          let before: unknown;
          try {
            before = meaning(source);
          } catch {
            return;
          }
          expect(same(meaning(printFilter(tree)))).toEqual(same(before));
        },
      ),
      { numRuns: randomCases(2_000) },
    );
  });
});
