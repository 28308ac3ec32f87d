import { residentMebibytes } from './child-server.ts';
import { prepareRecto } from './recto-server.ts';

// Open streams of changes in one process: memory for each, and the time from the acknowledgement of a write to its arrival.
// `bun bench/streams.ts [streams] [callers] [writes a second] [seconds]`. Streams are opened over one connection each, from this
// process; the service runs in another. Each caller sees their own records.

const [streams = 10_000, callers = 100, rate = 200, seconds = 10] = process.argv.slice(2).map(Number);

const definition = {
  singular: 'paper',
  plural: 'papers',
  protocols: ['ownable', 'timestampable'],
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: { access: 'member', filter_auth: 'created_by = @request.auth.id' }, create: { access: 'member' } },
};
await using prepared = await prepareRecto([definition], {
  RECTO_RATE_LIMIT: 'off',
  RECTO_EVENTS_MAX_STREAMS_PER_CALLER: '1000000',
  RECTO_LOG_LEVEL: 'error',
});
await using service = await prepared.start();
const base = service.url;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const residentKib = async (): Promise<number> => (await residentMebibytes(service.pid)) * 1024;

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

/** Over a socket of its own: `fetch` has no more than 256 requests open at a time. */
async function listen(token: string): Promise<void> {
  const { hostname, port } = new URL(base);
  const opened = Promise.withResolvers<void>();
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        const head = `GET /api/v1/events?types=papers HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
        socket.write(head);
      },
      data(_, chunk) {
        const now = performance.now();
        const text = chunk.toString('latin1');
        if (text.includes('retry: ')) opened.resolve();
        else if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) opened.reject(new Error(text));
        // An event is small and written at once: none of them is in two chunks.
        for (const [, id = ''] of text.matchAll(/^data: \{"type":"paper","id":"([^"]+)"/gm)) {
          received += 1;
          const times = arrived.get(id) ?? [];
          times.push(now);
          arrived.set(id, times);
        }
      },
      close: () => opened.reject(new Error('The stream has ended.')),
      connectError: (_, error) => opened.reject(error),
    },
  });
  await opened.promise;
}

const tokens: string[] = [];
for (let index = 0; index < callers; index += 1) tokens.push(await member(index));
// One of each first, so that what is made once is not counted.
for (const token of tokens) await listen(token);
await Bun.sleep(1_000);
const before = await residentKib();
print(`resident with ${callers} streams: ${(before / 1024).toFixed(0)} MiB`);
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
