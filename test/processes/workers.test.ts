// databases: sqlite, postgres
import { afterEach, describe, expect, test } from 'bun:test';
import { becomes, environmentOf, newTestLocation, type TestLocation } from '../support/database/database.ts';
import { halfSent } from '../support/processes/half-sent.ts';
import { RectoFolder, type RectoProcess, refused } from '../support/processes/recto-process.ts';
import { type Outcome, RawClient } from '../support/processes/worker-load.ts';

// One service in several processes: what it does when one of them, or all, are to end.

const admin = { email: 'ada@example.com', password: 'correct horse' };
const settings = {
  RECTO_WORKERS: '2',
  RECTO_LOG_LEVEL: 'debug',
  RECTO_ADMIN_EMAIL: admin.email,
  RECTO_ADMIN_PASSWORD: admin.password,
};

const types = {
  'note.toml': `
singular = "note"
plural = "notes"

[[fields]]
name = "text"
field_type = "text"
unique = true

[api.list]
cache = true

[api.create]
access = "public"
`,
};

const path = '/api/v1/cms/notes';
const longest = 600_000;

let place: TestLocation | undefined;
let folder: RectoFolder | undefined;
let recto: RectoProcess | undefined;
afterEach(async () => {
  recto?.kill('SIGKILL');
  await recto?.ended();
  folder?.[Symbol.dispose]();
  await place?.[Symbol.asyncDispose]();
  recto = undefined;
  folder = undefined;
  place = undefined;
});

async function start(more: Readonly<Record<string, string>> = {}) {
  place = await newTestLocation();
  folder = new RectoFolder(types);
  recto = spawn(more);
  const url = await recto.url();
  await recto.err(/"msg":"started"/);
  return { recto, url };
}

/** Starts the service once more, in the same folder on the same database. */
function spawn(more: Readonly<Record<string, string>>): RectoProcess {
  if (folder === undefined || place === undefined) throw new Error('Nothing has been started yet.');
  return folder.spawn(['start'], { ...settings, ...environmentOf(place), ...more });
}

/** The workers' process ids, from the log. */
async function workerIds(process: RectoProcess): Promise<readonly number[]> {
  await process.err(/("msg":"a worker serves"[\s\S]*){2}/);
  const [log] = await process.err(/[\s\S]*/);
  return [...log.matchAll(/"pid":(\d+),"msg":"a worker serves"/g)].map(([, pid]) => Number(pid));
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function ended(pids: readonly number[]): Promise<void> {
  while (pids.some(lives)) await Bun.sleep(10);
}

interface Written {
  readonly text: string;
  readonly outcome: Outcome;
  /** Whether it was sent on a connection that had served before. */
  readonly reused: boolean;
  /** When it was sent (`performance.now`). */
  readonly sentAt: number;
}

/** Clients that create notes, each one after another, until they are stopped. */
function writing(url: string, clients = 16) {
  const written: Written[] = [];
  let going = true;
  const client = async (name: number): Promise<void> => {
    using connection = new RawClient(url);
    for (let number = 0; going; number += 1) {
      const text = `${name} ${number}`;
      const sentAt = performance.now();
      const outcome = await connection.send(`POST ${path}`, {}, JSON.stringify({ text }));
      written.push({ text, outcome, reused: connection.reused, sentAt });
      if (outcome.kind === 'refused') await Bun.sleep(20);
    }
  };
  const all = Array.from({ length: clients }, (_, name) => client(name));
  return {
    written,
    /** Resolves when so many more were acknowledged. */
    async more(count: number): Promise<void> {
      const acknowledged = (): number => written.filter(({ outcome }) => isCreated(outcome)).length;
      const wanted = acknowledged() + count;
      while (acknowledged() < wanted) await Bun.sleep(5);
    },
    async stop(): Promise<void> {
      going = false;
      await Promise.all(all);
    },
  };
}

/**
 * What got no answer on a connection in use. A stopping service answers for a moment; what a client sends after the signal may meet a
 * closed connection, where the machine is busy.
 */
const cutOff = (written: readonly Written[], stoppedAt: number): readonly Written[] =>
  written.filter(({ outcome, reused, sentAt }) => outcome.kind === 'unanswered' && reused && sentAt < stoppedAt);

/** Sends a request on a connection of its own, and returns which worker answered it. */
async function answeredBy(url: string, line: string): Promise<string> {
  using client = new RawClient(url);
  const outcome = await client.send(line);
  if (outcome.kind !== 'answered') throw new Error(`${line} was ${outcome.kind}.`);
  expect(outcome.status).toBe(200);
  return outcome.worker;
}

/** Resolves when each of the two workers has answered on a new connection: they have taken those that came before. */
async function takenByAll(url: string): Promise<void> {
  const answered = new Set<string>();
  while (answered.size < 2) answered.add(await answeredBy(url, 'GET /api/v1/healthz'));
}

const isCreated = (outcome: Outcome): boolean => outcome.kind === 'answered' && outcome.status === 201;

/** The texts of all notes that there are. */
async function stored(url: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${url}${path}?page=${page}&page_size=100&skip_total=true`);
    const { items } = (await answer.json()) as { items: { text: string }[] };
    texts.push(...items.map(({ text }) => text));
    if (items.length < 100) return texts;
  }
}

/** What was acknowledged is there once; nothing is there that was not sent; nothing was rejected. */
function checkStored(written: readonly Written[], texts: readonly string[]): void {
  const there = new Set(texts);
  expect(there.size).toBe(texts.length);
  const answered = written.filter(({ outcome }) => outcome.kind === 'answered');
  expect(answered.filter(({ outcome }) => !isCreated(outcome))).toEqual([]);
  expect(answered.filter(({ text }) => !there.has(text))).toEqual([]);
  const sent = new Set(written.map(({ text }) => text));
  expect(texts.filter((text) => !sent.has(text))).toEqual([]);
}

describe('workers', () => {
  test(
    'share one port; both answer, and the welcome is printed once',
    async () => {
      const { recto, url } = await start();
      const workers = new Set<string>();
      while (workers.size < 2) workers.add(await answeredBy(url, 'GET /api/v1/readyz'));
      recto.kill('SIGTERM');
      const { exitCode, out, err } = await recto.ended();
      expect(exitCode).toBe(0);
      expect(out.match(/Recto \S+ at/g)).toHaveLength(1);
      expect(err.match(/"msg":"started"/g)).toHaveLength(1);
      expect(err).toContain('"msg":"stopped"');
      expect(err).not.toContain('"level":"error"');
    },
    longest,
  );

  test(
    'one that is killed under load is replaced, and no acknowledged write is lost or doubled',
    async () => {
      const { recto, url } = await start();
      const load = writing(url);
      await load.more(50);
      recto.expectErrors(/a worker ended/);
      const [victim = 0] = await workerIds(recto);
      process.kill(victim, 'SIGKILL');
      await recto.err(/"msg":"a worker was replaced"/);
      await load.more(50);
      await load.stop();
      const [log] = await recto.err(/[\s\S]*/);
      expect(log).toContain(`"pid":${victim},"end":"signal SIGKILL","replaced_after_ms":0`);
      checkStored(load.written, await stored(url));
      // The other one went on: what was cut off is no more than the connections of one worker.
      expect(load.written.filter(({ outcome }) => outcome.kind === 'unanswered').length).toBeLessThanOrEqual(16);
    },
    longest,
  );

  test(
    'SIGTERM under load: what was taken is answered, also on connections in use',
    async () => {
      const { recto, url } = await start({ RECTO_STOP_TIMEOUT_SECS: '3600' });
      const load = writing(url);
      await load.more(50);
      const request = halfSent(url, '/api/v1/auth/login', JSON.stringify(admin));
      await request.sent;
      await takenByAll(url);
      const stoppedAt = performance.now();
      recto.kill('SIGTERM');
      await refused(url);
      request.finish();
      expect(await request.answer).toStartWith('HTTP/1.1 200 ');
      const { exitCode, err } = await recto.ended();
      await load.stop();
      expect({ exitCode, errors: err.match(/"level":"(error|fatal|warn)"/g) }).toEqual({ exitCode: 0, errors: null });
      expect(cutOff(load.written, stoppedAt)).toEqual([]);

      const again = spawn({ RECTO_WORKERS: '1' });
      const texts = await stored(await again.url());
      again.kill('SIGTERM');
      await again.ended();
      checkStored(load.written, texts);
      // Nothing was done without an answer.
      expect(texts.length).toBe(load.written.filter(({ outcome }) => isCreated(outcome)).length);
    },
    longest,
  );

  test(
    'a second signal ends all at once',
    async () => {
      const { recto, url } = await start({ RECTO_STOP_TIMEOUT_SECS: '3600' });
      const pids = await workerIds(recto);
      const request = halfSent(url, '/api/v1/auth/login', JSON.stringify(admin));
      request.answer.catch(() => undefined);
      await request.sent;
      // Otherwise the worker that is to answer it may not know of it yet.
      await takenByAll(url);
      recto.kill('SIGTERM');
      await recto.err(/"msg":"stopping"/);
      // Longer than a signal and its copy are apart, when a terminal and npm both send it.
      await Bun.sleep(400);
      recto.kill('SIGTERM');
      const { exitCode, err } = await recto.ended();
      expect(exitCode).toBe(1);
      expect(err).not.toContain('"msg":"stopped"');
      await ended(pids);
    },
    longest,
  );

  test(
    'end by themselves, in order, when the supervisor is killed',
    async () => {
      const { recto, url } = await start();
      const pids = await workerIds(recto);
      const load = writing(url, 4);
      await load.more(10);
      const killedAt = performance.now();
      recto.kill('SIGKILL');
      await ended(pids);
      await load.stop();
      expect(cutOff(load.written, killedAt)).toEqual([]);
    },
    longest,
  );
});

test(
  'four workers that write at once: all that was acknowledged is there once, none is refused, none starves',
  async () => {
    const { url } = await start({ RECTO_WORKERS: '4', RECTO_WRITE_TIMEOUT_SECS: '3600' });
    const load = writing(url, 48);
    await load.more(1_500);
    await load.stop();
    checkStored(load.written, await stored(url));
    const created = load.written.map(({ outcome }) => outcome).filter(isCreated);
    expect(created.length).toBe(load.written.length);
    const workers = new Set(created.map((outcome) => (outcome.kind === 'answered' ? outcome.worker : '')));
    expect(workers.size).toBe(4);
  },
  longest,
);

describe('global, whichever worker answers', () => {
  test(
    'metrics',
    async () => {
      const { recto, url } = await start();
      recto.expectErrors(/a worker ended/);
      const sample = 'recto_http_requests_total{route="/api/v1/cms/notes",method="GET",status="200"}';
      const metric = async (name: string): Promise<number> => {
        const response = await fetch(`${url}/metrics`, { keepalive: false });
        // On a busy machine the workers may not answer each other in time.
        if (response.status === 503) return metric(name);
        const line = (await response.text()).split('\n').find((each) => each.startsWith(`${name} `));
        return Number(line?.slice(name.length) ?? 0);
      };
      /** A worker that does not answer in time counts with what it last said, and never with more than there is. */
      const reaches = async (name: string, value: number): Promise<void> => {
        for (;;) {
          const seen = await metric(name);
          expect(seen).toBeLessThanOrEqual(value);
          if (seen === value) return;
        }
      };
      const workers = new Set<string>();
      let asked = 0;
      for (; workers.size < 2; asked += 1) workers.add(await answeredBy(url, `GET ${path}`));
      for (let scrape = 0; scrape < 6; scrape += 1) await reaches(sample, asked);
      await reaches('recto_workers', 2);
      expect(await metric('recto_worker_deaths_total')).toBe(0);

      const [victim = 0] = await workerIds(recto);
      process.kill(victim, 'SIGKILL');
      await recto.err(/"msg":"a worker was replaced"/);
      // The dead one's count is kept.
      await reaches(sample, asked);
      await reaches('recto_worker_deaths_total', 1);
      await reaches('recto_workers', 2);
    },
    longest,
  );

  test(
    'health: a worker that is missing is reported, and the others are ready',
    async () => {
      const { recto, url } = await start();
      recto.expectErrors(/a worker ended/);
      const health = async () => {
        const answer = await fetch(`${url}/api/v1/health`, { keepalive: false });
        return { status: answer.status, body: Object(await answer.json()) };
      };
      const workers = (status: string) => ({ database: { status: 'ok' }, workers: { status } });
      // A check fails as well where a busy machine has no time for it.
      const isWell = async () => {
        const { status, body } = await health();
        return [status, body.status, body.checks.database.status, body.checks.workers.status];
      };
      const well = [200, 'ok', 'ok', 'ok'];
      await becomes(isWell, well);
      // From its second death in a row on its place stays empty for a while, which is longer each time: at last long enough to be seen.
      let deaths = 0;
      let seen = await health();
      for (; seen.status === 200; deaths += 1) {
        const [log] = await recto.err(
          new RegExp(`("worker":1,"pid":\\d+,"msg":"a worker serves"[\\s\\S]*){${deaths + 1}}`),
        );
        const [, pid] = [...log.matchAll(/"worker":1,"pid":(\d+),"msg":"a worker serves"/g)].at(-1) ?? [];
        process.kill(Number(pid), 'SIGKILL');
        await recto.err(new RegExp(`("msg":"a worker ended"[\\s\\S]*){${deaths + 1}}`));
        if (deaths > 0) seen = await health();
      }
      expect(seen).toMatchObject({ status: 503, body: { status: 'failing', checks: workers('failing') } });
      await becomes(async () => (await fetch(`${url}/api/v1/readyz`, { keepalive: false })).status, 200);
      await recto.err(new RegExp(`("msg":"a worker was replaced"[\\s\\S]*){${deaths}}`));
      await becomes(isWell, well);
    },
    longest,
  );

  test(
    'rate limits',
    async () => {
      const { url } = await start();
      const body = JSON.stringify({ email: 'bea@example.com', password: 'a wrong password' });
      const statuses = new Map<number, number>();
      const workers = new Set<string>();
      // Ten a minute, were it one process; enough connections that both have answered.
      for (let tries = 0; tries < 40 || workers.size < 2; tries += 1) {
        using client = new RawClient(url);
        const outcome = await client.send('POST /api/v1/auth/login', {}, body);
        if (outcome.kind !== 'answered') throw new Error(`The request was ${outcome.kind}.`);
        workers.add(outcome.worker);
        statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
      }
      expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
      expect(statuses.get(401)).toBe(10);
    },
    longest,
  );
});

describe('a start of workers fails, once, with exit code 1', () => {
  test(
    'for a port that another service of the same user shares among its workers',
    async () => {
      const { url } = await start();
      using other = new RectoFolder(types);
      const second = await other.run(['start'], { RECTO_WORKERS: '2', RECTO_PORT: new URL(url).port });
      expect(second).toMatchObject({ exitCode: 1, out: '' });
      expect(second.err.trim().split('\n')).toEqual([expect.stringContaining('another program uses this port')]);
      expect((await fetch(`${url}/api/v1/readyz`)).status).toBe(200);
    },
    longest,
  );

  test(
    'for definitions, with all faults',
    async () => {
      using broken = new RectoFolder({ 'a.toml': 'singular = "A b"\nplural = "as"\n' });
      const { exitCode, out, err } = await broken.run(['start'], { RECTO_WORKERS: '2' });
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err.match(/A b/g)).toHaveLength(1);
    },
    longest,
  );
});
