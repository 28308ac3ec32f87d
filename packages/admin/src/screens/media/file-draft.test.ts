import { expect, test } from 'bun:test';
import { changesOf, draftOf, folderOf, tagsOf } from './file-draft.ts';
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

test('what people type of folders and tags', () => {
  expect([folderOf(' / '), folderOf('a'), folderOf('a// b ')]).toEqual([null, 'a', 'a/b']);
  expect(tagsOf(' ,One, two,ONE , ')).toEqual(['One', 'two']);
});
