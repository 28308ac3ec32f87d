// databases: sqlite, postgres
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DiskStorage } from '../../packages/recto/src/storage/disk-storage.ts';
import { becomes, onPostgres } from '../support/database/database.ts';
import { type Ended, RectoFolder } from '../support/processes/recto-process.ts';
import { canMount, SmallDisk } from '../support/processes/small-disk.ts';
import { TestService } from '../support/service.ts';

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'text', field_type: 'richtext' },
    { name: 'tags', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'tags' } },
  ],
  api: { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } },
};
const tagType = {
  singular: 'tag',
  plural: 'tags',
  fields: [{ name: 'name', field_type: 'text', required: true }],
  api: { create: { access: 'public' } },
};
const files = { 'note.json': JSON.stringify(noteType), 'tag.json': JSON.stringify(tagType) };

/** Sends to one service, in this process or another. */
type Send = (line: string, body?: object) => Promise<{ status: number; json: unknown }>;

/** One notes list that rests on all that is stored of a note: its row, its relations, its words. */
async function checkNotes(send: Send, ids: readonly string[], tags: readonly string[]): Promise<void> {
  const listed: { id: string; title: string; tags: string[] }[] = [];
  for (let page = 1; listed.length === (page - 1) * 100; page++) {
    const { json } = await send(`GET /api/v1/cms/notes?page=${page}&page_size=100`);
    listed.push(...(json as { items: typeof listed }).items);
  }
  const stored = new Map(listed.map((note) => [note.id, note]));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  // Nobody knows how the others ended that were on their way; but they are whole, or not there at all.
  for (const note of listed) expect(note.tags).toEqual([...tags]);
  const { json } = await send('GET /api/v1/cms/notes?search=common&page_size=1');
  expect((json as { total: number }).total).toBe(listed.length);
  for (const { id, title } of listed.slice(-20)) {
    const found = await send(`GET /api/v1/cms/notes?search=${title}&include=tags`);
    expect((found.json as { items: { id: string }[] }).items.map((note) => note.id)).toEqual([id]);
  }
}

function checkFile(path: string): void {
  using database = new Database(path, { readonly: true });
  expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.query('PRAGMA foreign_key_check').all()).toEqual([]);
}

/** Writes a file until the disk takes no more. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [64 * 1024, 4096]) {
      try {
        for (;;) writeSync(file, new Uint8Array(size));
      } catch {
        // Full: what is left is smaller.
      }
    }
  } finally {
    closeSync(file);
  }
}

let count = 0;
const note = (tags: readonly string[], size = 0) => ({
  title: `note${++count}end`,
  text: `common ${'x'.repeat(size)}`,
  tags,
});

describe.skipIf(onPostgres)('no room left', () => {
  const services: TestService[] = [];
  afterAll(() => Promise.all(services.map((service) => service.database.close())));

  test('writes are rejected, reads go on, nothing is half there, and writes go on when there is room again', async () => {
    const service = await TestService.open([noteType, tagType], { database: { maxPages: 260 } });
    services.push(service);
    const send: Send = (line, body) => service.send(line, body === undefined ? {} : { body });
    const tags = await Promise.all(['a', 'b', 'c'].map(async (name) => (await service.seed('tags', { name })).id));
    const refused: unknown[] = [];
    const made: string[] = [];
    for (let round = 0; refused.length < 8 && round < 100; round++) {
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => service.send('POST /api/v1/cms/notes', { body: note(tags, 9000) })),
      );
      made.push(...replies.filter(({ status }) => status === 201).map(({ json }) => json.id));
      refused.push(...replies.filter(({ status }) => status !== 201).map(({ status, json }) => [status, json.code]));
    }
    expect(made.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(0);
    for (const refusal of refused) expect(refusal).toEqual([503, 'storage_full']);
    await checkNotes(send, made, tags);
    expect((await service.send('GET /api/v1/healthz')).status).toBe(200);

    for (const id of made.splice(0, 10)) {
      expect((await service.send(`DELETE /api/v1/cms/notes/${id}`)).status).toBe(204);
    }
    expect((await service.send('POST /api/v1/cms/notes', { body: note(tags, 9000) })).status).toBe(201);
    await checkNotes(send, made, tags);
    checkFile(service.database.path);
  });

  test('every record can be deleted, however full the pages of each table are', async () => {
    for (let maxPages = 240; maxPages < 248; maxPages++) {
      await using service = await TestService.open([noteType, tagType], { database: { maxPages } });
      const made: string[] = [];
      // Large ones to where none fits, and then small ones, whose removal makes hardly any room.
      for (const size of [9_000, 0]) {
        const create = () => service.send('POST /api/v1/cms/notes', { body: note([], size) });
        for (let last = await create(); ; last = await create()) {
          if (last.status !== 201) expect([last.status, last.json.code]).toEqual([503, 'storage_full']);
          if (last.status !== 201) break;
          made.push(last.json.id);
        }
      }
      const update = await service.send(`PUT /api/v1/cms/notes/${made[0]}`, { body: { text: 'x' } });
      expect([update.status, update.json.code]).toEqual([503, 'storage_full']);
      for (const id of made.reverse()) expect((await service.send(`DELETE /api/v1/cms/notes/${id}`)).status).toBe(204);
      expect((await service.send('POST /api/v1/cms/notes', { body: note([], 9_000) })).status).toBe(201);
    }
  });

  test('an upload is rejected before its bytes are stored', async () => {
    await using service = await TestService.open([noteType, tagType], { builtIn: true, database: { maxPages: 800 } });
    await service.account('ada', 'admin');
    let last = 201;
    while (last === 201) last = (await service.send('POST /api/v1/cms/notes', { body: note([], 9_000) })).status;
    const stored: string[] = [];
    const put = spyOn(DiskStorage.prototype, 'put').mockImplementation(async (key) => Number(stored.push(key)));
    try {
      const headers = { Authorization: `Bearer ${service.tokenOf('ada')}`, 'Content-Type': 'text/plain' };
      const uploads = ['media?name=a.txt', 'admin/media?name=a.txt', 'admin/imports?format=records&name=notes.json'];
      for (const path of uploads.map((upload) => `/api/v1/${upload}`)) {
        const request = new Request(`http://recto.test${path}`, { method: 'POST', headers, body: 'text' });
        const response = await service.app.fetch(request);
        expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'storage_full']);
      }
      expect(stored).toEqual([]);
    } finally {
      put.mockRestore();
    }
  });

  test.skipIf(!canMount)('a disk that something fills between two creates (needs the right to mount one)', async () => {
    using folder = new RectoFolder(files);
    using disk = new SmallDisk(join(folder.path, 'data'), '96m');
    const recto = folder.spawn(['start']);
    const send = sendTo(await recto.url());
    writeFileSync(join(disk.path, 'filling'), new Uint8Array(62 * 1024 * 1024));
    const rest = new Uint8Array(16 * 1024 * 1024);
    expect((await send('POST /api/v1/cms/notes', note([], 0))).status).toBe(201);
    writeFileSync(join(disk.path, 'rest'), rest);
    expect(await send('POST /api/v1/cms/notes', note([], 0))).toMatchObject({
      status: 503,
      json: { code: 'storage_full' },
    });
    recto.kill('SIGTERM');
    const { exitCode, err } = await recto.ended();
    expect(exitCode, err).toBe(0);
  });

  test.skipIf(!canMount)('a disk that is full (needs the right to mount one)', async () => {
    using folder = new RectoFolder(files);
    using disk = new SmallDisk(join(folder.path, 'data'), '96m');
    const recto = folder.spawn(['start']);
    const send = sendTo(await recto.url());
    const tags = await makeTags(send);
    const made: string[] = [];
    const fill = join(disk.path, 'filling');
    const createUntilFull = async () => {
      let last = await send('POST /api/v1/cms/notes', note(tags, 100_000));
      for (let tries = 0; last.status === 201 && tries < 1000; tries++) {
        made.push((last.json as { id: string }).id);
        last = await send('POST /api/v1/cms/notes', note(tags, 100_000));
      }
      expect(last).toMatchObject({ status: 503, json: { code: 'storage_full' } });
      await checkNotes(send, made, tags);
      expect((await send('GET /api/v1/healthz')).status).toBe(200);
    };
    writeFileSync(fill, new Uint8Array(56 * 1024 * 1024));
    await createUntilFull();

    // Deletes make room.
    for (const id of made.splice(0)) expect((await send(`DELETE /api/v1/cms/notes/${id}`)).status).toBe(204);
    await createUntilFull();
    expect(made.length).toBeGreaterThan(10);

    // Something else takes what was kept.
    const rest = join(disk.path, 'rest');
    fillDisk(rest);
    await createUntilFull();

    rmSync(rest);
    rmSync(fill);
    const last = await send('POST /api/v1/cms/notes', note(tags, 100_000));
    expect(last.status).toBe(201);
    made.push((last.json as { id: string }).id);
    await checkNotes(send, made, tags);
    for (const id of made) expect((await send(`DELETE /api/v1/cms/notes/${id}`)).status).toBe(204);
    recto.kill('SIGTERM');
    const { exitCode, err } = await recto.ended();
    expect(exitCode, err).toBe(0);
    checkFile(join(disk.path, 'recto.db'));
  });
});

test.skipIf(onPostgres)('a file that is damaged while it is served is an outage, never a wrong answer', async () => {
  await using service = await TestService.open([noteType, tagType]);
  service.expectErrors(/"code":"storage_failed"/);
  const bodies = Array.from({ length: 300 }, () => note([], 3000));
  const made = await Promise.all(bodies.map((body) => service.send('POST /api/v1/cms/notes', { body })));
  const { path } = service.database;
  using other = new Database(path);
  // A thread of the service may be merging the log at this moment.
  const emptied = async () => Object(other.query('PRAGMA wal_checkpoint(TRUNCATE)').get()).busy;
  await becomes(emptied, 0);
  for (let page = 60; page < statSync(path).size / 4096; page++) overwrite(path, page * 4096);
  const ids = made.map(({ json }) => json.id);
  const replies = await Promise.all([
    ...ids.map((id) => service.send(`GET /api/v1/cms/notes/${id}`)),
    ...ids.map((id) => service.send(`PUT /api/v1/cms/notes/${id}`, { body: { title: 'x' } })),
    service.send('GET /api/v1/cms/notes?search=common&page_size=100'),
  ]);
  expect(replies.some(({ status }) => status === 503)).toBe(true);
  for (const [index, { status, json }] of replies.entries()) {
    if (status === 200) expect(json).toEqual(index < ids.length ? made[index]?.json : expect.anything());
    else expect([status, json.code]).toEqual([503, 'storage_failed']);
  }
});

describe('killed in the middle of writes', () => {
  test('what was acknowledged is there, and nothing is half there', async () => {
    using folder = new RectoFolder(files);
    const made: string[] = [];
    let tags: readonly string[] = [];
    for (const afterMs of [150, 40, 300]) {
      const recto = folder.spawn(['start']);
      const send = sendTo(await recto.url());
      if (tags.length === 0) tags = await makeTags(send);
      else await checkNotes(send, made, tags);
      const before = made.length;
      const clients = Array.from({ length: 16 }, async () => {
        for (;;) {
          const { status, json } = await send('POST /api/v1/cms/notes', note(tags, 500));
          if (status === 201) made.push((json as { id: string }).id);
        }
      });
      // The time is when it is killed, not how long anything may take.
      while (made.length === before) await Bun.sleep(1);
      await Bun.sleep(afterMs);
      recto.kill('SIGKILL');
      await Promise.allSettled(clients);
      await recto.ended();
    }
    const recto = folder.spawn(['start']);
    await checkNotes(sendTo(await recto.url()), made, tags);
    recto.kill('SIGTERM');
    expect((await recto.ended()).exitCode).toBe(0);
    checkFile(join(folder.path, 'data/recto.db'));
  });
});

describe('a start fails with one sentence', () => {
  /** One sentence for a person: no stack, no log line, and nothing was served. */
  function checkRefusal({ exitCode, out, err }: Ended, path: string): void {
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(path);
    expect(err).not.toMatch(/ {4}at |"level"|\.ts:/);
  }

  test('for a data folder that is a file', async () => {
    using folder = new RectoFolder(files);
    folder.write('occupied', 'a file');
    checkRefusal(await folder.run(['start'], { RECTO_DATA_DIR: 'occupied' }), 'occupied');
    expect(readFileSync(join(folder.path, 'occupied'), 'utf8')).toBe('a file');
  });

  test.skipIf(process.getuid?.() === 0)('for a data folder that cannot be written (root can)', async () => {
    using folder = new RectoFolder(files);
    const data = join(folder.path, 'data');
    mkdirSync(data);
    chmodSync(data, 0o555);
    checkRefusal(await folder.run(['start']), 'data');
  });

  const canMount = Bun.spawnSync(['sh', '-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"']).success;
  test.skipIf(!canMount)('for a data folder on a disk that is read only (needs the right to mount one)', async () => {
    using folder = new RectoFolder(files);
    using disk = new SmallDisk(join(folder.path, 'data'), '12m');
    disk.protect();
    checkRefusal(await folder.run(['start']), 'data');
  });

  test.skipIf(!canMount)('for a disk without room for an empty database (needs the right to mount one)', async () => {
    using folder = new RectoFolder(files);
    using _disk = new SmallDisk(join(folder.path, 'data'), '16k');
    checkRefusal(await folder.run(['start']), 'data');
  });

  const damages: Readonly<Record<string, (path: string, size: number) => void>> = {
    'is garbage': (path, size) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)))),
    'is cut in half': (path, size) => truncateSync(path, size / 2),
    'is cut within its first page': (path) => truncateSync(path, 1000),
    'has a page in the middle overwritten': (path, size) => overwrite(path, Math.floor(size / 4096 / 2) * 4096),
    'has its list of tables overwritten': (path) => overwrite(path, 100),
  };

  test.each(Object.entries(damages))('for a database file that %s', async (_, damage) => {
    using folder = new RectoFolder(files);
    const path = join(folder.path, 'data/recto.db');
    await usedOnce(folder);
    damage(path, statSync(path).size);
    const before = readFileSync(path);
    checkRefusal(await folder.run(['start']), 'data/recto.db');
    // What can still be saved from it is left for later repair.
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('but not for a torn write-ahead log: what was committed counts', async () => {
    using folder = new RectoFolder(files);
    await usedOnce(folder);
    folder.write('data/recto.db-wal', 'torn '.repeat(1000));
    const recto = folder.spawn(['start']);
    const send = sendTo(await recto.url());
    expect((await send('GET /api/v1/cms/tags')).json).toMatchObject({ total: 3 });
    recto.kill('SIGTERM');
    expect((await recto.ended()).exitCode).toBe(0);
  });
});

/** Starts the service, stores something, and stops it. */
async function usedOnce(folder: RectoFolder): Promise<void> {
  const recto = folder.spawn(['start']);
  const send = sendTo(await recto.url());
  const tags = await makeTags(send);
  await Promise.all(Array.from({ length: 50 }, () => send('POST /api/v1/cms/notes', note(tags, 3000))));
  recto.kill('SIGTERM');
  expect((await recto.ended()).exitCode).toBe(0);
}

function sendTo(url: string): Send {
  return async (line, body) => {
    const [method = '', path = ''] = line.split(' ');
    const init =
      body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { method, ...init });
    return { status: response.status, json: response.status === 204 ? null : await response.json() };
  };
}

async function makeTags(send: Send): Promise<readonly string[]> {
  const made = await Promise.all(['a', 'b', 'c'].map((name) => send('POST /api/v1/cms/tags', { name })));
  return made.map(({ json }) => (json as { id: string }).id);
}

/** In place: the file stays the one that is open elsewhere. */
function overwrite(path: string, start: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(4096).fill(0xa5), 0, 4096, start);
  closeSync(file);
}
