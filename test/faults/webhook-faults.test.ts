// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../packages/recto/src/config/settings.ts';
import { Receiver } from '../../packages/recto/src/webhooks/receiver.fixture.ts';
import { environmentOf, newTestLocation, onPostgres, query, type TestLocation } from '../support/database/database.ts';
import { startPostgres } from '../support/database/postgres-server.ts';
import { databaseOutage } from '../support/processes/outage.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { TestService } from '../support/service.ts';

// Several services at once, and databases that fail: what is acknowledged reaches every webhook. `kill-faults.test.ts` kills services.

const admin = { email: 'ada@example.com', password: 'correct horse' };
const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "count", field_type = "integer" }]\n';
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];

/** Services on one database, one after another or together. */
class Place implements AsyncDisposable {
  readonly #folder = new RectoFolder({ 'note.toml': note });
  readonly #location: TestLocation;

  static open = async (location?: DatabaseLocation): Promise<Place> => new Place(await newTestLocation(location));

  private constructor(location: TestLocation) {
    this.#location = location;
  }

  /** Starts one. On SQLite they share the folder, on PostgreSQL only the database. */
  start(command?: readonly string[]): RectoProcess {
    const environment = {
      RECTO_SECRET: 'a secret that all of them share, and long',
      RECTO_ADMIN_EMAIL: admin.email,
      RECTO_ADMIN_PASSWORD: admin.password,
      RECTO_RATE_LIMIT: 'off',
      RECTO_WEBHOOKS_ALLOW: '127.0.0.0/8',
      ...environmentOf(this.#location),
    };
    return this.#folder.spawn(command === undefined ? ['start'] : [], environment, command);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#folder[Symbol.dispose]();
    await this.#location[Symbol.asyncDispose]();
  }
}

/** A response that is no success. */
class Refused extends Error {}

/** Requests as the admin, to the service that runs at the moment. */
class Client {
  url = '';
  #token = '';

  async signIn(url: string): Promise<void> {
    this.url = url;
    const signedIn = await this.send('POST /api/v1/auth/login', admin);
    this.#token = signedIn.access_token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  send(line: string, body: object): Promise<any> {
    const [method = '', path = ''] = line.split(' ');
    return this.#fetch(path, { method, body: JSON.stringify(body) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  get(path: string): Promise<any> {
    return this.#fetch(path, {});
  }

  async #fetch(path: string, init: RequestInit): Promise<unknown> {
    const authorization = this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    const answer = await fetch(`${this.url}${path}`, { ...init, headers });
    if (!answer.ok) throw new Refused(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}

/** What a receiver got of each record: the numbers of its changes, as they arrived. */
function arrivals(receiver: Receiver): ReadonlyMap<string, readonly { seq: number; count: number }[]> {
  const found = new Map<string, { seq: number; count: number }[]>();
  for (const { json } of receiver.received) {
    const { id, seq, record } = json.data;
    const of = found.get(id) ?? [];
    of.push({ seq, count: record?.count ?? -1 });
    found.set(id, of);
  }
  return found;
}

/** How many changes of each record were acknowledged. */
type Acknowledged = Map<string, number>;

/** What has not arrived of that. */
function missing(receiver: Receiver, acknowledged: Acknowledged): readonly string[] {
  const arrived = arrivals(receiver);
  return [...acknowledged].flatMap(([id, changes]) => {
    const seqs = new Set((arrived.get(id) ?? []).map(({ seq }) => seq));
    return seqs.size < changes ? [`${id}: ${seqs.size} of ${changes}`] : [];
  });
}

test('two services at once send each change once', async () => {
  await using place = await Place.open();
  await using receiver = new Receiver();
  const processes = [place.start()];
  const client = new Client();
  await client.signIn((await processes[0]?.url()) ?? '');
  processes.push(place.start());
  const urls = await Promise.all(processes.map((process) => process.url()));
  const { id: webhook } = await client.send('POST /api/v1/admin/webhooks', { url: receiver.url });
  const count = 60;
  for (let note = 0; note < count; note++) {
    client.url = urls[note % 2] ?? '';
    await client.send('POST /api/v1/admin/cms/notes', { count: note });
  }
  const listed = async (state: string): Promise<number> =>
    (await client.get(`/api/v1/admin/webhooks/${webhook}/deliveries?state=${state}`)).total;
  while ((await listed('delivered')) < count) await Bun.sleep(50);
  expect(await listed('pending')).toBe(0);
  for (const process of processes) process.kill('SIGTERM');
  await Promise.all(processes.map((process) => process.ended()));
  const ids = receiver.received.map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
}, 600_000);

test.skipIf(!onPostgres)(
  'a database that is restarted under load loses none',
  async () => {
    await using server = await startPostgres();
    await using place = await Place.open({ kind: 'postgres', url: server.url });
    await using receiver = new Receiver();
    const client = new Client();
    const process = place.start(leased);
    process.expectErrors(databaseOutage);
    await client.signIn(await process.url());
    await client.send('POST /api/v1/admin/webhooks', { url: receiver.url });
    const acknowledged: Acknowledged = new Map();
    let isOver = false;
    const load = async (): Promise<void> => {
      while (!isOver) {
        try {
          const { id } = await client.send('POST /api/v1/admin/cms/notes', { count: 0 });
          acknowledged.set(id, 1);
        } catch (error) {
          if (!(error instanceof Refused) || !error.message.includes(' 503 ')) throw error;
          await Bun.sleep(20);
        }
      }
    };
    const loads = [load(), load(), load()];
    for (const how of ['fast', 'immediate'] as const) {
      await receiver.until(({ length }) => length > 0);
      await server.stop(how);
      await server.start();
      const before = acknowledged.size;
      while (acknowledged.size < before + 20) await Bun.sleep(20);
    }
    isOver = true;
    await Promise.all(loads);
    await receiver.until(() => missing(receiver, acknowledged).length === 0);
    process.kill('SIGTERM');
    await process.ended();
  },
  600_000,
);

test.skipIf(onPostgres)(
  'a full disk holds deliveries up, and loses none',
  async () => {
    let now = Date.now();
    await using receiver = new Receiver();
    const type = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'richtext' }] };
    await using service = await TestService.open([type], { now: () => now, database: { maxPages: 400 } });
    await service.account('ada', 'admin');
    const send = (line: string, body?: object) =>
      service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
    await send('POST /api/v1/admin/webhooks', { url: receiver.url });
    const made: string[] = [];
    let last = await send('POST /api/v1/admin/cms/notes', { text: 'a' });
    for (; last.status === 201; last = await send('POST /api/v1/admin/cms/notes', { text: 'a'.repeat(9_000) }))
      made.push(last.json.id);
    expect(last.json.code).toBe('storage_full');
    const limit = (pages: number) =>
      service.database.transaction(async (transaction) => transaction.rows(query(`PRAGMA max_page_count = ${pages}`)));
    // Something else uses what is kept: the file may not become larger than it is, and nothing can be claimed or stored.
    await limit(1);
    now += 1_000;
    await service.runJobs();
    expect(receiver.received.length).toBeLessThan(made.length);
    // There is room again.
    await limit(800);
    const arrived = () => new Set(receiver.received.map(({ json }) => `${json.data.action} ${json.data.id}`));
    for (let looks = 0; looks < 100 && made.some((id) => !arrived().has(`create ${id}`)); looks++) {
      now += 60_000;
      await service.runJobs();
    }
    expect(made.filter((id) => !arrived().has(`create ${id}`))).toEqual([]);
  },
  600_000,
);
