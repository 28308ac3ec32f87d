import { expect, test } from 'bun:test';
import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';

const only = (source: string): unknown => {
  const [item, ...others] = parseFilter(source)?.items ?? [];
  expect(others).toEqual([]);
  return item?.node === 'condition' ? { path: item.path, ...item.comparison } : item;
};
const text = (value: string) => ({ kind: 'text', text: value });

test.each([
  ['status = "draft"', { path: 'status', operator: 'equals', value: text('draft') }],
  ["status = 'draft'", { path: 'status', operator: 'equals', value: text('draft') }],
  ['price >= 10.500', { path: 'price', operator: 'at_least', value: { kind: 'number', digits: '10.500' } }],
  ['title ~ "%100\\% %"', { path: 'title', operator: 'contains', text: '100% ' }],
  ['title ~ "%100\\\\% %"', { path: 'title', operator: 'contains', text: '100% ' }],
  ['title ~ "a%"', { path: 'title', operator: 'begins', text: 'a' }],
  ['title ~ "%a"', { path: 'title', operator: 'ends', text: 'a' }],
  ['title ~ "a%b"', { node: 'text', text: 'title ~ "a%b"' }],
  ['title ~ "a_"', { node: 'text', text: 'title ~ "a_"' }],
  ['featured', { path: 'featured', operator: 'equals', value: { kind: 'boolean', value: true } }],
  ['author.name != null', { path: 'author.name', operator: 'not_empty' }],
  ['slug in ["a", "b"]', { path: 'slug', operator: 'in', values: [text('a'), text('b')] }],
  ['slug not in ["a"]', { path: 'slug', operator: 'not_in', values: [text('a')] }],
  ['topics ?= "a"', { path: 'topics', operator: 'has', value: text('a') }],
  ['topics:length = 0', { path: 'topics', operator: 'none' }],
  ['(at >= @now - 7d && at <= @now)', { path: 'at', operator: 'within_last', amount: 7, unit: 'd', day: false }],
  ['(at >= @today && at < @tomorrow)', { path: 'at', operator: 'today' }],
  [
    '(a >= 1 && a <= 5)',
    { path: 'a', operator: 'between', from: { kind: 'number', digits: '1' }, to: { kind: 'number', digits: '5' } },
  ],
  ['created_by = @request.auth.id', { path: 'created_by', operator: 'mine' }],
  ['title:lower = "a"', { node: 'text', text: 'title:lower = "a"' }],
])('%s', (source, expected) => {
  expect(only(source)).toEqual(expected);
});

test.each(['title = ', 'title = "a', '(a = 1', 'a = 1)', 'a == 1 b', 'a = 1 // why', 'a in [b]', '"\\x" = a'])(
  '%s can only be edited as text',
  (source) => {
    expect(parseFilter(source)).toBeUndefined();
  },
);

test('groups are shown as they are, and print as they were', () => {
  const source = 'featured = true && (status = "draft" || (views > 5 && title:lower = "a"))';
  expect(parseFilter(source)).toMatchObject({
    join: 'and',
    items: [{}, { join: 'or', items: [{}, { join: 'and', items: [{}, { node: 'text' }] }] }],
  });
  expect(printFilter(parseFilter(source) ?? { node: 'group', join: 'and', items: [] })).toBe(source);
});

test('groups without conditions print nothing', () => {
  const none = { node: 'group', join: 'or', items: [] } as const;
  expect(printFilter({ ...none, items: [none, { ...none, items: [none] }] })).toBe('');
});
