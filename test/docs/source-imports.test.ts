import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { importedSources, sourceImports } from '../support/source-imports.ts';

const root = join(import.meta.dir, '../..');

test('tests in test/ use what is published, but for those that test/support/source-imports.ts lists', async () => {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)].toSorted();
  expect(files.length).toBeGreaterThan(150);
  const importing: string[] = [];
  for (const file of files) {
    const sources = importedSources(file, await Bun.file(join(root, file)).text());
    if (sources.length > 0) importing.push(file);
  }
  const listed = Object.values(sourceImports)
    .flat()
    .map((file) => `test/${file}`);
  expect(new Set(listed).size).toBe(listed.length);
  expect({
    notListed: importing.filter((file) => !listed.includes(file)),
    noLonger: listed.filter((file) => !importing.includes(file)),
  }).toEqual({ notListed: [], noLonger: [] });
});

describe('the check', () => {
  const source = (line: string) => importedSources('test/http/a.test.ts', line);

  test('sees imports of values, also those that are made later', () => {
    const found = ['packages/recto/src/base/a.ts'];
    expect(source("import { a } from '../../packages/recto/src/base/a.ts'; a();")).toEqual(found);
    expect(source("import { type A, a } from '../../packages/recto/src/base/a.ts'; a();")).toEqual(found);
    expect(source("await import('../../packages/recto/src/base/a.ts');")).toEqual(found);
    expect(source("import '../../packages/recto/src/base/a.ts';")).toEqual(found);
  });

  test.each([
    ['types', "import type { A } from '../../packages/recto/src/base/a.ts'; const a: A = 1; a;"],
    ['fixtures', "import { a } from '../../packages/recto/src/base/a.fixture.ts'; a();"],
    ['the published entry', "import { route } from 'recto'; route();"],
    ['the same by its path', "import { route } from '../../packages/recto/src/index.ts'; route();"],
    ['helpers of tests', "import { a } from '../support/a.ts'; a();"],
  ])('leaves alone %s', (_, line) => {
    expect(source(line)).toEqual([]);
  });
});
