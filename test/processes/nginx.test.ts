import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { becomes } from '../support/database/database.ts';
import { newPostgresDatabase, type PostgresPlace } from '../support/database/postgres-place.ts';
import { freePort } from '../support/free-port.ts';
import { NginxProcess, nginxFile, nginxPath } from '../support/processes/nginx-process.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: { list: { cache: true }, create: { access: 'public' }, update: { access: 'public' } },
};

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** A request from one of this machine's addresses, on a connection of its own. */
function sendFrom(localAddress: string, url: string, headers: Record<string, string>, body?: object) {
  return new Promise<Answered>((resolve, reject) => {
    const sent = request(
      url,
      {
        localAddress,
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const admin = { email: 'ada@example.com', password: 'correct horse' };
const environment = {
  RECTO_TRUSTED_PROXIES: '127.0.0.1',
  RECTO_LOG_LEVEL: 'debug',
  RECTO_SECRET: 'a secret of the tests, long enough',
  RECTO_ADMIN_EMAIL: admin.email,
  RECTO_ADMIN_PASSWORD: admin.password,
};

// Skipped where nginx is not installed (Debian: apt-get install nginx-light).
describe.skipIf(nginxPath === null).each([
  ['processes on one SQLite file', false],
  ['machines on one PostgreSQL database', true],
])('two %s behind nginx, with the configuration that ships', (_, onPostgres) => {
  const types = { 'note.json': JSON.stringify(noteType) };
  const folder = new RectoFolder(types);
  // A machine has no file in common with another.
  const folders = [folder, onPostgres ? new RectoFolder(types) : folder];
  let place: PostgresPlace | undefined;
  let machines: RectoProcess[] = [];
  let nginx: NginxProcess;
  /** How many notes the tests have created. */
  let created = 0;

  const start = (machine: RectoFolder, port = String(freePort())): RectoProcess => {
    const database = place === undefined ? {} : { RECTO_DATABASE_URL: place.url };
    return machine.spawn(['start'], { ...environment, ...database, RECTO_PORT: port });
  };

  beforeAll(async () => {
    if (onPostgres) place = await newPostgresDatabase();
    machines = folders.map((machine) => start(machine));
    const urls = await Promise.all(machines.map((machine) => machine.url()));
    nginx = await NginxProcess.start(nginxPath ?? '', urls);
  }, 600_000);

  afterAll(async () => {
    await nginx[Symbol.asyncDispose]();
    for (const machine of machines) machine.kill('SIGKILL');
    for (const machine of machines) await machine.ended();
    for (const each of new Set(folders)) each[Symbol.dispose]();
    await place?.[Symbol.asyncDispose]();
  });

  test('both answer', async () => {
    for (let count = 0; count < 10; count++) {
      expect((await fetch(`${nginx.url}/api/v1/readyz?`)).status).toBe(200);
    }
    for (const machine of machines) await machine.err(/"path":"\/api\/v1\/readyz"/);
  });

  test('the log has the caller’s address, whatever the caller writes', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.9, 127.0.0.1', Forwarded: 'for=203.0.113.9' };
    await Promise.all(
      [1, 2, 3, 4].map(() => sendFrom('127.0.0.2', `${nginx.url}/api/v1/cms/notes?page_size=7`, forged)),
    );
    const logged = await Promise.race(machines.map((machine) => machine.err(/"address":"(127\.0\.0\.2|203[\d.]*)"/)));
    expect(logged[1]).toBe('127.0.0.2');
  });

  test('links are those that callers use', async () => {
    const signedIn = await sendFrom('127.0.0.3', `${nginx.url}/api/v1/auth/login`, {}, admin);
    const headers = { Authorization: `Bearer ${JSON.parse(signedIn.text).access_token}` };
    const page = { title: 'About', status: 'Published' };
    expect((await sendFrom('127.0.0.3', `${nginx.url}/api/v1/pages`, headers, page)).status).toBe(201);
    const sitemap = await sendFrom('127.0.0.3', `${nginx.url}/api/v1/pages/sitemap`, { Host: 'cms.example.com' });
    expect(JSON.parse(sitemap.text).items[0].loc).toBe('http://cms.example.com/api/v1/pages/about');
  });

  test('signing in is limited for all processes together, by address', async () => {
    const tried = { email: 'nobody@example.com', password: 'not the password' };
    const from = (address: string) => sendFrom(address, `${nginx.url}/api/v1/auth/login`, {}, tried);
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => from('127.0.0.4')))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(429);
  });

  test('internal endpoints are not exposed', async () => {
    for (const path of ['/metrics', '/api/v1/health']) {
      expect((await fetch(nginx.url + path)).status).toBe(404);
    }
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'one is ended by %s: no request fails that can be repeated',
    async (signal) => {
      const keys: string[] = [];
      const failed: unknown[] = [];
      let done = 0;
      let running = true;
      const attempt = async (method: string, path: string, body?: object, key?: string): Promise<void> => {
        const headers = {
          'Content-Type': 'application/json',
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        };
        const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
        const response = await fetch(`${nginx.url}${path}`, sent).catch((error) => error);
        if (response instanceof Response && response.status < 300) done++;
        else failed.push(response instanceof Response ? [method, response.status, await response.text()] : response);
      };
      const { id } = await fetch(`${nginx.url}/api/v1/cms/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ title: 'one' }),
      }).then((response) => response.json() as Promise<{ id: string }>);
      created++;
      const work = async (): Promise<void> => {
        while (running) {
          const key = crypto.randomUUID();
          keys.push(key);
          await attempt('POST', '/api/v1/cms/notes', { title: key }, key);
          await attempt('GET', '/api/v1/cms/notes');
          await attempt('PUT', `/api/v1/cms/notes/${id}`, { title: key });
        }
      };
      const workers = Array.from({ length: 6 }, work);
      const reached = async (goal: number): Promise<void> => {
        while (done < goal && failed.length === 0) await Bun.sleep(1);
      };
      await reached(60);
      const [first] = machines;
      const { port } = new URL((await first?.url()) ?? '');
      first?.kill(signal);
      await first?.ended();
      await reached(done + 200);
      // It comes back, and is asked again.
      const again = start(folder, port);
      machines[0] = again;
      await again.url();
      await reached(done + 100);
      running = false;
      await Promise.all(workers);
      expect(failed).toEqual([]);
      // What one machine has cached of the list may be older than what the other has just written.
      created += keys.length;
      await becomes(total, created);
    },
    600_000,
  );

  async function total(): Promise<number> {
    const response = await fetch(`${nginx.url}/api/v1/cms/notes?page_size=1`);
    return ((await response.json()) as { total: number }).total;
  }
});

describe('the nginx configuration', () => {
  const text = readFileSync(nginxFile, 'utf8');

  test('takes bodies of the size that the service takes', () => {
    const [, size, unit] = /client_max_body_size (\d+)([km])/.exec(text) ?? [];
    expect(Number(size) * (unit === 'm' ? 1024 ** 2 : 1024)).toBe(1024 ** 2);
  });

  test('goes to the port that the service listens on', () => {
    const ports = [...text.matchAll(/^ {4}server [\w.-]+:(\d+)/gm)].map(([, port]) => Number(port));
    expect(ports).toEqual([9898, 9898]);
  });
});
