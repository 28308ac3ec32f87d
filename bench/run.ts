import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, residentMebibytes, startServer } from './child-server.ts';
import { generator } from './load.ts';
import { type Comparison, compare, median, type RoundOptions } from './paired-rounds.ts';
import { prepareRecto, signIn } from './recto-server.ts';

const quick = Bun.argv.includes('--quick');
const options: RoundOptions = { rounds: quick ? 3 : 7, seconds: quick ? 1 : 4, connections: 32 };
const print = (text: string) => process.stdout.write(`${text}\n`);

const article = {
  name: 'Article',
  singular: 'article',
  plural: 'articles',
  protocols: ['timestampable'],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'summary', field_type: 'text' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'], default: 'draft' },
    { name: 'reads', field_type: 'integer' },
    { name: 'featured', field_type: 'boolean' },
  ],
  api: { list: { cache: true, filter: 'status = "published"' }, get: { filter: 'status = "published"' } },
};

/** The statement that a bare server would be written with to tell the same JSON. */
const bareStatement = `select json_object('id', id, 'title', title, 'summary', summary, 'status', status, 'reads', reads,
  'featured', json(case featured when 1 then 'true' when 0 then 'false' end), 'created_at', created_at,
  'updated_at', updated_at) as body from cms_article where id = ? and status = 'published'`;

async function fill(server: ChildServer, records: number): Promise<string> {
  const headers = await signIn(server);
  let id = '';
  for (let number = 0; number < records; number += 1) {
    const body = {
      title: `Article number ${number}`,
      summary: 'What it is about. '.repeat(8),
      status: 'published',
      reads: number,
      featured: number % 3 === 0,
    };
    const response = await fetch(`${server.url}/api/v1/admin/cms/articles`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`Filling failed: ${response.status} ${await response.text()}`);
    ({ id } = (await response.json()) as { id: string });
  }
  return id;
}

async function speed(): Promise<readonly Comparison[]> {
  const recto = await prepareRecto({ article });
  try {
    await using ours = await recto.start();
    const id = await fill(ours, 1_000);
    const list = '/api/v1/cms/articles?page_size=20&sort=reads:desc';
    const bytes = join(recto.folder, 'list.json');
    await Bun.write(bytes, await fetch(ours.url + list));
    const bare = (name: string, ...more: string[]) =>
      startServer({
        command: [process.execPath, join(import.meta.dir, 'limits', name), ...more],
        address: /http:\/\/\S+:\d+/,
        firstPath: `/${id}`,
      });
    await using bytesServer = await bare('bytes-server.ts', bytes);
    await using recordServer = await bare('record-server.ts', join(recto.folder, 'data/recto.db'), bareStatement);
    const get = `/api/v1/cms/articles/${id}`;
    await requireEqual(`${ours.url}${get}`, `${recordServer.url}/${id}`);
    return [
      await compare('cached list of 20', { server: ours, path: list }, { server: bytesServer, path: '/' }, options),
      await compare('uncached get', { server: ours, path: get }, { server: recordServer, path: `/${id}` }, options),
    ];
  } finally {
    await rm(recto.folder, { recursive: true });
  }
}

async function requireEqual(ours: string, limit: string): Promise<void> {
  const texts = await Promise.all([ours, limit].map(async (url) => (await fetch(url)).text()));
  if (texts[0] !== texts[1]) throw new Error(`The limit tells something else:\n${texts.join('\n')}`);
}

/** Start and memory with fifty types, the first start (which makes the tables) apart from later ones. */
async function starting(): Promise<{ first: number; later: number; mebibytes: number }> {
  const types = Object.fromEntries(
    Array.from({ length: 50 }, (_, number) => [
      `type-${number}`,
      { ...article, name: `Type ${number}`, singular: `thing-${number}`, plural: `things-${number}` },
    ]),
  );
  const recto = await prepareRecto(types);
  try {
    const first = await startOnce(recto.start);
    const later = [];
    for (let round = 0; round < (quick ? 3 : 9); round += 1) later.push(await startOnce(recto.start));
    return {
      first: first.seconds,
      later: median(later.map(({ seconds }) => seconds)),
      mebibytes: median(later.map(({ mebibytes }) => mebibytes)),
    };
  } finally {
    await rm(recto.folder, { recursive: true });
  }
}

async function startOnce(start: () => Promise<ChildServer>): Promise<{ seconds: number; mebibytes: number }> {
  await using server = await start();
  await Bun.sleep(1_000);
  return { seconds: server.startSeconds, mebibytes: await residentMebibytes(server.pid) };
}

const row = (...cells: readonly string[]) => print(`| ${cells.join(' | ')} |`);
const fixed = (value: number, digits = 2) => value.toFixed(digits);

const comparisons = await speed();
const start = await starting();
print(
  `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; load by ${generator}, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s each in turn.\n`,
);
row('operation', 'requests/s', 'limit', 'ratio', 'min–max', 'p50 ms', 'p99 ms', 'processor µs', 'limit µs');
row(...Array.from({ length: 9 }, () => '---'));
for (const { operation, ours, limit, ratios, ourMicroseconds, limitMicroseconds } of comparisons) {
  const mid = (results: typeof ours, pick: (result: (typeof ours)[number]) => number) => median(results.map(pick));
  row(
    operation,
    fixed(
      mid(ours, (result) => result.requestsPerSecond),
      0,
    ),
    fixed(
      mid(limit, (result) => result.requestsPerSecond),
      0,
    ),
    fixed(median(ratios)),
    `${fixed(Math.min(...ratios))}–${fixed(Math.max(...ratios))}`,
    fixed(mid(ours, (result) => result.p50)),
    fixed(mid(ours, (result) => result.p99)),
    fixed(ourMicroseconds, 1),
    fixed(limitMicroseconds, 1),
  );
}
print(
  `\nStart to first answer, 50 types: ${fixed(start.first * 1000, 0)} ms the first time (tables are made), ${fixed(start.later * 1000, 0)} ms later (median).`,
);
print(`Resident memory one second after the start, 50 types: ${fixed(start.mebibytes, 0)} MiB (median).`);
