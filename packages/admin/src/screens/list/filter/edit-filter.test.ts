import { expect, test } from 'bun:test';
import { completeParts, demandedValues, demandsValue, withDemand, withValueDemand } from './edit-filter.ts';
import { emptyFilter } from './filter-tree.ts';
import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';

const read = (text: string) => parseFilter(text) ?? emptyFilter;

test.each([
  ['', 'status = "draft"'],
  ['views > 5', 'views > 5 && status = "draft"'],
  ['status = "published" && views > 5', 'views > 5 && status = "draft"'],
  ['status in ["published", "draft"]', 'status = "draft"'],
  ['views > 5 || featured = true', '(views > 5 || featured = true) && status = "draft"'],
])('%s with a status becomes %s', (before, after) => {
  const changed = withDemand(read(before), 'status', ['draft']);
  expect(printFilter(changed)).toBe(after);
  expect(demandedValues(read(after), 'status')).toEqual(['draft']);
});

test('several statuses, and none', () => {
  expect(printFilter(withDemand(read('a = 1'), 'status', ['x', 'y']))).toBe('a = 1 && status in ["x", "y"]');
  expect(printFilter(withDemand(read('a = 1 && status = "x"'), 'status', []))).toBe('a = 1');
  expect(printFilter(withDemand(read('a = 1 || status = "x"'), 'status', []))).toBe('a = 1 || status = "x"');
  expect(demandedValues(read('a = 1 || status = "x"'), 'status')).toBeUndefined();
});

test.each([
  ['', 'at != null'],
  ['views > 5', 'views > 5 && at != null'],
  ['at != null && views > 5', 'views > 5 && at != null'],
  ['at = null', 'at = null && at != null'],
  ['views > 5 || at != null', '(views > 5 || at != null) && at != null'],
])('%s with a value demanded becomes %s', (before, after) => {
  expect(printFilter(withValueDemand(read(before), 'at', true))).toBe(after);
  expect(demandsValue(read(after), 'at')).toBe(true);
});

test.each([
  ['at != null', ''],
  ['views > 5 && at != null', 'views > 5'],
  ['at = null', 'at = null'],
  ['views > 5 || at != null', 'views > 5 || at != null'],
])('%s without that becomes %s', (before, after) => {
  expect(printFilter(withValueDemand(read(before), 'at', false))).toBe(after);
  expect(demandsValue(read(after), 'at')).toBe(false);
});

test('what has no value yet is left out', () => {
  const group = {
    node: 'group',
    join: 'and',
    items: [
      { node: 'condition', path: 'a', comparison: { operator: 'contains', text: '' } },
      {
        node: 'group',
        join: 'or',
        items: [{ node: 'condition', path: 'a', comparison: { operator: 'in', values: [] } }],
      },
      { node: 'condition', path: 'b', comparison: { operator: 'empty' } },
    ],
  } as const;
  expect(printFilter(completeParts(group))).toBe('b = null');
});
