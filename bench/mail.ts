import { SMTPServer } from 'smtp-server';
import { median } from './paired-rounds.ts';
import { prepareRecto } from './recto-server.ts';

// How many mails a second a local server gets, and whether the time of `POST /auth/password-reset` says if an address has an account.
// `bun bench/mail.ts [pairs] [mails]`, with a service of one process. The server takes mails and reads none: reading one costs more than
// sending it.

const [pairs = 2_000, mails = 1_000] = process.argv.slice(2).map(Number);
let received = 0;
let wanted = 0;
let reached = (): void => undefined;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      done();
      received += 1;
      if (received >= wanted) reached();
    });
  },
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const at = server.server.address();
if (at === null || typeof at === 'string') throw new Error('The mail server has no port.');

/** Resolves once so many mails have arrived in all. */
function arrived(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  [wanted, reached] = [count, resolve];
  if (received >= count) resolve();
  return promise;
}
await using prepared = await prepareRecto([]);
await using service = await prepared.start({
  RECTO_MAIL_URL: `smtp://127.0.0.1:${at.port}`,
  RECTO_MAIL_FROM: 'mail@example.com',
  RECTO_MAIL_PER_HOUR: '10000000',
  RECTO_URL: 'https://cms.example.com',
  RECTO_RATE_LIMIT: 'off',
  RECTO_LOG_LEVEL: 'error',
});
const post = async (path: string, body: object): Promise<number> => {
  const headers = { 'Content-Type': 'application/json' };
  const began = performance.now();
  const response = await fetch(`${service.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  const took = performance.now() - began;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return took;
};
const known = 'person@example.org';
await post('register', { email: known, password: 'correct horse' });
const reset = (email: string): Promise<number> => post('password-reset', { email });

const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
for (let pair = 0; pair < pairs; pair += 1) {
  const nobody = `nobody${String(pair).padStart(5, '0')}@example.org`;
  // By chance the first: after requests that send mails the next ones take longer, and neither kind may follow them more often.
  const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
  for (const kind of order) times[kind].push(await reset(kind === 'known' ? known : nobody));
}
await arrived(pairs);
const [a, b] = [median(times.known), median(times.unknown)];
process.stdout.write(`known ${a.toFixed(3)} ms, unknown ${b.toFixed(3)} ms, apart ${Math.abs(a - b).toFixed(3)} ms\n`);
process.stdout.write(`Kolmogorov-Smirnov p ${sameDistribution(times.known, times.unknown).toFixed(3)}\n`);

const before = received;
const began = performance.now();
await Promise.all(Array.from({ length: mails }, () => reset(known)));
await arrived(before + mails);
const seconds = (performance.now() - began) / 1000;
process.stdout.write(`${mails} mails in ${seconds.toFixed(2)} s: ${Math.round(mails / seconds)} a second\n`);

await new Promise<void>((resolve) => server.close(resolve));

/** The probability that two samples of one distribution differ as much, by the statistic of Kolmogorov and Smirnov. */
function sameDistribution(one: readonly number[], other: readonly number[]): number {
  const [left, right] = [one.toSorted((x, y) => x - y), other.toSorted((x, y) => x - y)];
  let [i, j, widest] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    if ((left[i] ?? 0) <= (right[j] ?? 0)) i += 1;
    else j += 1;
    widest = Math.max(widest, Math.abs(i / left.length - j / right.length));
  }
  const size = Math.sqrt((left.length * right.length) / (left.length + right.length));
  const lambda = (size + 0.12 + 0.11 / size) * widest;
  let sum = 0;
  for (let k = 1; k <= 100; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}
