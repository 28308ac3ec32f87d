import type { ChildServer } from './child-server.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { prepareRecto } from './recto-server.ts';

// A record with 200 blocks beside one with the same content in a JSON field: reads and writes, one after the other, in one run.
// bun bench/structured.ts [--rounds 300] [--only sqlite|postgres]

const items = 200;
const open = { access: 'public' };
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const relation = { relation_type: 'many_to_one', target: 'authors' };

/** The same blocks, in a field that they are defined by: one that everyone sees, and one with a member that is private. */
const blocks = (more: readonly object[]) => [
  {
    name: 'quote',
    fields: [
      text('text', { required: true }),
      text('cite'),
      { name: 'author', field_type: 'relation', relation },
      ...more,
    ],
  },
  { name: 'figure', fields: [text('caption'), text('source'), { name: 'wide', field_type: 'boolean' }, ...more] },
];
const typeOf = (singular: string, body: object) => ({
  singular,
  plural: `${singular}s`,
  fields: [text('title'), { name: 'body', ...body }],
  api: { create: open, update: open },
});
const types = [
  { singular: 'author', plural: 'authors', fields: [text('name')], api: { create: open } },
  typeOf('plain', { field_type: 'json' }),
  typeOf('structured', { field_type: 'blocks', blocks: blocks([]) }),
  typeOf('partly', { field_type: 'blocks', blocks: blocks([text('note', { private: true })]) }),
];

async function send(
  server: ChildServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly id: string }> {
  const init =
    body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/api/v1/cms/${path}`, { method, ...init });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.slice(0, 300)}`);
  return JSON.parse(answer);
}

function shuffled<One>(all: readonly One[]): readonly One[] {
  return all
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function measure(server: ChildServer, rounds: number): Promise<void> {
  const author = (await send(server, 'POST', 'authors', { name: 'Ines' })).id;
  const body = Array.from({ length: items }, (_, at) =>
    at % 2 === 0
      ? {
          block: 'quote',
          id: Bun.randomUUIDv7(),
          text: `A paragraph of middling length, number ${at}.`,
          cite: 'Someone',
          author,
        }
      : {
          block: 'figure',
          id: Bun.randomUUIDv7(),
          caption: `What is to be seen in it, number ${at}.`,
          source: '/a.png',
          wide: true,
        },
  );
  const kinds = ['plains', 'structureds', 'partlys'] as const;
  const paths = await Promise.all(
    kinds.map(async (kind) => `${kind}/${(await send(server, 'POST', kind, { title: 'a', body })).id}`),
  );
  const included = `${paths[1]}?include=body.author`;
  const works = [
    ...[...paths, included].map(
      (path) => [`read ${path.replace(/\/[0-9a-f-]+/, '')}`, () => send(server, 'GET', path)] as const,
    ),
    ...paths.map((path) => [`write ${path.replace(/\/.*/, '')}`, () => send(server, 'PUT', path, { body })] as const),
  ];
  const times = new Map(works.map(([name]) => [name, [] as number[]]));
  // The first tenth warms up.
  for (let round = -rounds / 10; round < rounds; round += 1) {
    // In another order each round: the first read after a write pays for what the write leaves to others.
    for (const [name, work] of shuffled(works)) {
      const taken = await time(work);
      if (round >= 0) times.get(name)?.push(taken);
    }
  }
  const base = { read: median(times.get('read plains') ?? []), write: median(times.get('write plains') ?? []) };
  for (const [name, taken] of times) {
    const middle = median(taken);
    const ratio = middle / (name.startsWith('read') ? base.read : base.write);
    process.stdout.write(`${name.padEnd(40)} ${middle.toFixed(3)} ms  ${ratio.toFixed(2)}\n`);
  }
}

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
};

const rounds = Number(argument('--rounds') ?? 300);
const only = argument('--only');
if (only !== 'postgres') {
  process.stdout.write('SQLite\n');
  await using recto = await prepareRecto(types);
  await using server = await recto.start();
  await measure(server, rounds);
}
if (only !== 'sqlite') {
  process.stdout.write('PostgreSQL\n');
  await using postgres = await startBenchPostgres();
  await using recto = await prepareRecto(types, { RECTO_DATABASE_URL: postgres.url });
  await using server = await recto.start();
  await measure(server, rounds);
}
