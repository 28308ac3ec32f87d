import { clientSecret, TestProvider } from '../test/support/providers/test-provider.ts';
import { prepareRecto } from './recto-server.ts';

// The own time of a sign-in by a provider: `bun bench/provider-sign-in.ts [sign-ins]`, with a service of one process. The time that the
// provider works on requests of the service is taken off; that of the connections between them is not.

const [signIns = 500] = process.argv.slice(2).map(Number);
await using provider = await TestProvider.open();
const page = 'https://site.example.com/account';
await using prepared = await prepareRecto([]);
await using service = await prepared.start({
  RECTO_URL: 'https://cms.example.com',
  RECTO_AUTH_PROVIDERS: JSON.stringify({
    main: { kind: 'oidc', issuer: provider.issuer, client_id: 'recto', registration: true, trusted_email: true },
  }),
  RECTO_AUTH_MAIN_SECRET: clientSecret,
  RECTO_AUTH_RETURN_TO: page,
  RECTO_RATE_LIMIT: 'off',
  RECTO_LOG_LEVEL: 'error',
});

/** Where a request leads, the cookie that it sets, and how long the service itself took. */
async function follow(address: string, cookie = '') {
  const spent = provider.spentMs;
  const began = performance.now();
  const response = await fetch(address, { redirect: 'manual', headers: { Cookie: cookie } });
  const took = performance.now() - began - (provider.spentMs - spent);
  const location = response.headers.get('location') ?? '';
  return { took, location, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

/** A whole sign-in, of somebody new or known; returns its own time at the start and at the callback. */
async function signIn(person: string): Promise<readonly [number, number]> {
  provider.person = { sub: person, email: `${person}@example.com`, email_verified: true };
  const query = new URLSearchParams({ challenge: 'c'.repeat(43), return_to: page });
  const started = await follow(`${service.url}/api/v1/auth/providers/main/start?${query}`);
  const back = await provider.visit(started.location);
  const ended = await follow(`${service.url}${back.pathname}${back.search}`, started.cookie);
  if (!ended.location.includes('#code=')) throw new Error(`The sign-in ended at ${ended.location}`);
  return [started.took, ended.took];
}

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0).toFixed(2);

for (let warm = 0; warm < 20; warm += 1) await signIn(`warm-${warm}`);
for (const [what, name] of [
  ['first sign-ins', (count: number) => `person-${count}`],
  ['further ones', () => 'person-0'],
] as const) {
  const times: (readonly [number, number])[] = [];
  for (let count = 0; count < signIns; count += 1) times.push(await signIn(name(count)));
  const parts = { start: times.map(([start]) => start), callback: times.map(([, callback]) => callback) };
  const all = { ...parts, together: times.map(([start, callback]) => start + callback) };
  const texts = Object.entries(all).map(
    ([part, values]) => `${part} p50 ${percentile(values, 0.5)} p95 ${percentile(values, 0.95)}`,
  );
  process.stdout.write(`${what}: ${texts.join(', ')} ms\n`);
}
