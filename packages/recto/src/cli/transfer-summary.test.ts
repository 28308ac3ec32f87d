import { expect, test } from 'bun:test';
import { TransferTally } from '../transfer/transfer-report.ts';
import { transferSummary } from './transfer-summary.ts';

test('a table of what was taken, skipped and why', () => {
  const tally = new TransferTally(['posts', 'comments']);
  for (let count = 0; count < 12; count += 1) tally.taken('posts');
  tally.before('posts');
  for (const id of ['1', '2', '3', '4']) tally.skipped('comments', 'in the trash', id);
  tally.skipped('menus', 'there are none here', '');
  tally.changed('posts', 'without a title', '7', 1);
  tally.changed('posts', 'custom fields left out', '', 120);
  expect(transferSummary(tally.report(true), 'Import of a site')).toBe(`Import of a site

            taken  there before  skipped
  posts        12             1        0
  comments      0             0        4
  menus         0             0        1

Skipped
  4  comments: in the trash (1, 2, 3, …)
  1  menus: there are none here

Changed on the way
  120  posts: custom fields left out
    1  posts: without a title (7)

This was a dry run: nothing was stored.
`);
});

test('files that are missing', () => {
  const missing_files = {
    total: 3,
    files: [
      { id: '1', name: 'a.png', hash: 'ff' },
      { id: '2', name: 'b.png', hash: null },
    ],
  };
  expect(transferSummary({ ...new TransferTally().report(false), missing_files }, 'Import')).toEndWith(`
Files that are missing
  a.png (media 1, SHA-256 ff)
  b.png (media 2, SHA-256 not known)
  and 1 more
  recto media add FOLDER takes them from a folder, found by their hashes.
`);
});

test('nothing skipped, nothing changed', () => {
  expect(transferSummary(new TransferTally(['posts']).report(false), 'Import')).toBe(`Import

         taken  there before  skipped
  posts      0             0        0
`);
});
