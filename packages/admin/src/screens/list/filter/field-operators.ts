import type { FieldKind } from '../data/list-fields.ts';
import type { Comparison, FilterValue, Operator } from './filter-tree.ts';

/** The operators that the builder offers for a kind of field, the most likely first. */
export function operatorsFor(
  kind: FieldKind,
  { required: isRequired = false, isAccount = false } = {},
): readonly Operator[] {
  const all = kind === 'id' && isAccount ? (['mine', ...byKind.id] as const) : byKind[kind];
  return isRequired ? all.filter((operator) => operator !== 'empty' && operator !== 'not_empty') : all;
}

const ordered = [
  'at_least',
  'at_most',
  'between',
  'equals',
  'not_equals',
  'greater',
  'less',
  'empty',
  'not_empty',
] as const;

const byKind: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: ['contains', 'equals', 'begins', 'ends', 'not_contains', 'not_equals', 'empty', 'not_empty'],
  richtext: ['contains', 'not_contains', 'empty', 'not_empty'],
  number: ['equals', ...ordered.filter((operator) => operator !== 'equals')],
  boolean: ['equals', 'empty', 'not_empty'],
  date: ['within_last', 'within_next', 'longer_ago', 'today', 'yesterday', ...ordered],
  datetime: ['within_last', 'within_next', 'longer_ago', 'today', 'yesterday', ...ordered],
  time: ordered,
  choice: ['in', 'not_in', 'equals', 'not_equals', 'empty', 'not_empty'],
  status: ['in', 'not_in', 'equals', 'not_equals'],
  relation: ['equals', 'not_equals', 'empty', 'not_empty'],
  relations: ['has', 'some', 'none'],
  media: ['not_empty', 'empty'],
  id: ['equals', 'not_equals', 'empty', 'not_empty'],
  tags: [],
  structure: [],
};

/** A comparison to begin with, whose values are still to be given. `isDay`: the field has no time. */
export function startComparison(operator: Operator, kind: FieldKind): Comparison {
  switch (operator) {
    case 'contains':
    case 'not_contains':
    case 'begins':
    case 'ends':
      return { operator, text: '' };
    case 'in':
    case 'not_in':
      return { operator, values: [] };
    case 'between':
      return { operator, from: noValue(kind), to: noValue(kind) };
    case 'within_last':
    case 'within_next':
    case 'longer_ago':
      return { operator, amount: 7, unit: 'd', day: kind === 'date' };
    case 'empty':
    case 'not_empty':
    case 'none':
    case 'some':
    case 'today':
    case 'yesterday':
    case 'mine':
      return { operator };
    default:
      return { operator, value: kind === 'boolean' ? { kind: 'boolean', value: true } : noValue(kind) };
  }
}

const noValue = (kind: FieldKind): FilterValue =>
  kind === 'number' ? { kind: 'number', digits: '' } : { kind: 'text', text: '' };

/** The same values for another operator, where it takes such. */
export function withOperator(before: Comparison, operator: Operator, kind: FieldKind): Comparison {
  const next = startComparison(operator, kind);
  if ('text' in next && 'text' in before) return { ...next, text: before.text };
  if ('text' in next && 'value' in before && before.value.kind === 'text') return { ...next, text: before.value.text };
  if ('value' in next && 'value' in before) return { ...next, value: before.value };
  if ('value' in next && 'text' in before) return { ...next, value: { kind: 'text', text: before.text } };
  if ('values' in next && 'values' in before) return { ...next, values: before.values };
  if ('values' in next && 'value' in before) return isGiven(before.value) ? { ...next, values: [before.value] } : next;
  const [first] = 'values' in before ? before.values : [];
  if ('value' in next && first !== undefined) return { ...next, value: first };
  if ('amount' in next && 'amount' in before) return { ...before, operator: next.operator };
  return next;
}

const isGiven = (value: FilterValue): boolean =>
  value.kind === 'boolean' || (value.kind === 'text' ? value.text !== '' : /^-?\d+(?:\.\d+)?$/.test(value.digits));

/** Whether all values are given, so that it can be sent. */
export function isComplete(comparison: Comparison): boolean {
  if ('text' in comparison) return comparison.text !== '';
  if ('value' in comparison) return isGiven(comparison.value);
  if ('values' in comparison) return comparison.values.length > 0;
  if ('from' in comparison) return isGiven(comparison.from) && isGiven(comparison.to);
  if ('amount' in comparison)
    return Number.isInteger(comparison.amount) && comparison.amount > 0 && comparison.amount < 1_000_000;
  return true;
}
