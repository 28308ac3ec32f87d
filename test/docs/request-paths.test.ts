import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { requestPath, runsOf } from '../support/paths/request-path.ts';

const page = await Bun.file(join(import.meta.dir, '../../docs/architecture.md')).text();

/** The files of a table in the documentation, which stands below a heading. */
function documented(heading: string): readonly string[] {
  const [, after = ''] = page.split(`\n### ${heading}\n`);
  const [section = ''] = after.split(/\n##/);
  return [...section.matchAll(/^\| \[`(.+?)`\]/gm)].map(([, file = '']) => file);
}

/** The modules of which the tables name every file that a request passes. */
const isListed = (file: string): boolean => /^(?:query|records)\//.test(file);

const before = await runsOf('none');

describe('docs/architecture.md has the files that run for', () => {
  test.each([
    ['a list', 'list', ['A list']],
    ['a list with a new query', 'new list', ['A list', 'A new list']],
    ['a read', 'read', ['A read of a record']],
    ['a create', 'create', ['A create']],
    ['an upload', 'upload', ['An upload']],
  ])(
    '%s',
    async (_, path, headings) => {
      const named = headings.flatMap(documented);
      const passed = (await requestPath(path, before)).map(({ file }) => file);
      const all = [...documented('Every request'), ...named];
      expect(all.filter((file) => !passed.includes(file))).toEqual([]);
      expect(passed.filter((file) => isListed(file)).toSorted()).toEqual(named.filter(isListed).toSorted());
    },
    600_000,
  );
});

test('the tables are found', () => {
  expect(documented('A list').length).toBeGreaterThan(5);
  expect(documented('An upload').length).toBeGreaterThan(20);
});
