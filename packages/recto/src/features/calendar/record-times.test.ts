// databases: sqlite, postgres
import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, type TestDatabase } from '../../../../../test/support/database/database.ts';
import { definitionsIn } from '../../../../../test/support/definitions.ts';
import type { Caller } from '../../base/caller.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typesInLanguage } from '../../definition/languages/types-in-language.ts';
import { fullView } from '../../definition/rights/read-view.ts';
import { syncSchema } from '../../migrations/sync-schema.ts';
import { readListQuery } from '../../query/list-query.ts';
import { buildListPlan, type ListShape, listValues } from '../../records/list/list-plan.ts';
import { languageDialect } from '../../records/plans/language-tables.ts';
import { type Plan, RequestBindings } from '../../records/plans/plan.ts';
import { timesQuery } from './record-times.ts';

// A range of an index has the records of a day, and of a month, whatever the type has besides.

const fields = [{ name: 'title', field_type: 'text', max_length: 100, localized: true }];
const story = {
  ...{ singular: 'story', plural: 'stories', fields },
  protocols: ['soft_deletable', { name: 'statusable', schedule: 'published' }],
};
const essay = {
  ...{ singular: 'essay', plural: 'essays', fields },
  protocols: [{ name: 'statusable', schedule: 'published', by_language: true }],
};
const types = definitionsIn('en,de', story, essay);
const caller: Caller = { kind: 'account', id: 'e1', role: 'editor', session: 's1' };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await syncSchema(database, types);
  // Times of three years, a few an hour.
  const time = onPostgres
    ? `to_char(timestamp '2026-01-01' + i * interval '13 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : `strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (i * 13) || ' minutes')`;
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)';
  await database.transaction(async (transaction) => {
    const run = (sql: string) => transaction.run({ sql, parameters: [] });
    for (const { table } of types.all)
      await run(
        `INSERT INTO ${table} (id, title, status, scheduled_at) ${numbers} SELECT 'i' || i, 'T' || i, 'draft', ${time} FROM n`,
      );
    await run(
      `INSERT INTO cms_essay__languages ("$record", "$language", title, status, scheduled_at) ${numbers} SELECT 'i' || i, 'de', 'D' || i, 'draft', ${time} FROM n`,
    );
    for (const table of [...types.all.map((type) => type.table), 'cms_essay__languages'])
      for (const { sql } of database.dialect.schema.analyze(table)) await run(sql);
  });
});
afterAll(() => database.close());

async function steps(plan: Plan, bindings: RequestBindings): Promise<string> {
  const { sql, parameters } = plan.bind(bindings);
  if (onPostgres) {
    const lines = await database.rows<{ 'QUERY PLAN': string }>({ sql: `EXPLAIN ${sql}`, parameters });
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  }
  // One that was open before does not know of the statistics.
  using file = new BunDatabase(database.path, { readonly: true });
  const lines = file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  return lines.map(({ detail }) => detail).join('\n');
}

test.each([
  ['story', undefined],
  ['essay', undefined],
  ['essay', 'de'],
])('records of %s, in the language %s, are read by an index on their time', async (singular, tag) => {
  const language = types.languages.others.find((each) => each.tag === tag);
  const read = language === undefined ? undefined : readLanguage(types.languages, language, false, 'admin');
  const shown = read === undefined ? types : typesInLanguage(types, read);
  const dialect = read === undefined ? database.dialect : languageDialect(database.dialect, shown);
  const type = shown.get(singular);
  for (const [from, to] of [
    ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ] as const) {
    const asked = timesQuery({ name: 'scheduled_at', from, to, fields: ['id', 'scheduled_at', 'title'], size: 20 });
    const query = readListQuery(
      new URLSearchParams(asked).toString(),
      { type, types: shown, view: fullView },
      { pageSize: 20, maxPageSize: 100 },
      new Set(),
    );
    const shape: ListShape = {
      ...{ type, types: shown, view: fullView, authenticated: true, tenant: false, query, after: null },
    };
    const plan = buildListPlan(shape, dialect, 'as_defined');
    const values = listValues(shape, dialect);
    for (const [statement, own] of [
      [plan.items, values.items],
      [plan.total, values.total],
    ] as const) {
      const found = await steps(statement, new RequestBindings(caller, own));
      // The range of the index is that of the time.
      expect(found).toMatch(
        onPostgres ? /Index Cond: .*scheduled_at\w* >= .*scheduled_at\w* </ : /scheduled_at>\? AND scheduled_at<\?\)/,
      );
      // Which way a join goes, PostgreSQL finds by the number of rows; the table with the times is not read whole.
      const holder = tag === undefined ? type.table : 'cms_essay__languages';
      expect(found).not.toMatch(
        onPostgres ? new RegExp(`Seq Scan on ${holder}\\b`) : /SCAN (t0|l0|cms_\w+)\b(?! USING)/,
      );
    }
  }
});
