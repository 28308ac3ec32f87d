// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Receiver } from '../../packages/recto/src/webhooks/receiver.fixture.ts';
import { environmentOf, newTestLocation, type TestLocation } from '../support/database/database.ts';
import { EventSource, type Received } from '../support/event-source.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// A service that is killed at random points of its work, with webhooks and streams: each change that was acknowledged reaches all
// of them, under one id and in the order of its record, and nothing of what was undone. `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(3);
const [webhooks, listeners, writers] = [3, 5, 6];
/** The most changes that are acknowledged, or messages that arrive, between a start and a kill. */
const longestRound = 60;

const admin = { email: 'ada@example.com', password: 'correct horse' };
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
const note = `singular = "note"
plural = "notes"
fields = [{ name = "count", field_type = "integer" }, { name = "code", field_type = "text", unique = true }]
[api]
create = { access = "public" }
update = { access = "public" }
delete = { access = "public" }
`;

/** A change as it is in the log. */
interface Logged {
  readonly seq: number;
  readonly record: string;
  readonly action: string;
}

/** What a writer knows of its record. */
interface Written {
  /** How many changes were acknowledged, the creation included. */
  acknowledged: number;
  isDeleted: boolean;
}

/** One service after another on one database. */
class Place implements AsyncDisposable {
  url = '';
  readonly #folder = new RectoFolder({ 'note.toml': note });
  readonly #location: TestLocation;
  #process: RectoProcess | undefined;

  static open = async (): Promise<Place> => new Place(await newTestLocation());

  private constructor(location: TestLocation) {
    this.#location = location;
  }

  async start(): Promise<void> {
    const environment = {
      RECTO_SECRET: 'a secret that outlives every process',
      RECTO_ADMIN_EMAIL: admin.email,
      RECTO_ADMIN_PASSWORD: admin.password,
      RECTO_RATE_LIMIT: 'off',
      RECTO_WEBHOOKS_ALLOW: '127.0.0.0/8',
      ...environmentOf(this.#location),
    };
    this.#process = this.#folder.spawn([], environment, leased);
    // A kill may leave a transaction open for a moment.
    this.#process.expectErrors(/"code":"database_busy"/);
    this.url = await this.#process.url();
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }

  async ended(): Promise<void> {
    await this.#process?.ended();
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async send(line: string, { body, token }: { readonly body?: object; readonly token?: string } = {}): Promise<any> {
    const [method = '', path = ''] = line.split(' ');
    const headers = {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.url}${path}`, init);
    const text = await answer.text();
    if (answer.status >= 400) throw new Refused(answer.status, text);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** An access token lives for a quarter of an hour, which is less than many kills take. */
  async token(): Promise<string> {
    return (await this.send('POST /api/v1/auth/login', { body: admin })).access_token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    await this.ended();
    this.#folder[Symbol.dispose]();
    await this.#location[Symbol.asyncDispose]();
  }
}

/** A response that is an error. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** A client of a stream that comes back after each kill. */
class Stream {
  readonly received: Received[] = [];
  #lastId: string | undefined;
  #source: EventSource | undefined;

  async connect(url: string): Promise<void> {
    const headers: Record<string, string> = this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId };
    this.#source = await EventSource.of(await fetch(`${url}/api/v1/events?types=notes`, { headers }));
    expect(this.#source.status).toBe(200);
    this.#lastId ??= this.#source.lastId;
  }

  async lost(): Promise<void> {
    await this.#source?.ended;
    this.#take();
  }

  /** Reads on until an event with this number has arrived. */
  async until(seq: number): Promise<void> {
    await this.#source?.until((events) => events.some(({ id }) => Number(id) >= seq));
    this.#take();
    await this.#source?.[Symbol.asyncDispose]();
  }

  #take(): void {
    this.received.push(...(this.#source?.events ?? []).filter(({ event }) => event !== 'ping'));
    if (this.#source?.lastId) this.#lastId = this.#source.lastId;
  }
}

/** Writes until the service is gone: records that count, are removed now and then, and changes that are rejected and undone. */
async function write(place: Place, records: Map<string, Written>, onAcknowledged: () => void): Promise<void> {
  const path = '/api/v1/cms/notes';
  for (;;) {
    try {
      const code = crypto.randomUUID();
      const { id } = await place.send(`POST ${path}`, { body: { count: 0, code } });
      const written: Written = { acknowledged: 1, isDeleted: false };
      records.set(id, written);
      onAcknowledged();
      const last = 1 + Math.floor(Math.random() * 4);
      for (let count = 1; count <= last; count += 1) {
        await place.send(`PUT ${path}/${id}`, { body: { count } });
        written.acknowledged += 1;
        onAcknowledged();
        await rejected(place.send(`POST ${path}`, { body: { count: -1, code } }));
      }
      if (Math.random() < 0.7) continue;
      // It may be carried out and not acknowledged.
      written.isDeleted = true;
      await place.send(`DELETE ${path}/${id}`);
      written.acknowledged += 1;
      onAcknowledged();
    } catch (error) {
      if (!(error instanceof Refused)) return;
      // The database is busy, as after a kill that left a transaction open: the record stays as it is, whichever way that is.
      if (error.status !== 503) throw error;
    }
  }
}

/** The value is taken: nothing of this request may be seen anywhere. */
async function rejected(sent: Promise<unknown>): Promise<void> {
  const error = await sent.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Refused)) throw error ?? new Error('A value was taken twice.');
  if (error.status !== 422) throw error;
}

async function logOf(place: Place): Promise<readonly Logged[]> {
  const token = await place.token();
  const logged: Logged[] = [];
  for (;;) {
    const after = logged.at(-1)?.seq ?? 0;
    const { items } = await place.send(`GET /api/v1/admin/events?type=note&limit=1000&after=${after}`, { token });
    logged.push(...items);
    if (items.length < 1_000) return logged;
  }
}

test('after kills at random points, webhooks and streams have had each acknowledged change, in order, and nothing else', async () => {
  await using place = await Place.open();
  const receivers = Array.from({ length: webhooks }, () => new Receiver());
  // One fails now and then, at the first attempt.
  const failed = new Set<string>();
  const [first] = receivers;
  if (first === undefined) throw new Error('There is no receiver.');
  first.respond = ({ id }) => {
    if (!id.endsWith('7') || failed.has(id)) return new Response();
    failed.add(id);
    return new Response(null, { status: 500 });
  };
  const streams = Array.from({ length: listeners }, () => new Stream());
  const records = new Map<string, Written>();
  await place.start();
  const token = await place.token();
  for (const { url } of receivers) await place.send('POST /api/v1/admin/webhooks', { body: { url }, token });

  for (let kill = 0; kill < kills; kill += 1) {
    for (const stream of streams) await stream.connect(place.url);
    // The point is a number of acknowledged changes, or of messages that have arrived.
    let left = 1 + Math.floor(Math.random() * longestRound);
    const count = (): void => {
      left -= 1;
      if (left === 0) place.kill();
    };
    const countsWrites = Math.random() < 0.5;
    const arrived = receivers.map(({ received }) => received.length);
    const loads = Array.from({ length: writers }, () => write(place, records, countsWrites ? count : () => undefined));
    if (!countsWrites) {
      const receiver = receivers[kill % receivers.length] ?? first;
      const before = arrived[kill % receivers.length] ?? 0;
      const enough = left;
      await receiver.until(({ length }) => length >= before + enough);
      place.kill();
    }
    await Promise.all([...loads, place.ended()]);
    for (const stream of streams) await stream.lost();
    await place.start();
  }

  // A last change, behind all others.
  for (const stream of streams) await stream.connect(place.url);
  const { id: mark } = await place.send('POST /api/v1/cms/notes', { body: { count: 0 } });
  records.set(mark, { acknowledged: 1, isDeleted: false });
  const logged = await logOf(place);
  const bySeq = new Map(logged.map((event) => [event.seq, event]));
  const last = logged.at(-1)?.seq ?? 0;
  expect(bySeq.get(last)?.record).toBe(mark);

  // The log has what was acknowledged, and of each record what its stored state says: nothing that was undone.
  const byRecord = Map.groupBy(logged, ({ record }) => record);
  for (const [id, { acknowledged, isDeleted }] of records) {
    const actions = (byRecord.get(id) ?? []).map(({ action }) => action);
    expect(actions.length).toBeGreaterThanOrEqual(acknowledged);
    expect(actions[0]).toBe('create');
    const updates = actions.filter((action) => action === 'update').length;
    const isGone = actions.at(-1) === 'delete';
    expect(actions).toEqual(['create', ...Array(updates).fill('update'), ...(isGone ? ['delete'] : [])]);
    if (isGone) expect(isDeleted).toBe(true);
    else expect((await place.send(`GET /api/v1/cms/notes/${id}`)).count).toBe(updates);
  }
  const { total } = await place.send('GET /api/v1/cms/notes?page_size=1');
  expect(total).toBe([...byRecord.values()].filter((events) => events.at(-1)?.action !== 'delete').length);

  for (const receiver of receivers) {
    const arrived = new Set<number>();
    let read = 0;
    await receiver.until((received) => {
      for (const { json } of received.slice(read)) arrived.add(json.data.seq);
      read = received.length;
      return arrived.size >= logged.length;
    });
    const ids = new Map<number, string>();
    const bodies = new Map<string, string>();
    const positions = new Map<string, number>();
    for (const { id, json, body } of receiver.received) {
      const { seq, action, id: record } = json.data;
      expect(bySeq.get(seq)).toMatchObject({ record, action });
      expect(ids.getOrInsert(seq, id)).toBe(id);
      // What is sent again is the same message.
      expect(bodies.getOrInsert(id, body)).toBe(body);
      expect(seq).toBeGreaterThanOrEqual(positions.get(record) ?? 0);
      positions.set(record, seq);
    }
    expect(ids.size).toBe(logged.length);
    expect(new Set(ids.values()).size).toBe(ids.size);
  }

  for (const stream of streams) {
    await stream.until(last);
    const heard = new Map<number, Received>();
    const positions = new Map<string, number>();
    for (const event of stream.received) {
      expect(event.event).not.toBe('reset');
      const seq = Number(event.id);
      expect(bySeq.get(seq)?.record).toBe(event.data.id);
      expect(seq).toBeGreaterThanOrEqual(positions.get(event.data.id) ?? 0);
      positions.set(event.data.id, seq);
      heard.set(seq, event);
    }
    for (const { seq, record, action } of logged) {
      const isGone = byRecord.get(record)?.at(-1)?.action === 'delete';
      // What is gone by the time that a client comes back was perhaps never visible to it.
      if (!isGone) expect(heard.get(seq)?.event).toBe(action);
      else if (action === 'delete') expect(heard.get(seq)?.event).toBe('delete');
    }
  }
  expect(records.size).toBeGreaterThan(kills);
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
}, 36_000_000);
