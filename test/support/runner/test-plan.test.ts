import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readTestFiles } from './test-files.ts';
import { planTests, runsOf } from './test-plan.ts';

test('a file runs once, on SQLite, unless it says otherwise', () => {
  expect(runsOf('packages/a.test.ts', '')).toEqual([{ database: 'sqlite', tier: 'fast' }]);
  expect(runsOf('packages/a.test.ts', 'x\n// databases: sqlite, postgres\ny')).toEqual([
    { database: 'sqlite', tier: 'fast' },
    { database: 'postgres', tier: 'fast' },
  ]);
  expect(runsOf('packages/a.test.ts', '// databases: postgres:rest')).toEqual([{ database: 'postgres', tier: 'rest' }]);
});

test('files of slow folders run in the rest alone, but for the smoke run of the browser', () => {
  for (const path of ['test/processes/a.test.ts', 'test/browser/a.test.ts', 'examples/x/a.test.ts'])
    expect(runsOf(path, '// databases: sqlite, postgres').map(({ tier }) => tier)).toEqual(['rest', 'rest']);
  expect(runsOf('test/browser/smoke/a.test.ts', '')).toEqual([{ database: 'sqlite', tier: 'fast' }]);
});

test.each([
  ['// databases: sqlite, mysql', '"mysql" is no database'],
  ['// databases: sqlite, sqlite:rest', 'names sqlite twice'],
  ['// databases: sqlite\n// databases: postgres', 'stands there twice'],
  [`test.skipIf(${'!'}onPostgres)(…`, 'does not name postgres'],
])('%s is refused', (text, message) => {
  expect(() => runsOf('test/a.test.ts', text)).toThrow(message);
});

test('what is left out is counted', () => {
  const files = new Map([
    ['test/http/a.test.ts', '// databases: sqlite, postgres'],
    ['test/http/b.test.ts', '// databases: sqlite, postgres:rest'],
    ['test/faults/c.test.ts', ''],
  ]);
  expect(planTests(files, { tier: 'fast', databases: ['sqlite', 'postgres'] })).toEqual({
    files: { sqlite: ['test/http/a.test.ts', 'test/http/b.test.ts'], postgres: ['test/http/a.test.ts'] },
    leftOut: { sqlite: 1, postgres: 1 },
  });
  expect(planTests(files, { databases: ['sqlite'] })).toEqual({
    files: { sqlite: ['test/http/a.test.ts', 'test/http/b.test.ts', 'test/faults/c.test.ts'], postgres: [] },
    leftOut: { sqlite: 0, postgres: 2 },
  });
});

test('every test of the project is in one of the two parts', async () => {
  const files = await readTestFiles(join(import.meta.dir, '../../..'));
  const both = { databases: ['sqlite', 'postgres'] } as const;
  const [whole, fast, rest] = [
    planTests(files, both),
    planTests(files, { ...both, tier: 'fast' }),
    planTests(files, { ...both, tier: 'rest' }),
  ];
  expect(whole.leftOut).toEqual({ sqlite: 0, postgres: 0 });
  for (const database of both.databases)
    expect([...fast.files[database], ...rest.files[database]].toSorted()).toEqual(whole.files[database].toSorted());
  // A folder that is not looked into would pass here unseen.
  expect(files.size).toBeGreaterThan(400);
});
