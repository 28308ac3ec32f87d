// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { environmentOf, newTestLocation, onPostgres } from '../support/database/database.ts';
import { startPostgres } from '../support/database/postgres-server.ts';
import { EventSource } from '../support/event-source.ts';
import { databaseOutage } from '../support/processes/outage.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

// Streams of services that run as processes: several on one database, one that is killed, a database that restarts.

const types = {
  'note.toml': `singular = "note"
plural = "notes"
fields = [{ name = "count", field_type = "integer" }]
[api]
create = { access = "public" }
`,
};
const environment = { RECTO_SECRET: 'a secret that all of them share, and long', RECTO_RATE_LIMIT: 'off' };

const listen = async (url: string, lastId?: string): Promise<EventSource> => {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  const source = await EventSource.of(await fetch(`${url}/api/v1/events?types=notes`, { headers }));
  expect(source.status).toBe(200);
  return source;
};

async function create(url: string, count: number): Promise<number> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ count }) };
  return (await fetch(`${url}/api/v1/cms/notes`, init)).status;
}

const counts = ({ events }: EventSource): readonly number[] => events.map(({ data }) => data.record.count);

async function stopped(...processes: readonly RectoProcess[]): Promise<void> {
  for (const one of processes) one.kill('SIGTERM');
  await Promise.all(processes.map((one) => one.ended()));
}

test('a stream of one process hears what another writes, and goes on there after a kill -9 of its own', async () => {
  await using place = await newTestLocation();
  using folder = new RectoFolder(types);
  const all = { ...environment, ...environmentOf(place) };
  // On SQLite they share the folder.
  const [mine, other] = [folder.spawn(['start'], all), folder.spawn(['start'], all)];
  const [here, there] = [await mine.url(), await other.url()];
  const before = await listen(here);
  for (let count = 0; count < 20; count += 1) expect(await create(count % 2 === 0 ? here : there, count)).toBe(201);
  await before.until(({ length }) => length === 20);
  expect(counts(before)).toEqual(Array.from({ length: 20 }, (_, count) => count));

  mine.kill('SIGKILL');
  await mine.ended();
  await before.ended;
  for (let count = 20; count < 30; count += 1) expect(await create(there, count)).toBe(201);
  const after = await listen(there, before.lastId);
  expect(await create(there, 30)).toBe(201);
  await after.until((events) => events.some(({ data }) => data.record.count === 30));
  expect(counts(after)).toEqual(Array.from({ length: 11 }, (_, count) => 20 + count));
  await stopped(other);
});

test('streams of workers on one port each hear what any of them writes', async () => {
  await using place = await newTestLocation();
  using folder = new RectoFolder(types);
  const service = folder.spawn(['start'], { ...environment, ...environmentOf(place), RECTO_WORKERS: '3' });
  const url = await service.url();
  // The system spreads connections over the workers: with so many, no worker has all.
  const sources = await Promise.all(Array.from({ length: 12 }, () => listen(url)));
  for (let count = 0; count < 30; count += 1) expect(await create(url, count)).toBe(201);
  for (const source of sources) {
    await source.until(({ length }) => length === 30);
    expect(counts(source)).toEqual(Array.from({ length: 30 }, (_, count) => count));
  }
  await stopped(service);
});

test.skipIf(!onPostgres)('streams stay open while the database restarts, and lose nothing', async () => {
  await using database = await startPostgres();
  using folder = new RectoFolder(types);
  const service = folder.spawn(['start'], { ...environment, RECTO_DATABASE_URL: database.url });
  service.expectErrors(databaseOutage);
  const url = await service.url();
  const sources = await Promise.all(Array.from({ length: 5 }, () => listen(url)));
  const acknowledged: number[] = [];
  const write = async (count: number): Promise<void> => {
    // 503 while the database is away.
    if ((await create(url, count)) === 201) acknowledged.push(count);
  };
  for (let count = 0; count < 10; count += 1) await write(count);
  await database.stop('fast');
  await write(10);
  await database.start();
  for (let count = 11; !acknowledged.includes(count - 1); count += 1) {
    await write(count);
    await Bun.sleep(20);
  }
  const last = acknowledged.at(-1);
  expect(last).toBeGreaterThan(9);
  for (const source of sources) {
    await source.until((events) => events.some(({ data }) => data.record?.count === last));
    expect(source.isOpen).toBe(true);
    // A change that was not acknowledged may have been made all the same.
    expect(counts(source).filter((count) => acknowledged.includes(count))).toEqual(acknowledged);
    await source[Symbol.asyncDispose]();
  }
  await stopped(service);
});
