// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { csvFiles, csvMatch } from '../../../packages/recto/src/transfer/csv/csv-files.ts';
import type { CsvPlan } from '../../../packages/recto/src/transfer/csv/csv-plan.ts';
import { detectPlan } from '../../../packages/recto/src/transfer/csv/detect-plan.ts';
import { importRecords } from '../../../packages/recto/src/transfer/json/import-records.ts';
import { noProgress } from '../../../packages/recto/src/transfer/progress.ts';
import { randomCases } from '../../support/random-cases.ts';
import { runBeside } from '../../support/run-beside.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Rows of CSV as records, and that what a list returns as CSV is the same after an import.

const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});

const definitions = [
  {
    singular: 'thing',
    plural: 'things',
    protocols: ['timestampable', 'statusable', 'metaable'],
    fields: [
      ...[
        'text',
        'richtext',
        'integer',
        'bigint',
        'decimal',
        'float',
        'boolean',
        'date',
        'datetime',
        'time',
        'json',
      ].map((name) => ({ name, field_type: name })),
      { name: 'tags', field_type: 'list', item: { field_type: 'text' } },
      { name: 'rank', field_type: 'enum', enum_values: ['=low', 'High'], default: 'High' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'code', field_type: 'text', unique: true },
      {
        name: 'parts',
        field_type: 'blocks',
        blocks: [
          { name: 'quote', fields: [{ name: 'text', field_type: 'text' }, relation('thing', 'many_to_one', 'things')] },
        ],
      },
      relation('above', 'many_to_one', 'things'),
      relation('beside', 'many_to_many', 'things'),
    ],
  },
  {
    singular: 'product',
    plural: 'products',
    protocols: ['timestampable', 'versionable'],
    fields: [
      { name: 'name', field_type: 'text', required: true },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'price', field_type: 'decimal' },
      { name: 'state', field_type: 'text', required: true, default: 'new' },
    ],
  },
];

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('admin', 'admin');
  folder = mkdtempSync(join(tmpdir(), 'recto-csv-'));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (name: string, text: string) => {
  const bytes = Buffer.from(text);
  return {
    name,
    size: bytes.length,
    bytes: async function* () {
      yield bytes;
    },
  };
};

interface Choice {
  readonly plan?: Partial<CsvPlan>;
  readonly errors?: 'refuse' | 'leave_out';
  readonly dryRun?: boolean;
}

async function imported(into: TestService, singular: string, text: string, { plan, errors, dryRun }: Choice = {}) {
  const type = into.types.get(singular);
  const file = fileOf(`${type.plural}.csv`, text);
  const whole = { ...(await detectPlan(file, type)), ...plan };
  return importRecords({
    ...{ database: into.database, types: into.types, workFolder: folder, files: csvFiles(file, type, whole) },
    ...{ ...csvMatch(whole), dryRun: dryRun ?? false, progress: noProgress },
    ...(errors === undefined ? {} : { errors }),
  });
}

const list = async (of: TestService, path: string): Promise<Reply> =>
  of.send(`GET /api/v1/admin/cms/${path}`, { as: 'admin' });

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\n', '\r', '\t', ' ', '|', 'a'),
    maxLength: 6,
  }),
  fc.constantFrom('', '=1+1', "'=1", '\r\n', '[1]', '{}', 'true', '1,5', '…', 'ä', '𝒳'),
);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 3 });
const thing = fc.record({
  text: optional(text),
  secret: optional(text),
  integer: optional(fc.integer()),
  bigint: optional(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String)),
  decimal: optional(fc.integer().map((value) => `${value / 8}`.replace('e', ''))),
  float: optional(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value))),
  boolean: optional(fc.boolean()),
  date: optional(time.map((at) => at.slice(0, 10))),
  datetime: optional(time),
  time: optional(time.map((at) => at.slice(11, 19))),
  json: optional(fc.oneof(text, fc.constantFrom(-1, 0.5, true, {}, [], { a: ['=1', null] }, '-1'))),
  tags: fc.uniqueArray(fc.constantFrom('a', '=b', 'c|d', 'e,f', '"g"'), { maxLength: 3 }),
  rank: optional(fc.constantFrom('=low', 'High')),
  parts: fc.array(
    text.map((quote) => ({ block: 'quote', text: quote })),
    { maxLength: 2 },
  ),
  above: fc.nat(20),
  beside: fc.uniqueArray(fc.nat(20), { maxLength: 4 }),
  status: fc.constantFrom('draft', 'published'),
});

describe('a list as CSV, imported elsewhere', () => {
  test('is the same list', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(thing, { minLength: 1, maxLength: 12 }), async (things) => {
        await using other = await TestService.open(definitions);
        await other.account('admin', 'admin');
        round += 1;
        const ids: string[] = [];
        for (const [index, { above, beside, ...rest }] of things.entries()) {
          const related = { above: ids[above] ?? null, beside: beside.flatMap((at) => ids[at] ?? []) };
          ids.push((await service.seed('things', { ...rest, ...related, code: `${round}-${index}` })).id);
        }
        const mine = `filter=${encodeURIComponent(`code ~ "${round}-%"`)}`;
        const csv = await list(service, `things?format=csv&${mine}`);
        const report = await imported(other, 'thing', csv.text, round % 2 === 0 ? { errors: 'leave_out' } : {});
        expect(report.failures).toEqual([]);
        const [before, after] = [await list(service, `things?${mine}`), await list(other, 'things')];
        expect(after.json.items).toEqual(before.json.items);
        expect((await list(other, 'things?format=csv')).text).toBe(csv.text);
        const again = await imported(other, 'thing', csv.text);
        expect(again.counts).toEqual([{ kind: 'things', taken: 0, before: things.length, skipped: 0, failed: 0 }]);
      }),
      { numRuns: randomCases(6) },
    );
  }, 600_000);
});

const products = async () => (await list(service, 'products?sort=code:asc&fields=name,code,price,state')).json.items;
const events = async () => service.lastEvent('admin');

describe('rows without ids', () => {
  const rows = 'Name;Code;Price\nOne;a;"1.299,50"\nTwo;b;\n';

  test('are stored once, however often they are imported', async () => {
    const dry = await imported(service, 'product', rows, { dryRun: true });
    expect(dry.counts).toEqual([{ kind: 'products', taken: 2, before: 0, skipped: 0, failed: 0 }]);
    expect(await products()).toEqual([]);
    await imported(service, 'product', rows);
    const stored = await products();
    expect(stored).toMatchObject([
      { name: 'One', code: 'a', price: '1299.5', state: 'new' },
      { name: 'Two', code: 'b', price: null, state: 'new' },
    ]);
    const again = await imported(service, 'product', rows);
    expect(again.counts).toEqual([{ kind: 'products', taken: 0, before: 2, skipped: 0, failed: 0 }]);
    expect(await products()).toEqual(stored);
  });

  test('match records by a unique field, and change them where the plan says so', async () => {
    const prices = 'code,price\na,7\nb,8.5\n';
    const kept = await imported(service, 'product', prices, { plan: { key: 'code' } });
    expect(kept.counts).toEqual([{ kind: 'products', taken: 0, before: 2, skipped: 0, failed: 0 }]);
    for (const errors of ['refuse', 'leave_out'] as const) {
      const before = await events();
      const plan = { key: 'code', existing: 'update' } as const;
      const changed = `code,price\na,${errors === 'refuse' ? 7 : 9}\nb,8.50\n`;
      const dry = await imported(service, 'product', changed, { plan, errors, dryRun: true });
      const taken = errors === 'refuse' ? 2 : 1;
      const counts = [{ kind: 'products', taken, before: 2 - taken, skipped: 0, failed: 0 }];
      expect(dry.counts).toEqual(counts);
      expect(await events()).toBe(before);
      const done = await imported(service, 'product', changed, { plan, errors });
      expect(done.counts).toEqual(counts);
      expect(done.changed).toMatchObject([{ kind: 'products', text: 'there before, and updated', count: taken }]);
      expect(await events()).toBe(before + taken);
      const again = await imported(service, 'product', changed, { plan, errors });
      expect(again.counts).toMatchObject([{ taken: 0, before: 2 }]);
      expect(await events()).toBe(before + taken);
    }
    expect(await products()).toMatchObject([
      { name: 'One', price: '9' },
      { name: 'Two', price: '8.5' },
    ]);
  });

  test('add records beside those that they change', async () => {
    const report = await imported(service, 'product', 'code,name\na,Uno\nc,Three\n', {
      plan: { key: 'code', existing: 'update' },
    });
    expect(report.counts).toMatchObject([{ taken: 2, before: 0, failed: 0 }]);
    expect((await products()).map(({ name }: { name: string }) => name)).toEqual(['Uno', 'Two', 'Three']);
  });

  test('with errors are listed by their lines, and nothing or all others are stored', async () => {
    const wrong = 'code,name,price\nd,Four,1\ne,"Fi\nve",x\nf,,1\na,Eins,\nb,"",2\ng\nd,Five,1\n';
    const before = await products();
    const plan = { key: 'code', existing: 'update' } as const;
    expect(imported(service, 'product', wrong, { plan })).rejects.toThrow(
      /nothing was imported:\n {2}products\.csv:3: price: “x” is no number\.\n {2}products\.csv:5: name/,
    );
    const updates = imported(service, 'product', 'code,name\na,Eins\nb,""\n', { plan });
    await expect(updates).rejects.toThrow('products.csv:3: name');
    expect(await products()).toEqual(before);
    for (const dryRun of [true, false]) {
      const report = await imported(service, 'product', wrong, { plan, errors: 'leave_out', dryRun });
      expect(report.counts).toEqual([{ kind: 'products', taken: 2, before: 0, skipped: 0, failed: 5 }]);
      expect(report.failures.map(({ place }) => place).toSorted()).toEqual(
        [3, 5, 7, 8, 9].map((line) => `products.csv:${line}`),
      );
    }
    expect((await products()).map(({ name }: { name: string }) => name)).toEqual(['Eins', 'Two', 'Three', 'Four']);
  });
});

test('the command names the columns that it takes for no field', async () => {
  const path = join(folder, 'product.csv');
  await Bun.write(path, 'name,Price in €,Colour\nInk,3,blue\n');
  const { exitCode, err } = await runBeside(service, definitions, ['import', 'csv', path, '--dry-run']);
  expect([exitCode, err]).toEqual([0, expect.stringContaining('the name of no field: Price in €, Colour.')]);
});
