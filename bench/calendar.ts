import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import type { ChildServer } from './child-server.ts';
import { postgresMissing, startBenchPostgres } from './postgres-server.ts';
import { prepareRecto, type Recto, signIn } from './recto-server.ts';

/**
 * How long a month of the calendar takes over 100,000 scheduled records, from the request to the reply: `npx bun bench/calendar.ts`. A record
 * is written before each request, so that nothing is remembered. The times are spread over a year, or all in the month that is asked for.
 * Prints the median of some rounds, and the ratio to a month over 1,000 records.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 21);
const toReachMs = 50;
const month = 'from=2031-03-01&to=2031-04-01&time_zone=Europe/Berlin';

const types = [
  {
    singular: 'story',
    plural: 'stories',
    fields: [
      { name: 'title', field_type: 'text', max_length: 100 },
      { name: 'text', field_type: 'richtext' },
    ],
    protocols: [
      'timestampable',
      { name: 'statusable', values: ['draft', 'published'], schedule: 'published', default: 'draft' },
    ],
  },
];

const spreads = { year: ['2030-10-01', 365], month: ['2031-03-01', 31] } as const;
type Spread = keyof typeof spreads;

/** Rows like the one that was made through the API, past the API. */
function filling(records: number, spread: Spread, onPostgres: boolean): string {
  const [begin, days] = spreads[spread];
  const minutes = (days * 24 * 60) / records;
  const at = onPostgres
    ? `to_char(timestamp '${begin}' + n.i * ${minutes} * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : `strftime('%Y-%m-%dT%H:%M:%fZ', '${begin}', '+' || (n.i * ${minutes}) || ' minutes')`;
  return `insert into cms_story (id, title, text, status, scheduled_at, created_at, updated_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${records})
    select s.id || '-' || n.i, s.title || n.i, s.text, s.status, ${at}, s.created_at, s.updated_at from n, cms_story s`;
}

async function fill(recto: Recto, url: string | undefined, records: number, spread: Spread): Promise<void> {
  const statement = filling(records - 1, spread, url !== undefined);
  if (url === undefined) {
    using database = new Database(recto.database);
    database.run(statement);
    database.run('analyze');
    return;
  }
  await using client = new SQL(url, { max: 1 });
  await client.unsafe(statement);
  await client.unsafe('vacuum (analyze)');
}

async function send(server: ChildServer, headers: Readonly<Record<string, string>>, line: string, body?: object) {
  const [method = '', path = ''] = line.split(' ');
  const answer = await fetch(`${server.url}${path}`, {
    ...{ method, headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const json: any = await answer.json();
  if (!answer.ok) throw new Error(`${line}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

async function measure(records: number, spread: Spread, url?: string): Promise<readonly number[]> {
  await using recto = await prepareRecto(types, {
    RECTO_RATE_LIMIT: 'off',
    ...(url === undefined ? {} : { RECTO_DATABASE_URL: url }),
  });
  let id = '';
  {
    await using server = await recto.start();
    const body = { title: 'Story ', text: 'Words of a story. '.repeat(100), scheduled_at: '2031-03-05T10:00:00Z' };
    ({ id } = await send(server, await signIn(server), 'POST /api/v1/admin/cms/stories', body));
  }
  await fill(recto, url, records, spread);
  await using server = await recto.start();
  const headers = await signIn(server);
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await send(server, headers, `PUT /api/v1/admin/cms/stories/${id}`, { title: `Round ${round}` });
    const began = performance.now();
    const { total, items } = await send(server, headers, `GET /api/v1/admin/calendar?${month}`);
    took.push(performance.now() - began);
    if (round === 0) process.stdout.write(`  ${items.length} of ${total} entries\n`);
  }
  return took.toSorted((a, b) => a - b);
}

const middle = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? 0;

async function compare(name: string, withUrl: <T>(work: (url?: string) => Promise<T>) => Promise<T>): Promise<void> {
  const few = middle(await withUrl((url) => measure(1_000, 'year', url)));
  for (const spread of ['year', 'month'] as const) {
    const times = await withUrl((url) => measure(100_000, spread, url));
    const [median, least, most] = [middle(times), times[0] ?? 0, times.at(-1) ?? 0];
    process.stdout.write(
      `${name}: a month over 100,000 records of a ${spread}: ${median.toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)}), to reach: ${toReachMs} ms; ${(median / few).toFixed(1)} times that of 1,000\n`,
    );
  }
}

await compare('sqlite', (work) => work());
const missing = postgresMissing();
if (missing === undefined)
  await compare('postgres', async (work) => {
    await using postgres = await startBenchPostgres();
    // Awaited here: the server ends with this function.
    return await work(postgres.url);
  });
else process.stdout.write(`postgres: ${missing}\n`);
