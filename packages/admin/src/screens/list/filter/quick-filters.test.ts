import { expect, test } from 'bun:test';
import type { ListField } from '../data/list-fields.ts';
import { emptyFilter } from './filter-tree.ts';
import { hasQuickFilters } from './has-quick-filters.ts';
import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';
import { quickFilters } from './quick-filters.ts';

const field = (name: string, more: Partial<ListField>): ListField => ({
  ...{ name, label: name, kind: 'text', values: [], target: null, sortable: true, filterable: true },
  ...{ settable: true, required: false, isAccount: false },
  ...more,
});
const fields = [
  field('title', {}),
  field('featured', { kind: 'boolean' }),
  field('kind', { kind: 'choice', values: ['news', 'essay', 'note'] }),
  field('country', { kind: 'choice', values: Array.from({ length: 30 }, (_, index) => `c${index}`) }),
  field('cover', { kind: 'media' }),
  field('photos', { kind: 'media', filterable: false }),
  field('created_by', { kind: 'id', isAccount: true }),
  field('updated_by', { kind: 'id', isAccount: true }),
];
const groups = quickFilters(fields);
const filter = (key: string) => {
  const found = groups.flatMap((group) => group.filters).find((each) => each.key === key);
  if (found === undefined) throw new Error(key);
  return found;
};
const click = (text: string, key: string): string => printFilter(filter(key).toggled(parseFilter(text) ?? emptyFilter));

test('the fields of a type suggest them', () => {
  expect(groups.map(({ key }) => key)).toEqual(['created_by', 'featured', 'kind', 'cover']);
  expect(hasQuickFilters(fields)).toBe(true);
  expect(hasQuickFilters(fields.slice(0, 1))).toBe(false);
});

test('one click sets a condition beside the others, and one takes it back', () => {
  for (const [key, text] of [
    ['featured', 'featured = true'],
    ['created_by', 'created_by = @request.auth.id'],
    ['cover', 'cover = null'],
    ['kind:news', 'kind = "news"'],
  ] as const) {
    expect(click('', key)).toBe(text);
    expect(click(text, key)).toBe('');
    expect(click('title ~ "a%"', key)).toBe(`title ~ "a%" && ${text}`);
    expect(click(`title ~ "a%" && ${text}`, key)).toBe('title ~ "a%"');
    expect(filter(key).isOn(parseFilter(text) ?? emptyFilter)).toBe(true);
    expect(filter(key).isOn(parseFilter(`title = "x" || ${text}`) ?? emptyFilter)).toBe(false);
    expect(click(`title = "x" || title = "y"`, key)).toBe(`(title = "x" || title = "y") && ${text}`);
  }
});

test('values of a choice are alternatives', () => {
  expect(click('kind = "news"', 'kind:note')).toBe('kind in ["news", "note"]');
  expect(click('kind in ["news", "note"]', 'kind:news')).toBe('kind = "note"');
});
