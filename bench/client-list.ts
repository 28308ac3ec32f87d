import { createReader } from '../packages/client/src/index.ts';

// What a list through the client costs over `fetch` and `JSON.parse`, all against the same listening server in another process, in turns:
// with an address that is always the same, and with one that is made for each call of what is asked for, as the client does.
// bun bench/client-list.ts [RECORDS]

const rounds = 1200;
const warmUp = 100;
const perRound = 20;

/** The records of the list: 20, or the number given. */
const [mode, count = '20'] = process.argv.slice(2);
const length = Number(mode === 'serve' ? count : (mode ?? 20));

const items = Array.from({ length }, (_, index) => ({
  id: `01a1fc4d-4e39-75e9-b87c-fc2731e69${100 + index}`,
  title: `Article ${index}`,
  body: 'White is part of the page. '.repeat(40),
  published_at: '2026-01-01T00:00:00.000Z',
}));
const body = JSON.stringify({ items, total: length, page: 1, page_size: length });

if (mode === 'serve') {
  const { url } = Bun.serve({
    port: 0,
    fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
  });
  print(url.href);
} else {
  const child = Bun.spawn([process.execPath, import.meta.path, 'serve', `${length}`], { stdout: 'pipe' });
  try {
    const { value } = await child.stdout.getReader().read();
    await compare(new TextDecoder().decode(value).trim());
  } finally {
    child.kill();
    await child.exited;
  }
}

async function compare(url: string): Promise<void> {
  const { articles } = createReader({ url });
  const asked = { page_size: `${length}`, sort: 'title:asc' };
  const read = async (address: string): Promise<unknown> => JSON.parse(await (await fetch(address)).text());
  const address = `${url}api/v1/cms/articles?${new URLSearchParams(asked)}`;
  const calls = {
    'one address': () => read(address),
    'an address for each call': () => read(`${url}api/v1/cms/articles?${new URLSearchParams(asked)}`),
    client: async () => articles?.list({ page_size: length, sort: 'title:asc' }),
  };
  const names = ['one address', 'an address for each call', 'client'] as const;
  const took = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(round + place) % names.length] ?? 'client';
      const start = performance.now();
      for (let count = 0; count < perRound; count += 1) await calls[name]();
      if (round >= warmUp) took.get(name)?.push((performance.now() - start) / perRound);
    }
  }
  const client = took.get('client') ?? [];
  for (const name of names.slice(0, 2)) {
    const other = took.get(name) ?? [];
    const ratios = client.map((time, round) => time / (other[round] ?? 1));
    const medians = `${(1000 * quantile(other, 0.5)).toFixed(1)} µs, client ${(1000 * quantile(client, 0.5)).toFixed(1)} µs`;
    const middle = `${quantile(ratios, 0.25).toFixed(3)}–${quantile(ratios, 0.75).toFixed(3)}`;
    print(`fetch + JSON.parse, ${name}: ${medians}; ratio ${quantile(ratios, 0.5).toFixed(3)}, middle half ${middle}`);
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
