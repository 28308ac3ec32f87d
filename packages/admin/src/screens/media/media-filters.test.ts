import { expect, test } from 'bun:test';
import { folderTree } from './folder-tree.ts';
import { filterQuery, isFiltered, listParameters, readFilters } from './media-filters.ts';

const read = (query: string) => readFilters(new URLSearchParams(query));

test('filters stand in the address and come back from it', () => {
  for (const query of [
    '',
    'search=harbour+at+night&folder=travel%2Flisbon&tag=sea&kind=image&size=large&time=week&used=false&visibility=private&alt=missing&order=name',
    'folder=',
    'used=true',
  ])
    expect(filterQuery(read(query)).toString()).toBe(query);
  // What is wrong is left out.
  expect(filterQuery(read('kind=houses&size=9&used=maybe&order=odd&visibility=secret&alt=long')).toString()).toBe('');
  expect([isFiltered(read('order=name')), isFiltered(read('search=+')), isFiltered(read('folder='))]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a folder is a value in the filter, whatever it is called', () => {
  const folder = 'a"b\\c%_';
  expect(listParameters({ ...read(''), folder })).toEqual({
    filter: String.raw`(folder = "a\"b\\c%_" || folder ~ "a\"b\\\\c\\%\\_/%")`,
    sort: 'created_at:desc',
  });
  expect(listParameters({ ...read(''), folder: 'a', kind: 'image' }).filter).toBe(
    '(folder = "a" || folder ~ "a/%") && mime_type ~ "image/%"',
  );
  expect(listParameters({ ...read(''), folder: null, kind: 'image' })).toEqual({
    filter: 'folder = null && mime_type ~ "image/%"',
    sort: 'created_at:desc',
  });
});

test('pictures by their alternative texts: an empty one is that of a decorative picture', () => {
  const conditionOf = (alt: string) => listParameters(read(`alt=${alt}`)).filter;
  expect(['missing', 'written', 'decorative'].map(conditionOf)).toEqual([
    'mime_type ~ "image/%" && alt = null',
    'mime_type ~ "image/%" && alt != null && alt != ""',
    'mime_type ~ "image/%" && alt = ""',
  ]);
});

test('folders are a tree, and count what is in those within them', () => {
  const tree = folderTree([
    { folder: 'travel/lisbon', count: 2 },
    { folder: 'travel-10', count: 1 },
    { folder: 'travel', count: 3 },
    { folder: 'a/b/c', count: 1 },
  ]);
  expect(tree.map(({ path, depth, count }) => `${path} ${depth} ${count}`)).toEqual([
    'a 0 1',
    'a/b 1 1',
    'a/b/c 2 1',
    'travel 0 5',
    'travel/lisbon 1 2',
    'travel-10 0 1',
  ]);
});
