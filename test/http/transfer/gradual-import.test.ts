// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { plantedId } from '../../spec/rules/planted.ts';
import { onPostgres } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { runBeside } from '../../support/run-beside.ts';
import { TestService } from '../../support/service.ts';

// Imports that leave out the records with errors: `recto import json --skip-errors`, and those of the admin.

const definitions = [
  {
    singular: 'person',
    plural: 'people',
    fields: [
      { name: 'name', field_type: 'text', required: true },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'chief', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'people' } },
      { name: 'friends', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'people' } },
    ],
  },
  { singular: 'setup', plural: 'setups', kind: 'single', fields: [{ name: 'motto', field_type: 'text' }] },
];

interface Person {
  readonly id: string;
  readonly name?: string | undefined;
  readonly code?: string | null;
  readonly chief?: string | null;
  readonly friends?: readonly string[];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recto-gradual-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly counts: readonly {
    readonly kind: string;
    readonly taken: number;
    readonly before: number;
    readonly skipped: number;
    readonly failed: number;
  }[];
  readonly failures: readonly { readonly place: string; readonly errors: readonly string[] }[];
}

async function importFile(service: TestService, path: string, dryRun = false): Promise<Report> {
  const args = ['import', 'json', path, '--skip-errors', '--json', ...(dryRun ? ['--dry-run'] : [])];
  const { exitCode, out, err } = await runBeside(service, definitions, args);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return JSON.parse(out);
}

async function importPeople(service: TestService, records: readonly (Person | string)[], dryRun = false) {
  const path = join(folder, 'people.ndjson');
  writeFileSync(path, records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
  return importFile(service, path, dryRun);
}

const person = (number: number, more: Omit<Person, 'id'> = {}): Person => ({
  id: plantedId(number),
  name: `person ${number}`,
  ...more,
});
const stored = async (service: TestService): Promise<readonly string[]> => {
  const { items } = (await service.send('GET /api/v1/cms/people?page_size=100&sort=name:asc')).json;
  return items.map(({ name }: { name: string }) => name);
};

test('what has errors is left out with its line, and everything else is stored', async () => {
  await using service = await TestService.open(definitions, { builtIn: true });
  await importPeople(service, [person(50, { code: 'taken' }), person(51)]);
  const records = [
    person(1, { chief: plantedId(2) }),
    person(2, { friends: [plantedId(50), plantedId(3)] }),
    person(3),
    '{"id": ',
    { ...person(4), name: undefined },
    person(5, { chief: plantedId(4) }),
    person(6, { chief: plantedId(5) }),
    person(7, { code: 'taken' }),
    person(8, { code: 'once' }),
    person(9, { code: 'once' }),
    person(3),
    person(51, { name: 'another name' }),
    person(10, { friends: [plantedId(99)] }),
  ];
  const expected = {
    counts: [{ kind: 'people', taken: 4, before: 1, skipped: 0, failed: 8 }],
    places: [4, 5, 6, 7, 8, 10, 11, 13].map((line) => `people.ndjson:${line}`),
  };
  const outcome = ({ counts, failures }: Awaited<ReturnType<typeof importPeople>>) => ({
    counts,
    places: failures.map(({ place }) => place).toSorted((a, b) => Number(a.slice(14)) - Number(b.slice(14))),
  });
  const check = await importPeople(service, records, true);
  expect(outcome(check)).toEqual(expected);
  expect(await stored(service)).toEqual(['person 50', 'person 51']);
  const done = await importPeople(service, records);
  expect(outcome(done)).toEqual(expected);
  const byPlace = new Map(done.failures.map(({ place, errors }) => [place, errors.join(' ')]));
  expect(byPlace.get('people.ndjson:4')).toContain('this is no JSON');
  expect(byPlace.get('people.ndjson:5')).toBe('name: name is required.');
  expect(byPlace.get('people.ndjson:6')).toBe('chief: There is no such record of person.');
  expect(byPlace.get('people.ndjson:8')).toBe('code: Another record has this code already.');
  expect(byPlace.get('people.ndjson:11')).toBe('id: people.ndjson:3 has this id already.');
  expect(byPlace.get('people.ndjson:13')).toBe('friends[0]: There is no such record of person.');
  expect(await stored(service)).toEqual(['person 1', 'person 2', 'person 3', 'person 50', 'person 51', 'person 8']);
  const two = (await service.send(`GET /api/v1/cms/people/${plantedId(2)}`)).json;
  expect(two.friends).toEqual([plantedId(50), plantedId(3)]);
  // Again, it adds nothing.
  expect((await importPeople(service, records)).counts).toMatchObject([{ taken: 0, before: 5, failed: 8 }]);
});

test('records that lead to each other are stored together, or not at all', async () => {
  await using service = await TestService.open(definitions, { builtIn: true });
  const ring = [
    person(1, { chief: plantedId(2) }),
    person(2, { chief: plantedId(1), friends: [plantedId(2)] }),
    person(3, { chief: plantedId(1) }),
  ];
  const broken = [
    person(11, { chief: plantedId(12), code: 'a' }),
    person(12, { chief: plantedId(11), friends: [plantedId(99)] }),
    person(13, { chief: plantedId(11) }),
  ];
  for (const dryRun of [true, false]) {
    const report = await importPeople(service, [...ring, ...broken], dryRun);
    expect(report.counts).toEqual([{ kind: 'people', taken: 3, before: 0, skipped: 0, failed: 3 }]);
  }
  expect(await stored(service)).toEqual(['person 1', 'person 2', 'person 3']);
});

test('a record without an id is stored after what it leads to, once, and not when that has errors', async () => {
  await using service = await TestService.open(definitions, { builtIn: true });
  const knot = [person(1, { chief: plantedId(2) }), person(2, { chief: plantedId(1) })];
  const { id: _, ...unnamed } = person(3, { chief: plantedId(1), friends: [plantedId(2)] });
  const lost = JSON.stringify({ name: 'lost', chief: plantedId(9) });
  const records = [JSON.stringify(unnamed), lost, ...knot];
  for (const { taken, before } of [
    { taken: 3, before: 0 },
    { taken: 0, before: 3 },
  ]) {
    const report = await importPeople(service, records);
    expect(report.counts).toEqual([{ kind: 'people', ...{ taken, before, skipped: 0, failed: 1 } }]);
    expect(await stored(service)).toEqual(['person 1', 'person 2', 'person 3']);
  }
});

test('a single type keeps its one record', async () => {
  await using service = await TestService.open(definitions, { builtIn: true });
  await service.send('GET /api/v1/cms/setup');
  const path = join(folder, 'setup.ndjson');
  writeFileSync(path, JSON.stringify({ id: plantedId(1), motto: 'x' }));
  const report = await importFile(service, path);
  expect(report.counts).toEqual([{ kind: 'setups', taken: 0, before: 0, skipped: 1, failed: 0 }]);
});

describe('for any records', () => {
  const count = 8;
  const number = fc.integer({ min: 1, max: count + 1 });
  const one = fc.record({
    isNamed: fc.boolean(),
    code: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 2 }),
    chief: fc.option(number, { freq: 2 }),
    friends: fc.uniqueArray(number, { maxLength: 2 }),
  });

  test('the check says what the import does, and what is stored leads nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: count, maxLength: count }), async (made) => {
        await using service = await TestService.open(definitions, { builtIn: true });
        const records = made.map(({ isNamed, code, chief, friends }, index) => ({
          id: plantedId(index + 1),
          ...(isNamed || index % 3 !== 0 ? { name: `person ${index + 1}` } : {}),
          code,
          chief: chief === null ? null : plantedId(chief),
          friends: friends.map(plantedId),
        }));
        const check = await importPeople(service, records, true);
        expect(await stored(service)).toEqual([]);
        const done = await importPeople(service, records);
        const { items } = (await service.send('GET /api/v1/cms/people?page_size=100')).json;
        const ids = new Set(items.map(({ id }: Person) => id));
        expect(ids.size).toBe(done.counts[0]?.taken ?? -1);
        for (const item of items) {
          const sent = records.find(({ id }) => id === item.id);
          expect({ code: item.code, chief: item.chief, friends: item.friends }).toEqual({
            code: sent?.code ?? null,
            chief: sent?.chief ?? null,
            friends: [...(sent?.friends ?? [])],
          });
          for (const target of [item.chief, ...item.friends]) expect(target === null || ids.has(target)).toBe(true);
        }
        // Which of two records gets a value that both have depends on the order, and with it what leads to them.
        const codes = records.flatMap(({ code }) => (code === null ? [] : [code]));
        if (new Set(codes).size === codes.length) expect(check.counts).toEqual(done.counts);
      }),
      { numRuns: randomCases(onPostgres ? 10 : 40) },
    );
  }, 600_000);
});
