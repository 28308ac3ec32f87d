// databases: postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import type { Database } from '../../packages/recto/src/database/database.ts';
import { openDatabase } from '../../packages/recto/src/database/open-database.ts';
import { rectoTables } from '../../packages/recto/src/service/recto-tables.ts';
import { becomes, onPostgres, openTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { CuttingProxy } from '../support/processes/cutting-proxy.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { TestService } from '../support/service.ts';

// Reading from streaming standbys: real servers that follow a real one.

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: {
    list: { cache: true },
    get: {},
    create: { access: 'public' },
    update: { access: 'public' },
    delete: { access: 'public' },
  },
};
const path = '/api/v1/cms/notes';

let primary: PostgresServer;
let standby: PostgresServer;
let databases = 0;
let titles = 0;

describe.skipIf(!onPostgres)('reading from replicas', () => {
  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.standby();
  });
  afterAll(async () => {
    await standby[Symbol.asyncDispose]();
    await primary[Symbol.asyncDispose]();
  });

  interface Place {
    readonly location: { readonly kind: 'postgres'; readonly url: string };
    /** The same on the standby. */
    readonly replicaUrl: string;
  }

  /** A new database of the primary, and so of the standby. */
  async function newPlace(): Promise<Place> {
    const name = `replicated_${++databases}`;
    await ask(primary.url, `CREATE DATABASE ${name}`);
    const at = ({ url }: PostgresServer): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
    return { location: { kind: 'postgres', url: at(primary) }, replicaUrl: at(standby) };
  }

  async function ask(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
    const client = new SQL(url, { max: 1 });
    try {
      return await client.unsafe(statement);
    } finally {
      await client.close();
    }
  }

  const openService = ({ location, replicaUrl }: Place): Promise<TestService> =>
    TestService.open([noteType], { database: { location, connections: 4, replicaUrls: [replicaUrl] } });

  const leftOut = async ({ readPlaces }: Database) => readPlaces?.replicas.map((replica) => replica.leftOut);
  const serves = (database: Database) => becomes(() => leftOut(database), [null]);
  const replicaReads = ({ readPlaces }: Database): number => readPlaces?.replicas[0]?.reads ?? 0;

  /** Lists until a replica answers one. */
  async function readsReplica({ database, ...service }: { database: Database; read(): Promise<unknown> }) {
    const before = replicaReads(database);
    await becomes(async () => {
      await service.read();
      return replicaReads(database) > before;
    }, true);
  }

  const readsOf = (service: TestService) => ({
    database: service.database,
    read: () => service.send(`GET ${path}?title=x${Math.random()}`),
  });

  /** Creates and changes notes, and reads each at once, alone, in a list and in a cached list; no read may lack its write. */
  async function writeAndRead(service: TestService, pairs: number): Promise<void> {
    const client = async (number: number): Promise<void> => {
      for (let index = 0; index < pairs; index++) {
        const title = `${number}-${index}-${++titles}`;
        const made = await service.send(`POST ${path}`, { body: { title } });
        expect(made.status).toBe(201);
        const { id } = made.json;
        const seen = await Promise.all([
          service.send(`GET ${path}/${id}`),
          service.send(`GET ${path}?title=${title}`),
          service.send(`GET ${path}?title=${title}&page_size=1`),
        ]);
        expect(seen.map(({ json }) => json.title ?? json.items[0]?.title)).toEqual([title, title, title]);
        const changed = await service.send(`PATCH ${path}/${id}`, { body: { title: `${title} again` } });
        expect(changed.status).toBe(200);
        // The first ones before a replica is known to have it, the last ones from there.
        for (let times = 0; times < 3; times++) {
          expect((await service.send(`GET ${path}/${id}`)).json.title).toBe(`${title} again`);
          const list = await service.send(`GET ${path}?title=${title}%20again`);
          expect([list.status, list.json.total]).toEqual([200, 1]);
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, number) => client(number)));
  }

  test('a caller reads what they have written, however often', async () => {
    await using service = await openService(await newPlace());
    await serves(service.database);
    await writeAndRead(service, 150);
    await readsReplica(readsOf(service));
  });

  test('what one worker has written, the next read of any other sees; another machine soon after', async () => {
    const { location, replicaUrl } = await newPlace();
    const replicaUrls = [replicaUrl];
    await using writer = await openTestDatabase({ location, connections: 4, replicaUrls });
    const worker = await writer.again({ engine: rectoTables, connections: 4, replicaUrls });
    const machine = await openDatabase(location, { engine: rectoTables, connections: 4, replicaUrls });
    await writer.transaction(async (transaction) => {
      await transaction.run({ sql: 'CREATE TABLE numbers (number int)', parameters: [] });
      transaction.touch('number');
    });
    const count = async (database: Database) =>
      (
        await database
          .reader(['number'])
          .first<{ total: number }>({ sql: 'SELECT count(*) AS total FROM numbers', parameters: [] })
      )?.total;
    let written = 0;
    const write = async (database: Database): Promise<void> => {
      await database.transaction(async (transaction) => {
        await transaction.run({ sql: 'INSERT INTO numbers VALUES (1)', parameters: [] });
        transaction.touch('number');
      });
      written += 1;
    };
    await Promise.all([writer, worker, machine].map(serves));
    for (let round = 0; round < 500; round++) {
      const [from, to] = round % 2 === 0 ? [writer, worker] : [worker, writer];
      await write(from);
      // The first ones before the replica is known to have it, the last ones from there.
      for (let times = 0; times < 4; times++) {
        expect([round, await count(to), await count(from)]).toEqual([round, written, written]);
      }
      if (round % 50 === 0) await becomes(() => count(machine), written);
    }
    for (const database of [writer, worker, machine]) {
      await readsReplica({ database, read: () => count(database) });
      expect(await count(database)).toBe(written);
    }
    await Promise.all([worker.close(), machine.close()]);
  });

  test('while a replica replays nothing, nothing stale is read', async () => {
    const place = await newPlace();
    await using service = await openService(place);
    await serves(service.database);
    await readsReplica(readsOf(service));
    await ask(standby.url, 'SELECT pg_wal_replay_pause()');
    try {
      await writeAndRead(service, 20);
      await becomes(() => leftOut(service.database), ['it is more than 5 seconds behind']);
      await writeAndRead(service, 5);
    } finally {
      await ask(standby.url, 'SELECT pg_wal_replay_resume()');
    }
    await serves(service.database);
    await readsReplica(readsOf(service));
  });

  test('a replica that is stopped under load is left out, and is back by itself', async () => {
    await using service = await openService(await newPlace());
    await serves(service.database);
    let over = false;
    const load = (async () => {
      while (!over) await writeAndRead(service, 5);
    })();
    await readsReplica(readsOf(service));
    await standby.stop('immediate');
    await becomes(async () => (await leftOut(service.database))?.[0] === null, false);
    await standby.start();
    await serves(service.database);
    over = true;
    await load;
    await readsReplica(readsOf(service));
  });

  test('reads that hang at a replica are answered', async () => {
    const { location, replicaUrl } = await newPlace();
    await using proxy = await CuttingProxy.before(replicaUrl);
    await using service = await openService({ location, replicaUrl: proxy.url });
    await serves(service.database);
    await readsReplica(readsOf(service));
    proxy.freeze();
    const replies = await Promise.all(Array.from({ length: 8 }, () => service.send(`GET ${path}?title=a`)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await becomes(() => leftOut(service.database), ['it does not answer within 2 seconds']);
  });

  test('a standby that has become a primary of its own is read from no more', async () => {
    await using promoted = await primary.standby();
    const { location } = await newPlace();
    const replicaUrl = Object.assign(new URL(promoted.url), { pathname: new URL(location.url).pathname }).href;
    await using service = await openService({ location, replicaUrl });
    await serves(service.database);
    await readsReplica(readsOf(service));
    await ask(promoted.url, 'SELECT pg_promote()');
    await writeAndRead(service, 10);
    await becomes(() => leftOut(service.database), ['it is no standby: it can be written to']);
    await writeAndRead(service, 5);
  });

  test('a service reports its replicas', async () => {
    const { location, replicaUrl } = await newPlace();
    const away = 'postgres://recto:a-password@127.0.0.1:1/nowhere';
    const environment = {
      RECTO_DATABASE_URL: location.url,
      RECTO_DATABASE_REPLICA_URLS: `${replicaUrl},${away}`,
      RECTO_SECRET: 'a secret of the tests, long enough',
      RECTO_WORKERS: '2',
    };
    using folder = new RectoFolder({ 'note.json': JSON.stringify(noteType) });
    const doctor = await folder.run(['doctor'], environment);
    expect(doctor.out).toContain('127.0.0.1:1/nowhere: ');
    const service = folder.spawn(['start'], environment);
    const url = await service.url();
    const server = new URL(replicaUrl).host;
    let metrics = '';
    await becomes(async () => {
      await fetch(`${url}${path}?page_size=${1 + Math.floor(Math.random() * 100)}`);
      metrics = await (await fetch(`${url}/metrics`)).text();
      return new RegExp(`^recto_database_reads_total\\{server="${server}/.+"\\} [1-9]`, 'm').test(metrics);
    }, true);
    expect(metrics).toContain('recto_replica_serving{server="127.0.0.1:1/nowhere"} 0');
    // A check fails where a busy machine has no time for it.
    const health = async () => {
      const answer = await fetch(`${url}/api/v1/health`);
      const { checks } = Object(await answer.json());
      return [answer.status, checks.database.status, checks.replicas.status];
    };
    await becomes(health, [503, 'ok', 'failing']);
    await becomes(async () => (await fetch(`${url}/api/v1/readyz`)).status, 200);
    service.kill('SIGTERM');
    const { exitCode, err } = await service.ended();
    expect(exitCode).toBe(0);
    expect(err).toContain('a replica of the database is read from');
    expect(err).toContain('a replica of the database is left out');
    expect(`${doctor.out}${doctor.err}${metrics}${err}`).not.toContain('a-password');
  });

  test('only a standby of this very database is read from', async () => {
    const { location, replicaUrl } = await newPlace();
    await using other = await startPostgres();
    const elsewhere = await newPlace();
    const urls = [
      location.url,
      other.url,
      elsewhere.replicaUrl,
      'postgres://recto:secret@127.0.0.1:1/nowhere',
      replicaUrl,
    ];
    const reported: string[] = [];
    await using database: TestDatabase = await openTestDatabase({
      location,
      connections: 2,
      replicaUrls: urls,
      onReplica: ({ place, leftOut }) => reported.push(`${place}: ${leftOut}`),
    });
    await becomes(
      async () => (await leftOut(database))?.slice(0, 3),
      [
        'it is no standby: it can be written to',
        'it is no copy of this database',
        'its URL leads to another database or schema',
      ],
    );
    await becomes(async () => (await leftOut(database))?.[4], null);
    await becomes(async () => reported.length >= urls.length, true);
    expect((await leftOut(database))?.[3]).toBeString();
    expect(JSON.stringify([reported, database.readPlaces])).not.toContain('secret');
  });
});
