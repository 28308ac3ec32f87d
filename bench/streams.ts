import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Open streams of changes in one process: memory for each, and the time from the acknowledgement of a write to its arrival.
// `bun bench/streams.ts [streams] [callers] [writes a second] [seconds]`. Streams are opened over one connection each, from this
// process; the service runs in another. Each caller sees their own records.

const [streams = 10_000, callers = 100, rate = 200, seconds = 10] = process.argv.slice(2).map(Number);

const folder = mkdtempSync(join(tmpdir(), 'streams-'));
const definition = {
  singular: 'paper',
  plural: 'papers',
  protocols: ['ownable', 'timestampable'],
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: { access: 'member', filter_auth: 'created_by = @request.auth.id' }, create: { access: 'member' } },
};
await Bun.write(join(folder, 'types', 'paper.json'), JSON.stringify(definition));
const service = Bun.spawn([process.execPath, join(import.meta.dir, '../packages/recto/src/cli/main.ts'), 'start'], {
  env: {
    ...process.env,
    RECTO_DATA_DIR: join(folder, 'data'),
    RECTO_CONTENT_TYPES_DIR: join(folder, 'types'),
    RECTO_WORKERS: '1',
    RECTO_PORT: '19898',
    RECTO_RATE_LIMIT: 'off',
    RECTO_EVENTS_MAX_STREAMS_PER_CALLER: '1000000',
    RECTO_LOG_LEVEL: 'error',
  },
  stdout: 'ignore',
  stderr: 'inherit',
});
const base = 'http://127.0.0.1:19898';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await Bun.sleep(100);
}

async function residentKib(): Promise<number> {
  const status = await Bun.file(`/proc/${service.pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

const json = { 'Content-Type': 'application/json' };
const headers = (token: string) => ({ ...json, Authorization: `Bearer ${token}` });

async function member(index: number): Promise<string> {
  const body = JSON.stringify({ email: `m${index}@example.com`, password: 'correct horse' });
  const response = await fetch(`${base}/api/v1/auth/register`, { method: 'POST', headers: json, body });
  // What the route is documented to return.
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

/** When each record's creation was acknowledged, and how long it took to arrive. */
const acknowledged = new Map<string, number>();
const arrived = new Map<string, number[]>();
let received = 0;

async function listen(token: string): Promise<void> {
  const response = await fetch(`${base}/api/v1/events?types=papers`, { headers: headers(token) });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const now = performance.now();
      for (const [, id = ''] of decoder.decode(chunk).matchAll(/^data: .*?"id":"([^"]+)"/gm)) {
        received += 1;
        const times = arrived.get(id) ?? [];
        times.push(now);
        arrived.set(id, times);
      }
    }
  })().catch(() => undefined);
}

try {
  await until(async () => (await fetch(`${base}/api/v1/health`)).ok);
  const tokens: string[] = [];
  for (let index = 0; index < callers; index += 1) tokens.push(await member(index));
  // One of each first, so that what is made once is not counted.
  for (const token of tokens) await listen(token);
  await Bun.sleep(1_000);
  const before = await residentKib();
  for (let index = callers; index < streams; index += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, streams - index) }, (_, place) =>
        listen(tokens[(index + place) % callers] ?? ''),
      ),
    );
  }
  await Bun.sleep(2_000);
  const opened = await residentKib();
  print(`${streams} streams of ${callers} callers: ${((opened - before) / (streams - callers)).toFixed(1)} KiB each`);
  const begun = performance.now();
  const writes: Promise<void>[] = [];
  for (let count = 0; count < rate * seconds; count += 1) {
    const wait = begun + (count * 1_000) / rate - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    const body = JSON.stringify({ title: `Paper ${count}` });
    const token = tokens[count % callers] ?? '';
    writes.push(
      fetch(`${base}/api/v1/cms/papers`, { method: 'POST', headers: headers(token), body }).then(async (response) => {
        // As above.
        const { id } = (await response.json()) as { id: string };
        acknowledged.set(id, performance.now());
      }),
    );
  }
  await Promise.all(writes);
  const took = (performance.now() - begun) / 1_000;
  await Bun.sleep(3_000);
  const delays = [...acknowledged].flatMap(([id, at]) => (arrived.get(id) ?? []).map((time) => Math.max(0, time - at)));
  delays.sort((one, other) => one - other);
  const percentile = (share: number) => (delays[Math.floor(delays.length * share)] ?? Number.NaN).toFixed(0);
  const expected = acknowledged.size * (streams / callers);
  print(`${(acknowledged.size / took).toFixed(0)} writes/s; ${received} of ${expected} events arrived`);
  print(
    `from acknowledgement to client: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms`,
  );
  print(`resident after: ${((await residentKib()) / 1024).toFixed(0)} MiB`);
} finally {
  service.kill();
  await service.exited;
  rmSync(folder, { recursive: true });
}
process.exit(0);
