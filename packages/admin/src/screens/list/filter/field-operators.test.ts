import { expect, test } from 'bun:test';
import { parseRule } from '../../../../../recto/src/rules/rule-parser.ts';
import type { FieldKind } from '../data/list-fields.ts';
import { isComplete, operatorsFor, startComparison, withOperator } from './field-operators.ts';
import type { Comparison } from './filter-tree.ts';
import { printFilter } from './print-filter.ts';

const kinds: readonly FieldKind[] = [
  ...(['text', 'richtext', 'number', 'boolean', 'date', 'datetime', 'time', 'choice', 'status'] as const),
  ...(['relation', 'relations', 'media', 'id', 'tags', 'structure'] as const),
];

const given = (comparison: Comparison): Comparison => {
  const value = { kind: 'number', digits: '5' } as const;
  if ('text' in comparison) return { ...comparison, text: 'a' };
  if ('value' in comparison && comparison.value.kind !== 'boolean') return { ...comparison, value };
  if ('values' in comparison) return { ...comparison, values: [value] };
  return 'from' in comparison ? { ...comparison, from: value, to: value } : comparison;
};

test.each(kinds)('every operator of %s leads to a filter', (kind) => {
  for (const operator of operatorsFor(kind)) {
    const comparison = given(startComparison(operator, kind));
    expect([operator, isComplete(comparison)]).toEqual([operator, true]);
    const text = printFilter({ node: 'group', join: 'and', items: [{ node: 'condition', path: 'a', comparison }] });
    expect(() => parseRule(text)).not.toThrow();
    for (const other of operatorsFor(kind)) expect(withOperator(comparison, other, kind).operator).toBe(other);
  }
});

test('only the id of an account is compared with the reader', () => {
  expect(operatorsFor('id')).not.toContain('mine');
  expect(operatorsFor('id', { isAccount: true })[0]).toBe('mine');
});

test('values stay where the other operator takes such', () => {
  const text = { operator: 'contains', text: 'ink' } as const;
  expect(withOperator(text, 'equals', 'text')).toEqual({ operator: 'equals', value: { kind: 'text', text: 'ink' } });
  expect(withOperator(withOperator(text, 'equals', 'text'), 'begins', 'text')).toEqual({
    operator: 'begins',
    text: 'ink',
  });
  const draft = { kind: 'text', text: 'draft' } as const;
  expect(withOperator({ operator: 'in', values: [draft] }, 'equals', 'choice')).toEqual({
    operator: 'equals',
    value: draft,
  });
  expect(withOperator({ operator: 'equals', value: draft }, 'not_in', 'choice')).toEqual({
    operator: 'not_in',
    values: [draft],
  });
});

test('what has no value yet is not sent', () => {
  for (const kind of kinds)
    for (const operator of operatorsFor(kind)) {
      const start = startComparison(operator, kind);
      const needs = 'text' in start || 'values' in start || 'from' in start || ('value' in start && kind !== 'boolean');
      expect([operator, isComplete(start)]).toEqual([operator, !needs]);
    }
});
