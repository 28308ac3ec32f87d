// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { onPostgres, openTestDatabase } from '../../../../test/support/database/database.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { compareDecimals } from '../values/decimal.ts';
import { kinds } from '../values/kinds.ts';
import type { JsonValue, Scalar, ScalarKind, ValueKind } from '../values/value-kind.ts';
import { compiledQuery } from './compiled-query.ts';
import type { Database, Query } from './database.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

const dialect = onPostgres ? postgresDialect : sqliteDialect;

const q = (text: string): Query => ({ sql: text, parameters: [] });

const compiled = (statement: RawBuilder<unknown>): Query => compiledQuery(statement, dialect);

async function jsonTextOf(database: Database, value: RawBuilder<unknown>): Promise<string> {
  const row = await database.first<{ json: string }>(compiled(sql`select ${value} as "json"`));
  return row?.json ?? '';
}

const jsonOf = async (database: Database, value: RawBuilder<unknown>): Promise<unknown> =>
  JSON.parse(await jsonTextOf(database, value));

/** Text that every database can store. */
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const decimal = fc
  .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat())
  .map(([whole, part]) => kinds.decimal.fromText(`${whole}.${part}`) ?? '0');
const float = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const moment = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

const samples = {
  text,
  integer: fc.maxSafeInteger(),
  bigint: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  float,
  decimal,
  boolean: fc.boolean(),
  datetime: moment.map((date) => date.toISOString()),
  date: moment.map((date) => date.toISOString().slice(0, 10)),
  time: moment.map((date) => date.toISOString().slice(11, 23)),
} satisfies Record<ScalarKind, fc.Arbitrary<Scalar>>;

const scalarKinds = Object.keys(samples).map((kind) => kind as keyof typeof samples);

async function valueTable(database: Database, kind: ValueKind): Promise<void> {
  await database.transaction(async (transaction) =>
    transaction.run(q(`CREATE TABLE "values" (place INTEGER PRIMARY KEY, value ${dialect.columnType(kind)})`)),
  );
}

async function store(database: Database, kind: ValueKind, values: readonly (Scalar | JsonValue)[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(q('DELETE FROM "values"'));
    for (const [place, value] of values.entries()) {
      const stored = value === null ? null : dialect.encode(kind, value);
      await transaction.run(compiled(sql`insert into "values" values (${place}, ${stored})`));
    }
  });
}

/** What the column gives back decoded, and as JSON. */
async function readBack(database: Database, kind: ValueKind) {
  const rows = await database.rows<{ value: string | number | bigint | null }>(
    q('SELECT value FROM "values" ORDER BY place'),
  );
  const list = sql`(select value from "values" order by place) as "v"`;
  return {
    decoded: rows.map(({ value }) => (value === null ? null : dialect.decode(kind, value))),
    text: await jsonTextOf(database, dialect.jsonArray(dialect.json(kind, sql.id('v', 'value')), list)),
  };
}

describe('values', () => {
  test.each(scalarKinds)('%s: stored, read and returned as it was', async (kind) => {
    await using database = await openTestDatabase();
    await valueTable(database, kind);
    const arbitrary: fc.Arbitrary<Scalar> = samples[kind];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(arbitrary), { minLength: 1, maxLength: 20 }), async (values) => {
        await store(database, kind, values);
        const { decoded, text: json } = await readBack(database, kind);
        expect(decoded).toEqual(values);
        const expected = values.map((value) => (typeof value === 'bigint' ? String(value) : value));
        expect(JSON.parse(json)).toEqual(expected);
        // A float is the same number on every database, in the digits that each prefers.
        if (kind !== 'float') expect(json).toBe(JSON.stringify(expected));
      }),
      { numRuns: randomCases(40) },
    );
  });

  test('json: stored, read and returned as it was', async () => {
    await using database = await openTestDatabase();
    await valueTable(database, 'json');
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        // `null` inside the column is JSON's null, a value.
        const stored = dialect.encode('json', value);
        await database.transaction(async (transaction) => {
          await transaction.run(q('DELETE FROM "values"'));
          await transaction.run(compiled(sql`insert into "values" values (0, ${stored})`));
        });
        const { decoded, text: json } = await readBack(database, 'json');
        expect(decoded).toEqual([value]);
        expect(json).toBe(JSON.stringify([value]));
      }),
      { numRuns: randomCases(100) },
    );
  });

  test('floats of every size are returned exactly', async () => {
    await using database = await openTestDatabase();
    await valueTable(database, 'float');
    const values = [0, 1, 100, 0.1, 1e-7, 1e15, 1e16, 1e21, 1.5e300, 5e-324, 2 / 3, 2 ** 53, -123456.789];
    await store(database, 'float', values);
    const { decoded, text: json } = await readBack(database, 'float');
    expect(decoded).toEqual(values);
    expect(JSON.parse(json)).toEqual(values);
  });

  test.each(scalarKinds)('%s: the database orders as the kind does, nulls lowest', async (kind) => {
    await using database = await openTestDatabase();
    await valueTable(database, kind);
    const arbitrary: fc.Arbitrary<Scalar> = samples[kind];
    const rank = (a: Scalar | null, b: Scalar | null): number => {
      if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
      return kinds[kind].compare(a, b);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(arbitrary), { minLength: 2, maxLength: 15 }), async (values) => {
        await store(database, kind, values);
        for (const direction of ['asc', 'desc'] as const) {
          const rows = await database.rows<{ place: number }>(
            compiled(sql`select place from "values" order by ${dialect.order(sql.id('value'), direction)}, place`),
          );
          const sign = direction === 'asc' ? 1 : -1;
          const expected = values
            .map((_, place) => place)
            .toSorted((a, b) => sign * rank(values[a] ?? null, values[b] ?? null) || a - b);
          expect(rows.map(({ place }) => place)).toEqual(expected);
        }
      }),
      { numRuns: randomCases(40) },
    );
  });

  test('decimals of close and distant size are in order', async () => {
    await using database = await openTestDatabase();
    await valueTable(database, 'decimal');
    const values = [
      '-1000',
      '-10.5',
      '-10',
      '-9',
      '-1.5',
      '-1',
      '-0.001',
      '0',
      '0.001',
      '0.01',
      '1',
      '1.5',
      '9',
      '10',
      '10.25',
      '999',
      '1000',
    ];
    expect(values.toSorted(compareDecimals)).toEqual(values);
    await store(database, 'decimal', values.toReversed());
    const rows = await database.rows<{ value: string }>(
      compiled(sql`select value from "values" order by ${dialect.order(sql.id('value'), 'asc')}`),
    );
    expect(rows.map(({ value }) => dialect.decode('decimal', value))).toEqual(values);
  });

  test.each([2n ** 63n, -(2n ** 63n) - 1n])('a bigint of more than 64 bits is never stored as another: %s', (value) => {
    expect(() => dialect.encode('bigint', value)).toThrow(RangeError);
  });
});

describe('JSON of rows', () => {
  const rows = [
    { id: 'a', flag: true, data: { deep: ['x', null] } },
    { id: 'b', flag: false, data: null },
  ];

  async function sampleRows(): ReturnType<typeof openTestDatabase> {
    const database = await openTestDatabase();
    await database.transaction(async (transaction) => {
      await transaction.run(
        q(`CREATE TABLE rows (id TEXT, flag ${dialect.columnType('boolean')}, data TEXT, parent TEXT)`),
      );
      for (const { id, flag, data } of rows) {
        const stored = data === null ? null : dialect.encode('json', data);
        await transaction.run(
          compiled(sql`insert into rows values (${id}, ${dialect.encode('boolean', flag)}, ${stored}, 'a')`),
        );
      }
    });
    return database;
  }

  const object = (alias: string, more: readonly (readonly [string, RawBuilder<unknown>])[] = []) =>
    dialect.jsonObject([
      ['id', dialect.json('text', sql.id(alias, 'id'))],
      ['flag', dialect.json('boolean', sql.id(alias, 'flag'))],
      ['data', dialect.json('json', sql.id(alias, 'data'))],
      ...more,
    ]);

  test('objects, lists and single rows stay JSON at every depth', async () => {
    await using database = await sampleRows();
    const all = (alias: string) => sql`(select * from rows order by id) as ${sql.id(alias)}`;
    const inner = object('r3');
    const middle = object('r2', [
      ['all', dialect.jsonArray(inner, all('r3'))],
      ['parent', dialect.jsonOne(inner, sql`rows as "r3" where "r3"."id" = "r2"."parent"`)],
      ['nobody', dialect.jsonOne(inner, sql`rows as "r3" where false`)],
      ['none', dialect.jsonArray(inner, sql`(select * from rows where false) as "r3"`)],
      ['ids', dialect.jsonArray(dialect.json('text', sql.id('r3', 'id')), all('r3'))],
    ]);
    const expected = rows.map((row) => ({
      ...row,
      all: rows,
      parent: rows[0],
      nobody: null,
      none: [],
      ids: ['a', 'b'],
    }));
    expect(await jsonOf(database, dialect.jsonArray(middle, all('r2')))).toEqual(expected);
    const json = await jsonTextOf(database, dialect.jsonArrayText(middle, all('r2')));
    expect(JSON.parse(json)).toEqual(expected);
    expect(json).not.toContain(' ');
    expect(await jsonTextOf(database, dialect.jsonObject([]))).toBe('{}');
  });

  test('a list keeps the order of its rows, with and without an index for it', async () => {
    await using database = await openTestDatabase();
    await database.transaction(async (transaction) => {
      await transaction.run(q('CREATE TABLE numbers (n INTEGER PRIMARY KEY, mixed INTEGER, team INTEGER)'));
      await transaction.run(q('CREATE TABLE teams (team INTEGER PRIMARY KEY)'));
      await transaction.run(q('INSERT INTO teams VALUES (0), (1), (2)'));
      await transaction.run(
        q(`WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 5000)
          INSERT INTO numbers SELECT n, (n * 7919) % 5003, n % 3 FROM series`),
      );
    });
    const value = dialect.json('integer', sql.id('v', 'mixed'));
    for (const direction of ['asc', 'desc'] as const) {
      const list = sql`(select numbers.* from numbers join teams on teams.team = numbers.team
        order by ${dialect.order(sql.id('mixed'), direction)}) as "v"`;
      const json = await jsonOf(database, dialect.jsonArray(value, list));
      const sign = direction === 'asc' ? 1 : -1;
      expect(json).toEqual(
        Array.from({ length: 5000 }, (_, index) => ((index + 1) * 7919) % 5003).toSorted((a, b) => sign * (a - b)),
      );
    }
  });

  test.each([1, 400, 401, 900, 1500])('an object of %s fields, alone and in a list', async (count) => {
    await using database = await sampleRows();
    const entries = Array.from({ length: count }, (_, index): readonly [string, RawBuilder<unknown>] =>
      index % 2 === 0 ? [`f${index}`, dialect.json('text', sql.id('r', 'id'))] : [`"f"${index}`, object('r')],
    );
    const list = sql`(select * from rows order by id) as "r"`;
    const json = await jsonOf(database, dialect.jsonArray(dialect.jsonObject(entries), list));
    expect(json).toEqual(
      rows.map((row) => Object.fromEntries(entries.map(([name], index) => [name, index % 2 === 0 ? row.id : row]))),
    );
  });
});

describe('errors', () => {
  test.each([
    ['INSERT INTO things VALUES (1, 2, NULL)', { kind: 'unique', table: 'cms_my-thing', columns: ['a', 'b-c'] }],
    ['INSERT INTO things VALUES (1, 3, 7)', { kind: 'reference' }],
    ['INSERT INTO things VALUES (NULL, 3, NULL)', undefined],
    ['nonsense', undefined],
  ] as const)('%s', async (statement, fault) => {
    await using database = await openTestDatabase();
    await database.transaction(async (transaction) => {
      await transaction.run(q('CREATE TABLE others (id INTEGER PRIMARY KEY)'));
      await transaction.run(
        q(`CREATE TABLE "cms_my-thing"
          (a INTEGER NOT NULL, "b-c" INTEGER, other INTEGER REFERENCES others (id), UNIQUE (a, "b-c"))`),
      );
      await transaction.run(q('INSERT INTO "cms_my-thing" VALUES (1, 2, NULL)'));
    });
    const error = await database
      .transaction(async (transaction) => transaction.run(q(statement.replace('things', '"cms_my-thing"'))))
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toBeDefined();
    if (fault === undefined) expect(dialect.fault(error)).toBeUndefined();
    else expect(dialect.fault(error)).toMatchObject(fault);
  });

  test('an error of something else is none', () => {
    expect(dialect.fault(new Error('UNIQUE constraint failed: a.b'))).toBeUndefined();
    expect(dialect.fault(undefined)).toBeUndefined();
  });
});

describe('texts in a JSON array', () => {
  test.each([
    ['["a","b"]', 'a', true],
    ['["a","b"]', 'c', false],
    ['["1"]', '1', true],
    ['[1]', '1', false],
    ['[["a"]]', 'a', false],
    ['[{"a":"a"}]', 'a', false],
    ['{"a":"a"}', 'a', false],
    ['"a"', 'a', false],
    ['["é🙂\\"\\\\"]', 'é🙂"\\', true],
    [null, 'a', false],
  ] as const)('%s has %s: %s', async (json, text, has) => {
    await using database = await openTestDatabase();
    const column = sql.id('v', 'json');
    const row = await database.first<{ has: unknown }>(
      compiled(
        sql`select ${dialect.jsonHasText(column, sql.val(text))} as "has" from (select cast(${json} as text) as "json") as "v"`,
      ),
    );
    expect(Boolean(row?.has)).toBe(has);
  });
});
