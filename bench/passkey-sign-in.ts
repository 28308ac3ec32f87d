import { SoftwarePasskey } from '../test/support/passkeys/software-authenticator.ts';
import { prepareRecto } from './recto-server.ts';

// The server's time of a sign-in with a passkey: `bun bench/passkey-sign-in.ts [sign-ins]`, with a service of one process. What the
// authenticator needs to sign is taken off.

const [signIns = 500] = process.argv.slice(2).map(Number);
const url = 'https://cms.example.com';
await using prepared = await prepareRecto([]);
await using service = await prepared.start({
  RECTO_URL: url,
  RECTO_RATE_LIMIT: 'off',
  RECTO_LOG_LEVEL: 'error',
});

/** The answer to a request of `/api/v1/auth`, and how long it took. */
async function post(path: string, body?: unknown, token = '') {
  const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) };
  const sent = { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const began = performance.now();
  const response = await fetch(`${service.url}/api/v1/auth/${path}`, sent);
  // biome-ignore lint/suspicious/noExplicitAny: a wrong path ends the measurement.
  const json: any = await response.json();
  const took = performance.now() - began;
  if (!response.ok) throw new Error(`${path} failed: ${JSON.stringify(json)}`);
  return { took, json };
}

const account = { email: 'mia@example.com', password: 'correct horse' };
const { access_token: token } = (await post('register', account)).json;
const passkey = new SoftwarePasskey(url);
const begun = (await post('me/passkeys/options', undefined, token)).json;
await post('me/passkeys', { challenge: begun.challenge, response: passkey.created(begun.options) }, token);

/** A whole sign-in; returns the times of its two requests. */
async function signIn(): Promise<readonly [number, number]> {
  const options = await post('passkeys/options');
  const response = passkey.used(options.json.options);
  const login = await post('passkeys/login', { challenge: options.json.challenge, response });
  return [options.took, login.took];
}

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0).toFixed(2);

for (let warm = 0; warm < 20; warm += 1) await signIn();
const times: (readonly [number, number])[] = [];
for (let count = 0; count < signIns; count += 1) times.push(await signIn());
const parts = {
  options: times.map(([options]) => options),
  login: times.map(([, login]) => login),
  together: times.map(([options, login]) => options + login),
};
const texts = Object.entries(parts).map(
  ([part, values]) => `${part} p50 ${percentile(values, 0.5)} p95 ${percentile(values, 0.95)}`,
);
process.stdout.write(`${signIns} sign-ins with a passkey: ${texts.join(', ')} ms\n`);
