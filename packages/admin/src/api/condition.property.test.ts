import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { anonymous } from '../../../recto/src/base/caller.ts';
import { compileRule } from '../../../recto/src/rules/compile-rule.ts';
import { conditionJson } from '../../../recto/src/rules/condition-json.ts';
import { evaluateRule } from '../../../recto/src/rules/rule-evaluator.ts';
import type { RuleField, RuleScope } from '../../../recto/src/rules/rule-scope.ts';
import type { JsonValue, Scalar, ScalarKind } from '../../../recto/src/values/value-kind.ts';
import { type Condition, hiddenFields, holds } from './condition.ts';

// What the browser makes of a condition must be what the service makes of the rule.

const kinds: Readonly<Record<string, ScalarKind>> = {
  title: 'text',
  kind: 'text',
  views: 'integer',
  big: 'bigint',
  rating: 'float',
  price: 'decimal',
  open: 'boolean',
  at: 'datetime',
  day: 'date',
};
const fields = new Map<string, RuleField>([
  ...Object.entries(kinds).map(([name, kind]): [string, RuleField] => [name, { shape: 'scalar', kind, column: name }]),
  ['meta', { shape: 'json', column: 'meta' }],
]);
const scope: RuleScope = {
  type: 'thing',
  table: 'cms_thing',
  field: (name) => fields.get(name),
  fieldNames: [...fields.keys()],
};

const word = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'event', 'Event', 'é', '🙂', '\uffff', 'a%b', '_'),
  fc.string({ unit: fc.constantFrom('a', 'B', '%', '_', '\\', '🙂', '.', '*', '-'), maxLength: 5 }),
);
const decimal = fc.stringMatching(/^-?[1-9]\d{0,3}\.\d{0,2}[1-9]$/);
const values: Readonly<Record<string, fc.Arbitrary<Scalar>>> = {
  title: word,
  kind: word,
  views: fc.integer({ min: -5, max: 5 }),
  big: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  rating: fc.constantFrom(-1.5, 0, 0.5, 2),
  price: fc.oneof(decimal, fc.constantFrom('0', '-0.5', '10', '9.99')),
  open: fc.boolean(),
  at: fc.constantFrom('2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.001Z', '2025-01-01T00:00:00.000Z'),
  day: fc.constantFrom('2026-11-21', '2025-01-01'),
};
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(fc.constant(null), word, fc.constantFrom(0, 1, 2.5), fc.boolean()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

const literal = (value: Scalar, kind: ScalarKind = 'text'): string =>
  typeof value === 'string' && kind !== 'decimal' ? JSON.stringify(value) : String(value);
const names = fc.constantFrom(...Object.keys(kinds));
const ofField = (name: string): fc.Arbitrary<Scalar> => values[name] ?? fc.constant('');
const comparison = names.chain((name) => {
  const operators = name === 'open' ? ['=', '!='] : ['=', '!=', '<', '<=', '>', '>='];
  const own = fc
    .tuple(fc.constantFrom(...operators), ofField(name))
    .map(([operator, value]) => `${name} ${operator} ${literal(value, kinds[name])}`);
  const list = fc
    .tuple(fc.constantFrom('in', 'not in'), fc.array(ofField(name), { minLength: 1, maxLength: 3 }))
    .map(([operator, items]) => `${name} ${operator} [${items.map((item) => literal(item, kinds[name])).join(', ')}]`);
  return fc.oneof(own, list, fc.constantFrom(`${name} = null`, `${name} != null`, `${name}:isset`));
});
const ofText = fc
  .tuple(fc.constantFrom('title', 'kind', 'title:lower', 'meta.a'), fc.constantFrom('~', '!~', '=', '<'), word)
  // No text in lower case equals one that is not, which is an error of the rule.
  .map(
    ([name, operator, value]) =>
      `${name} ${operator} ${literal(name.endsWith(':lower') ? value.toLowerCase() : value)}`,
  );
const others = fc.oneof(
  fc.constantFrom(
    'title = kind',
    'title ~ kind',
    'title !~ kind',
    'title < kind',
    'title:length > 2',
    'views > rating',
  ),
  fc.constantFrom(
    'meta:length > 1',
    'meta.a:length > 0',
    'meta.a:isset',
    'meta = null',
    'meta.a.b = true',
    'meta.a = 1',
  ),
  fc.constantFrom('meta ?= "a"', 'meta.a ?!= "a"', 'meta.a ?> 0', 'meta.b ?~ "%a"', 'meta.a = null'),
);
const rule = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(comparison, ofText, others),
    fc
      .tuple(tie('rule'), fc.constantFrom('&&', '||'), tie('rule'))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
  ),
})).rule;
const record = fc.record(
  { ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.option(value)])), meta: json },
  { requiredKeys: [] },
);

/** What a form has: what JSON has. */
const inForm = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('a condition holds in the browser where its rule holds in the service', () => {
  const environment = { caller: anonymous, query: new Map<string, string>(), body: null, now: '' };
  let held = 0;
  fc.assert(
    fc.property(rule, record, (source, made) => {
      const values: Readonly<Record<string, Scalar | JsonValue | undefined>> = made;
      const compiled = compileRule(source, scope, 'none');
      const expected = evaluateRule(
        compiled,
        { get: (name) => values[name] ?? null, related: () => null, count: () => 0, holdsForAny: () => false },
        environment,
      );
      // As it arrives.
      const condition: Condition = JSON.parse(JSON.stringify(conditionJson(compiled)));
      held += Number(expected);
      expect([source, holds(condition, (name) => inForm(values[name] ?? null))]).toEqual([source, expected]);
    }),
    { numRuns: randomCases(2_000) },
  );
  expect(held).toBeGreaterThan(0);
});

test('what is not shown counts as empty', () => {
  const shown = (name: string, condition: Condition) => ({ name, show_if: { condition } });
  const is = (field: string, value: unknown): Condition => ({
    operator: '=',
    kind: 'text',
    left: { field },
    right: { value },
  });
  const fields = [shown('c', is('b', 'x')), { name: 'a' }, shown('b', is('a', 'x'))];
  expect([...hiddenFields(fields, { a: 'x', b: 'x' })]).toEqual([]);
  expect([...hiddenFields(fields, { a: 'y', b: 'x' })].toSorted()).toEqual(['b', 'c']);
  expect([...hiddenFields(fields, {})].toSorted()).toEqual(['b', 'c']);
});
