import { Database } from 'bun:sqlite';
import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import type { ChildServer } from './child-server.ts';
import { cleanUpAtExit } from './cleanup.ts';
import { median } from './paired-rounds.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, signIn } from './recto-server.ts';
import { fixed, table } from './table.ts';

// bun bench/million.ts [--records 1000000] [--rounds 20] [--postgres]: what is expensive among a million records: totals after a
// write, searches for a beginning that most records have, and aggregates. The rows are made by set-based SQL.

cleanUpAtExit();

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'body', field_type: 'text' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
    { name: 'views', field_type: 'integer', indexed: true },
    { name: 'price', field_type: 'decimal' },
    { name: 'at', field_type: 'datetime' },
  ],
  api: { list: { filter: 'status = "published"' } },
};

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
  },
});
const [records, rounds] = [Number(values.records), Number(values.rounds)];

/** Number `i` as the statements of both databases know it. Three of four bodies have a word that begins with "colour". */
const columns = (time: (seconds: string) => string, padded: (digits: number) => string) => ({
  id: `'01900000-0000-7000-8000-' || ${padded(12)}`,
  title: `'note ' || i || ' kind' || (i % 1000)`,
  body: `case when i % 4 = 0 then 'plain text of a note' else 'a text about colour' || (i % 50) || ' and more' end`,
  status: `case when i % 10 = 0 then 'draft' else 'published' end`,
  views: '(i * 79) % 100000',
  at: time('i * 30'),
});

/** The stored form of a price of two digits after its point (`values/decimal.ts`). */
const sqlitePrice = `printf('1%02d%d%02d %d.%02d', length(i % 90 + 10), i % 90 + 10, i % 89 + 11, i % 90 + 10, i % 89 + 11)`;

function fillSqlite(file: string): void {
  const made = columns(
    (seconds) => `strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + ${seconds}, 'unixepoch')`,
    (digits) => `printf('%0${digits}d', i)`,
  );
  using database = new Database(file);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${records})`;
  database.exec(`BEGIN;
    INSERT INTO "cms_note" ("id", "title", "body", "status", "views", "price", "at")
      ${numbers} SELECT ${made.id}, ${made.title}, ${made.body}, ${made.status}, ${made.views}, ${sqlitePrice}, ${made.at} FROM n;
    INSERT INTO "cms_note$search" (rowid, "f_title", "f_body") SELECT "$row", "title", "body" FROM "cms_note";
    COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);`);
}

async function fillPostgres(url: string): Promise<void> {
  const made = columns(
    (seconds) => `to_char(timestamp '2025-01-01' + ${seconds} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
    (digits) => `lpad(i::text, ${digits}, '0')`,
  );
  const price = `((i % 90 + 10) || '.' || (i % 89 + 11))::numeric`;
  const words = (field: string) =>
    `(SELECT array_agg('${field}/' || "word") FROM unnest(string_to_array("${field}", ' ')) AS "word")`;
  await using client = new SQL(url, { max: 1 });
  await client.unsafe(`INSERT INTO "cms_note" ("id", "title", "body", "status", "views", "price", "at")
    SELECT ${made.id}, ${made.title}, ${made.body}, ${made.status}, ${made.views}, ${price}, ${made.at} FROM generate_series(1, ${records}) AS i`);
  await client.unsafe(`INSERT INTO "cms_note$search" ("$row", "words")
    SELECT "$row", array_to_tsvector(ARRAY(SELECT DISTINCT unnest(${words('title')} || ${words('body')}))) FROM "cms_note"`);
}

interface Measured {
  readonly name: string;
  readonly path: string;
  /** Each request follows a write, which is not measured. */
  readonly afterWrite?: true;
}

const list = '/api/v1/cms/notes';
const measured: readonly Measured[] = [
  { name: 'first page, total known', path: list },
  { name: 'first page, total after a write', path: list, afterWrite: true },
  { name: 'first page of a filter, total after a write', path: `${list}?filter=price%20%3E%2010.5`, afterWrite: true },
  { name: 'search for a beginning in 3 of 4, with total', path: `${list}?search=colour` },
  { name: 'search for a beginning in 3 of 4, total after a write', path: `${list}?search=colour`, afterWrite: true },
  { name: 'search for a rare word', path: `${list}?search=kind77` },
  { name: 'aggregate: count by status', path: `${list}/aggregate?group=status` },
  { name: 'aggregate: sum of a decimal by status', path: `${list}/aggregate?group=status&sum=price` },
  { name: 'aggregate: sum of an integer by month', path: `${list}/aggregate?group=at:month&sum=views` },
  { name: 'aggregate: count by month in a zone', path: `${list}/aggregate?group=at:month@Europe/Lisbon` },
];

async function measure(server: ChildServer): Promise<readonly number[]> {
  const headers = await signIn(server);
  const write = async (): Promise<void> => {
    const body = JSON.stringify({ title: 'One more', body: 'text', status: 'published', views: 3 });
    await (await fetch(`${server.url}/api/v1/admin/cms/notes`, { method: 'POST', headers, body })).text();
  };
  const results: number[] = [];
  for (const { name, path, afterWrite } of measured) {
    const times: number[] = [];
    const first = await (await fetch(server.url + path)).text();
    logProgress(`${name}: ${first.slice(-90)}`);
    const many = path.includes('aggregate') ? Math.min(5, rounds) : rounds;
    for (let round = 0; round < many; round += 1) {
      if (afterWrite === true) await write();
      const begun = performance.now();
      const response = await fetch(server.url + path);
      await response.text();
      times.push(performance.now() - begun);
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      // An estimate is followed by an exact count, which is not part of the next round.
      if (afterWrite === true) await Bun.sleep(300);
    }
    results.push(median(times));
  }
  return results;
}

async function run(): Promise<void> {
  await using postgres = values.postgres ? await startBenchPostgres() : undefined;
  await using recto = await prepareRecto([note], postgres === undefined ? {} : { RECTO_DATABASE_URL: postgres.url });
  await (await recto.start())[Symbol.asyncDispose]();
  logProgress(`making ${records} records`);
  if (postgres === undefined) fillSqlite(recto.database);
  else await postgres.fill(fillPostgres);
  await using server = await recto.start();
  const results = await measure(server);
  const rows = measured.map(({ name }, place) => [name, fixed(results[place] ?? 0, 1)]);
  process.stdout.write(
    `${table([`${values.postgres ? 'PostgreSQL' : 'SQLite'}, ${records} records`, 'median ms'], rows)}\n`,
  );
}

await run();
