import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareRecto } from './recto-server.ts';
import { loadSteadily } from './steady-load.ts';

// Gets by id while `after` hooks throw, and run in endless loops that their time limit of a second ends; how long the threads of hooks are
// away meanwhile, as a hook of another file sees it. `bun bench/after-hooks.ts [seconds]`, with a service of one process.

const [seconds = 20] = process.argv.slice(2).map(Number);
const limitSeconds = 1;

/** By the record, when its handler of the other file began; and which handlers of the bad file did. */
const reported = new Map<string, number>();
const bad: string[] = [];
// Also what the gets are held against: a server that does nothing.
using listener = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch({ url }) {
    const [, kind = '', id = ''] = new URL(url).pathname.split('/');
    if (kind === 'good') reported.set(id, performance.now());
    else if (kind !== 'bare') bad.push(kind);
    return new Response('{}');
  },
});

const open = { access: 'public' };
const paper = {
  singular: 'paper',
  plural: 'papers',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: open, create: open },
};
await using prepared = await prepareRecto([paper]);
const hooks = join(prepared.folder, 'hooks');
await mkdir(hooks);
const after = (name: string, more: string): Promise<number> =>
  Bun.write(
    join(hooks, `${name}.ts`),
    `import { hooks } from 'recto';
export default hooks('paper', {
  timeout: ${limitSeconds},
  async after({ event }) {
    await fetch(${JSON.stringify(listener.url.href)} + '${name}/' + event.record);
    ${more}
  },
});
`,
  );
await after('endless', 'for (;;);');
await after('throws', "throw new Error('As it is meant to.');");
await after('good', '');
await using service = await prepared.start({
  RECTO_HOOKS_DIR: hooks,
  RECTO_RATE_LIMIT: 'off',
  RECTO_LOG_LEVEL: 'fatal',
});

/** When each record was acknowledged. */
const created = new Map<string, number>();

async function create(): Promise<string> {
  const body = JSON.stringify({ title: 'A paper' });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/cms/papers`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
  // What the route is documented to return.
  const { id } = (await response.json()) as { id: string };
  created.set(id, performance.now());
  return id;
}

const address = `${service.url}/api/v1/cms/papers/${await create()}`;
const writing = setInterval(() => void create(), 500);
const groups = [[address], [`${listener.url.href}bare`]];
const [gets, bare] = await loadSteadily({ groups, perSecond: 200, seconds });
clearInterval(writing);
while (reported.size < created.size) await Bun.sleep(50);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
for (const [name, found] of Object.entries({ gets, bare }))
  print(
    `${name}: p50 ${found?.p50.toFixed(1)} ms, p99 ${found?.p99.toFixed(1)} ms, at most ${found?.max.toFixed(1)} ms`,
  );
const count = (kind: string): number => bad.filter((each) => each === kind).length;
print(
  `${gets?.requests} gets, ${gets?.faults} failed, beside ${count('endless')} endless and ${count('throws')} throwing handlers`,
);
const delays = [...created].map(([id, at]) => (reported.get(id) ?? Number.NaN) - at).sort((one, other) => one - other);
print(`from a create to the handler of another file: at most ${delays.at(-1)?.toFixed(0)} ms`);
