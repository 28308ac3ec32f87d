import { expect, test } from 'bun:test';
import { changesOf, draftOf, folderOf, tagsOf, typedSince } from './file-draft.ts';
import { mediaFile } from './media-file.ts';

const file = mediaFile({
  id: '01a1fc67-9d1d-70a5-9783-d9bc1b978ba3',
  name: 'a.jpg',
  folder: 'travel',
  tags: ['sea'],
  visibility: 'public',
  focal_x: 0.5,
});

test('only what was changed is sent', () => {
  if (file === undefined) throw new Error('It is a file.');
  expect(changesOf(file, draftOf(file))).toEqual({});
  const draft = { ...draftOf(file), alt: ' ', folder: '/travel/ /lisbon/', tags: 'sea, Boats ,SEA,', isPrivate: true };
  expect(changesOf(file, draft)).toEqual({ folder: 'travel/lisbon', tags: ['sea', 'Boats'], visibility: 'private' });
});

test('a decorative picture has an empty alternative text, and keeps it when something else is changed', () => {
  if (file === undefined) throw new Error('It is a file.');
  expect(changesOf(file, { ...draftOf(file), alt: 'A boat', isDecorative: true })).toEqual({ alt: '' });
  const decorative = { ...file, alt: '' };
  expect(changesOf(decorative, { ...draftOf(decorative), caption: 'At night' })).toEqual({ caption: 'At night' });
  expect(changesOf(decorative, { ...draftOf(decorative), isDecorative: false })).toEqual({ alt: null });
});

test('what is typed while a draft is saved', () => {
  if (file === undefined) throw new Error('It is a file.');
  const sent = { ...draftOf(file), alt: 'A boa' };
  expect([typedSince(sent, sent), typedSince(sent, { ...sent, alt: 'A boat' })]).toEqual([{}, { alt: 'A boat' }]);
});

test('what people type of folders and tags', () => {
  expect([folderOf(' / '), folderOf('a'), folderOf('a// b ')]).toEqual([null, 'a', 'a/b']);
  expect(tagsOf(' ,One, two,ONE , ')).toEqual(['One', 'two']);
});
