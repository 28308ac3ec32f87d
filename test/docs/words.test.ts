import { expect, test } from 'bun:test';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');

/**
 * Words that this project used as a vocabulary of its own, which newcomers had to learn first. What to write instead:
 * return, report, render, list, show, expose or say, whichever is meant; "available"; "global".
 */
const rejected = new RegExp(
  [
    '\\b(?:te' + 'lls?|to' + 'ld|te' + 'lling)\\b',
    '\\bto be h' + 'ad\\b',
    '\\bof the wh' + 'ole(?=[,.;:)]|$)',
    '\\bthe ho' + 'use\\b',
  ].join('|'),
  'gim',
);

const files = [
  ...new Bun.Glob('{packages,examples,test,bench,scripts,docs,website}/**/*.{ts,svelte,vue,md,toml}').scanSync(root),
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]
  .filter((file) => !/(?:^|\/)(?:node_modules|dist|data|pages)\//.test(file))
  .toSorted();

test('sources, tests, texts and documents are in plain words', async () => {
  expect(files.length).toBeGreaterThan(800);
  const found: string[] = [];
  for (const file of files) {
    const lines = (await Bun.file(join(root, file)).text()).split('\n');
    for (const [index, line] of lines.entries())
      for (const [word] of line.matchAll(rejected)) found.push(`${file}:${index + 1} ${word}`);
  }
  expect(found).toEqual([]);
});

test('the check finds what it looks for', () => {
  const samples = [
    'The list te' + 'lls more.',
    'Nobody is to' + 'ld.',
    'None is to be h' + 'ad.',
    'A count of the wh' + 'ole.',
  ];
  for (const sample of samples) expect(sample.match(rejected)).not.toBeNull();
  for (const sample of ['A copy of the whole database', 'stellar', 'households'])
    expect(sample.match(rejected)).toBeNull();
});
