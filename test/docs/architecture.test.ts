import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { floors, recordRooms, rootFiles } from '../support/floors.ts';
import { brokenFloors, circles, type ImportGraph, importGraph } from '../support/import-graph.ts';

const root = join(import.meta.dir, '../..');
const graph = await importGraph(join(root, 'packages/recto/src'));

test('every import leads to a lower floor', () => {
  expect(graph.size).toBeGreaterThan(300);
  expect(brokenFloors(graph, floors, rootFiles)).toEqual([]);
});

test('every import within records leads to a lower room', () => {
  const inRooms = (files: readonly string[]) =>
    files.flatMap((file) => {
      const [module, ...path] = file.split('/');
      return module === 'records' ? [path.length > 1 ? path.join('/') : `./${path.join('/')}`] : [];
    });
  const own = new Map([...graph].flatMap(([file, targets]) => inRooms([file]).map((name) => [name, inRooms(targets)])));
  expect(own.size).toBeGreaterThan(50);
  expect(brokenFloors(own, recordRooms, [])).toEqual([]);
});

test('a room of records has at most 20 files', async () => {
  const folder = join(root, 'packages/recto/src/records');
  const files = [...new Bun.Glob('**/*.ts').scanSync(folder)];
  const rooms = Map.groupBy(files, (file) => (file.includes('/') ? file.split('/')[0] : '.'));
  expect([...rooms].filter(([, inside]) => inside.length > 20).map(([room]) => room)).toEqual([]);
});

test('no files import each other in a circle, by types either', () => {
  expect(circles(graph)).toEqual([]);
});

test('the framework of the API and its endpoints build no SQL', async () => {
  const files = [...graph.keys()].filter((file) => /^(?:http|features)\//.test(file));
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, 'packages/recto/src', file)).text()));
  expect(files.filter((_, index) => texts[index]?.includes("from 'kysely'"))).toEqual([]);
});

test('few files know which column has the values of a field; the others ask them', async () => {
  const files = [...graph.keys()].filter((file) => !file.startsWith('rules/'));
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, 'packages/recto/src', file)).text()));
  expect(files.filter((_, index) => /\bplace\??\.column\b/.test(texts[index] ?? '')).sort()).toEqual([
    'definition/stored-field.ts',
    'definition/type-scope.ts',
    'migrations/storage/type-storage.ts',
  ]);
});

test('docs/architecture.md has the floors', async () => {
  const page = await Bun.file(join(root, 'docs/architecture.md')).text();
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)].map(([, floor, names = '', what]) => ({
    floor: Number(floor),
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    what,
  }));
  const present = new Set([...graph.keys()].map((file) => file.split('/')[0]));
  const wanted = floors.flatMap((modules, index) => {
    const some = Object.entries(modules).filter(([name]) => present.has(name));
    if (some.length === 0) return [];
    return [{ floor: index + 1, names: some.map(([name]) => name), what: some.map(([, what]) => what).join('; ') }];
  });
  expect(rows).toEqual(wanted);
});

test('docs/architecture.md has the rooms of records', async () => {
  const page = await Bun.file(join(root, 'docs/architecture.md')).text();
  const [, after = ''] = page.split('\n## Rooms of records\n');
  const [section = ''] = after.split('\n## ');
  const rows = [...section.matchAll(/^\| (`.+`) \| (.+) \|$/gm)].map(([, names, what]) => [names, what]);
  const wanted = recordRooms.map((rooms) => [
    Object.keys(rooms)
      .map((name) => `\`${name}\``)
      .join(' '),
    Object.values(rooms).join('; '),
  ]);
  expect(rows).toEqual(wanted);
});

describe('the checks see', () => {
  const graphOf = (edges: Readonly<Record<string, readonly string[]>>): ImportGraph => new Map(Object.entries(edges));
  const low = [{ base: '' }, { values: '', config: '' }, { rules: '' }];

  test('an import of a higher floor, of a neighbour, and of a module without a floor', () => {
    const edges = {
      'base/a.ts': ['base/b.ts', 'rules/a.ts'],
      'config/a.ts': ['values/a.ts', 'base/a.ts'],
      'rules/a.ts': ['base/a.ts', 'other/a.ts'],
      'other/a.ts': [],
      'index.ts': ['rules/a.ts'],
    };
    expect(brokenFloors(graphOf(edges), low, ['index.ts'])).toEqual([
      'base/a.ts imports rules/a.ts: base is on floor 1, and rules on floor 3.',
      'config/a.ts imports values/a.ts: config is on floor 2, and values on floor 2.',
      'rules/a.ts imports other/a.ts: rules is on floor 3, and other on no floor.',
      'other/a.ts: the module other is on no floor. Add it to test/support/floors.ts.',
    ]);
  });

  test('circles of two and of more', () => {
    const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a', 'g'], g: [] };
    expect(circles(graphOf(edges))).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c'],
    ]);
  });

  test('imports of types, of values, and those that are made later', async () => {
    expect(graph.get('database/open-database.ts')).toEqual(
      expect.arrayContaining(['database/database.ts', 'base/fatal-error.ts', 'database/sqlite/sqlite-database.ts']),
    );
  });
});
