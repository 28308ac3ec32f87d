import { createReader } from '../packages/client/src/index.ts';

// What a list through the client costs over `fetch` and `JSON.parse`, both against the same listening server in another process, in turns.
// bun bench/client-list.ts [RECORDS]

const rounds = 600;
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
  const reader = createReader({ url });
  const { articles } = reader;
  const address = `${url}api/v1/cms/articles?page_size=${length}&sort=title%3Aasc`;
  const plain = async (): Promise<unknown> => JSON.parse(await (await fetch(address)).text());
  const client = async (): Promise<unknown> => articles?.list({ page_size: length, sort: 'title:asc' });
  const ratios: number[] = [];
  const times = { plain: 0, client: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? [plain, client] : [client, plain];
    const took = new Map<unknown, number>();
    for (const call of inTurn) {
      const start = performance.now();
      for (let count = 0; count < perRound; count += 1) await call();
      took.set(call, performance.now() - start);
    }
    const [one = 1, other = 1] = [took.get(plain), took.get(client)];
    if (round < 6) continue;
    ratios.push(other / one);
    times.plain += one;
    times.client += other;
  }
  const sorted = ratios.toSorted((one, other) => one - other);
  const calls = ratios.length * perRound;
  print(
    `fetch + JSON.parse ${((times.plain / calls) * 1000).toFixed(1)} µs, client ${((times.client / calls) * 1000).toFixed(1)} µs`,
  );
  print(
    `ratio: median ${sorted[sorted.length >> 1]?.toFixed(3)}, middle half ${sorted[sorted.length >> 2]?.toFixed(3)}–${sorted[(sorted.length * 3) >> 2]?.toFixed(3)}`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
