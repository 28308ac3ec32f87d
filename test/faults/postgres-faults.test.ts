// databases: postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { becomes, newTestLocation, onPostgres } from '../support/database/database.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { databaseOutage } from '../support/processes/outage.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { type Reply, TestService } from '../support/service.ts';

// What a service must live through when its database is PostgreSQL.

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: {
    list: { cache: true },
    get: { cache: true },
    create: { access: 'public' },
    update: { access: 'public' },
    delete: { access: 'public' },
  },
};
const path = '/api/v1/cms/notes';

let server: PostgresServer;
let databases = 0;

describe.skipIf(!onPostgres)('a service on PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Services on one new database, each as on a machine of its own. `isCut`: what they log while they cannot reach it is no failure. */
  async function openServices(count: number, isCut: 'cut' | 'whole' = 'cut'): Promise<readonly TestService[]> {
    const name = `faults_${++databases}`;
    await administer(`CREATE DATABASE ${name}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const location = { kind: 'postgres', url: url.href } as const;
    const expectedErrors = isCut === 'cut' ? [databaseOutage] : [];
    return Promise.all(
      Array.from({ length: count }, () =>
        TestService.open([noteType], { database: { location, connections: 6 }, expectedErrors }),
      ),
    );
  }

  const closeAll = (services: readonly TestService[]) => Promise.all(services.map(({ database }) => database.close()));

  async function administer(statement: string): Promise<void> {
    const client = new SQL(server.url, { max: 1 });
    await client.unsafe(statement);
    await client.close();
  }

  interface Load {
    /** The titles of the notes whose creation was answered with 201. */
    readonly acknowledged: readonly string[];
    /** How many requests were rejected. */
    readonly refused: number;
  }

  /** Creates notes, lists and gets them from all services until `faults` is done. Any answer but success and a 503 that says when to try again fails the test. */
  async function underLoad(services: readonly TestService[], faults: () => Promise<void>): Promise<Load> {
    const acknowledged: string[] = [];
    const odd: string[] = [];
    let refused = 0;
    let over = false;
    const judge = (reply: Reply, expected: number): boolean => {
      if (reply.status === expected) return true;
      refused += 1;
      if (reply.status !== 503 || reply.headers.get('retry-after') === null) odd.push(`${reply.status} ${reply.text}`);
      return false;
    };
    const client = async (number: number): Promise<void> => {
      for (let index = 0; !over; index++) {
        const service = services[(number + index) % services.length];
        if (service === undefined) break;
        const title = `${number}-${index}`;
        const made = await service.send(`POST ${path}`, { body: { title } });
        if (judge(made, 201)) {
          acknowledged.push(title);
          // On the service that wrote it, it is there from its answer on.
          const list = await service.send(`GET ${path}?title=${title}`);
          if (judge(list, 200)) expect([title, list.json.total]).toEqual([title, 1]);
        } else await Bun.sleep(20);
      }
    };
    const clients = Array.from({ length: 6 }, (_, number) => client(number));
    await faults();
    // A machine that had no time for them goes on for a while.
    await becomes(async () => acknowledged.length > 10, true);
    over = true;
    await Promise.all(clients);
    expect(odd).toEqual([]);
    return { acknowledged, refused };
  }

  /** A page of all notes. Connections that were cut at last may be noticed only here, one after the other. */
  async function listed(service: TestService, page: number): Promise<Reply> {
    const replies: Reply[] = [];
    await becomes(async () => {
      replies.push(await service.send(`GET ${path}?page=${page}&page_size=100`));
      return replies.at(-1)?.status;
    }, 200);
    const last = replies.at(-1);
    if (last === undefined) throw new Error('Nothing was asked.');
    return last;
  }

  /** Every acknowledged note is there, and none is there twice; what was rejected is there once at most. */
  async function check(service: TestService, { acknowledged, refused }: Load): Promise<void> {
    const titles: string[] = [];
    for (let page = 1; titles.length === (page - 1) * 100; page++) {
      const { json } = await listed(service, page);
      titles.push(...json.items.map(({ title }: { title: string }) => title));
    }
    const ours = titles.filter((title) => title !== 'again');
    const stored = new Set(ours);
    expect(stored.size).toBe(ours.length);
    expect(acknowledged.filter((title) => !stored.has(title))).toEqual([]);
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(refused);
    expect(acknowledged.length).toBeGreaterThan(10);
  }

  const works = async (service: TestService): Promise<boolean> =>
    (await service.send(`POST ${path}`, { body: { title: 'again' } })).status === 201;

  test('is not held up by a commit of someone else that takes long', async () => {
    const [service] = await openServices(1, 'whole');
    if (service === undefined) throw new Error('There is no service.');
    await service.account('ada', 'admin');
    // Who commits a notification holds up all others that do; this one waits for a standby that there is not. Another program's.
    await administer("ALTER SYSTEM SET synchronous_commit = 'local'");
    await administer("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await administer('SELECT pg_reload_conf()');
    await using slow = new SQL(server.url, { max: 1 });
    await using other = new SQL(server.url, { max: 1 });
    const waiting = async (sql: string): Promise<number> => (await other.unsafe(sql)).length;
    try {
      await slow.unsafe("SET synchronous_commit = 'on'");
      let over = false;
      const committing = (async () => {
        while (!over) await slow.unsafe("BEGIN; SELECT pg_logical_emit_message(true, 'a', 'b'); NOTIFY slow; COMMIT");
      })();
      const held = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await becomes(() => waiting(held), 1);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, number) => service.send(`POST ${path}`, { body: { title: `note ${number}` } })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      const events = await service.send('GET /api/v1/admin/events?type=notes', { as: 'ada' });
      expect(events.json.items).toHaveLength(20);
      expect(await waiting(held)).toBe(1);
      over = true;
      await other.unsafe(`SELECT pg_cancel_backend(pid) FROM (${held}) AS slow`);
      await committing;
    } finally {
      await administer('ALTER SYSTEM RESET synchronous_commit');
      await administer('ALTER SYSTEM RESET synchronous_standby_names');
      await administer('SELECT pg_reload_conf()');
      await closeAll([service]);
    }
  });

  test('loses and doubles no write when all connections are cut, again and again', async () => {
    const services = await openServices(2);
    const load = await underLoad(services, async () => {
      for (let times = 0; times < 8; times++) {
        await Bun.sleep(150);
        await administer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      }
    });
    for (const service of services) await check(service, load);
    await closeAll(services);
  }, 600_000);

  test.each(['immediate', 'fast'] as const)(
    'loses and doubles no write when the server is restarted (%s), and goes on by itself',
    async (how) => {
      const services = await openServices(2);
      const load = await underLoad(services, async () => {
        for (let times = 0; times < 2; times++) {
          await Bun.sleep(300);
          await server.stop(how);
          const down = await services[0]?.send(`GET ${path}?title=nobody`);
          expect([down?.status, down?.headers.get('retry-after')]).toEqual([503, '1']);
          expect((await services[0]?.send('GET /api/v1/readyz'))?.status).toBe(503);
          await server.start();
        }
        await Bun.sleep(300);
      });
      expect(load.refused).toBeGreaterThan(0);
      for (const service of services) await becomes(() => works(service), true);
      for (const service of services) await check(service, load);
      await closeAll(services);
    },
    600_000,
  );

  test('gives no stale answer when the connection is lost by which it looks for changes', async () => {
    const services = await openServices(2);
    const [here, there] = services;
    if (here === undefined || there === undefined) throw new Error('There are no two.');
    const { id } = (await there.send(`POST ${path}`, { body: { title: '0' } })).json;
    for (let round = 1; round <= 5; round++) {
      const title = async () => (await here.send(`GET ${path}/${id}`)).json.title;
      await becomes(title, `${round - 1}`);
      expect(await title()).toBe(`${round - 1}`);
      // It is cut off, and what is written at once is not seen by it.
      await administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%FROM recto_changes%' AND pid <> pg_backend_pid()",
      );
      expect((await there.send(`PUT ${path}/${id}`, { body: { title: `${round}` } })).status).toBe(200);
      await becomes(title, `${round}`);
    }
    await closeAll(services);
  }, 600_000);
});

describe.skipIf(!onPostgres)('processes', () => {
  test('that start at once on an empty database all come up, with one first admin', async () => {
    await using place = await newTestLocation();
    if (place.location.kind !== 'postgres') throw new Error('For PostgreSQL only.');
    using folder = new RectoFolder({ 'note.json': JSON.stringify(noteType) });
    const environment = {
      RECTO_DATABASE_URL: place.location.url,
      RECTO_DATABASE_POOL: '2',
      RECTO_SECRET: 'a secret that they share, long enough',
    };
    const started = [0, 1, 2].map(() => folder.spawn(['start'], environment));
    const urls = await Promise.all(started.map((each) => each.url()));
    for (const url of urls) {
      const body = JSON.stringify({ title: url });
      const headers = { 'Content-Type': 'application/json' };
      expect((await fetch(`${url}${path}`, { method: 'POST', headers, body })).status).toBe(201);
    }
    const totals = async () =>
      Promise.all(urls.map(async (url) => ((await (await fetch(`${url}${path}`)).json()) as { total: number }).total));
    await becomes(totals, [3, 3, 3]);
    for (const each of started) each.kill('SIGTERM');
    const ended = await Promise.all(started.map((each) => each.ended()));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(ended.filter(({ out }) => out.includes('Password')).length).toBe(1);
  }, 600_000);
});
