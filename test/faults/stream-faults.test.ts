// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { environmentOf, newTestLocation } from '../support/database/database.ts';
import { EventSource, type Received } from '../support/event-source.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// A service that is killed while it writes: streams that come back get every change that was acknowledged, in the order of each
// record, and nothing of what was not committed. `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(4);
const listeners = 3;
const writers = 6;

const types = {
  'note.toml': `singular = "note"
plural = "notes"
fields = [{ name = "count", field_type = "integer" }]
[api]
create = { access = "public" }
update = { access = "public" }
delete = { access = "public" }
`,
};

/** The state of a record as a writer knows it. */
interface Written {
  /** The highest count that was acknowledged. */
  acknowledged: number;
  /** The highest that was sent. */
  sent: number;
}

class Stream {
  readonly received: Received[] = [];
  lastId: string | undefined;
  #source: EventSource | undefined;

  async connect(url: string): Promise<void> {
    const headers: Record<string, string> = this.lastId === undefined ? {} : { 'Last-Event-ID': this.lastId };
    this.#source = await EventSource.of(await fetch(`${url}/api/v1/events?types=notes`, { headers }));
    expect(this.#source.status).toBe(200);
    this.lastId ??= this.#source.lastId;
  }

  /** What has arrived, once the connection is lost. */
  async lost(): Promise<void> {
    await this.#source?.ended;
    this.#take();
  }

  async until(isEnough: (events: readonly Received[]) => boolean): Promise<void> {
    await this.#source?.until((events) => isEnough([...this.received, ...events]));
    this.#take();
    await this.#source?.[Symbol.asyncDispose]();
  }

  #take(): void {
    this.received.push(...(this.#source?.events ?? []));
    if (this.#source?.lastId) this.lastId = this.#source.lastId;
  }
}

test('streams outlive a service that is killed again and again', async () => {
  await using place = await newTestLocation();
  using folder = new RectoFolder(types);
  const environment = {
    RECTO_SECRET: 'a secret that outlives every process',
    RECTO_RATE_LIMIT: 'off',
    RECTO_LOG_LEVEL: 'error',
    ...environmentOf(place),
  };
  const start = async (): Promise<{ process: RectoProcess; url: string }> => {
    const process = folder.spawn(['start'], environment);
    return { process, url: await process.url() };
  };
  const records = new Map<string, Written>();
  const streams = Array.from({ length: listeners }, () => new Stream());

  /** Creates records and counts in them, until the service is gone. Returns how many requests were acknowledged. */
  const write = async (url: string, onAcknowledged: () => void): Promise<void> => {
    const send = async (method: string, path: string, count: number) => {
      const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ count }) };
      const response = await fetch(`${url}/api/v1/cms/notes${path}`, init);
      // What the routes are documented to return.
      const { id } = (await response.json()) as { id: string };
      if (response.status >= 300) throw new Error(`${response.status}`);
      onAcknowledged();
      return id;
    };
    try {
      for (;;) {
        const id = await send('POST', '', 0);
        const written = { acknowledged: 0, sent: 0 };
        records.set(id, written);
        for (let count = 1; count <= 3; count += 1) {
          written.sent = count;
          await send('PUT', `/${id}`, count);
          written.acknowledged = count;
        }
      }
    } catch {
      // The service is gone, or going.
    }
  };

  for (let round = 0; round < kills; round += 1) {
    const { process, url } = await start();
    for (const stream of streams) await stream.connect(url);
    const limit = 5 + Math.floor(Math.random() * 120);
    let acknowledged = 0;
    const onAcknowledged = () => {
      acknowledged += 1;
      if (acknowledged === limit) process.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: writers }, () => write(url, onAcknowledged)));
    await process.ended();
    for (const stream of streams) await stream.lost();
  }

  const { process, url } = await start();
  // What is committed in the end.
  const stored = new Map<string, number>();
  for (let page = 1; ; page += 1) {
    const list = await fetch(`${url}/api/v1/cms/notes?page=${page}&page_size=100`);
    // As above.
    const { items } = (await list.json()) as { items: { id: string; count: number }[] };
    for (const { id, count } of items) stored.set(id, count);
    if (items.length < 100) break;
  }
  for (const [id, { acknowledged, sent }] of records) {
    expect(stored.get(id)).toBeGreaterThanOrEqual(acknowledged);
    expect(stored.get(id)).toBeLessThanOrEqual(sent);
  }
  for (const stream of streams) {
    await stream.connect(url);
    const body = JSON.stringify({ count: -1 });
    const made = await fetch(`${url}/api/v1/cms/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    // As above.
    const { id: mark } = (await made.json()) as { id: string };
    await stream.until((events) => events.some(({ data }) => data.id === mark));
    const counts = new Map<string, number>();
    for (const { event, data } of stream.received) {
      expect(['create', 'update']).toContain(event);
      const { id, count } = data.record;
      if (count === -1) continue;
      expect(stored.has(id)).toBe(true);
      // In order: each time as it was then, or later.
      expect(count).toBeGreaterThanOrEqual(counts.get(id) ?? 0);
      counts.set(id, count);
    }
    // Every record, in its last state.
    expect(new Map([...counts].toSorted())).toEqual(new Map([...stored].toSorted()));
    // As many events at least as there were acknowledged changes.
    for (const [id, { acknowledged }] of records) {
      const heard = stream.received.filter(({ data }) => data.id === id).length;
      expect(heard).toBeGreaterThanOrEqual(acknowledged + 1);
    }
  }
  process.kill('SIGTERM');
  await process.ended();
}, 600_000);
