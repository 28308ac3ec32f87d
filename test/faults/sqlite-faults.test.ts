import { describe, expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openWalFile } from '../../packages/recto/src/database/sqlite/wal-file.ts';
import { onPostgres } from '../support/database/database.ts';
import { TestService } from '../support/service.ts';

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: { list: { cache: true }, get: { cache: true }, create: { access: 'public' } },
};

/** The threads that were started, of the runtime's own kind. */
class Threads implements Disposable {
  readonly #ordinary = globalThis.Worker;
  readonly started: Worker[] = [];
  /** How many of those to come die before they have done anything. */
  stillborn = 0;

  constructor() {
    const threads = this;
    globalThis.Worker = class extends this.#ordinary {
      constructor(...how: ConstructorParameters<typeof Worker>) {
        super(...how);
        threads.started.push(this);
        if (threads.stillborn > 0) this.terminate();
        threads.stillborn -= 1;
      }
    };
  }

  /** Ends all that were started, and waits until they have ended. */
  async kill(): Promise<void> {
    const ends = this.started.splice(0).map((thread) => {
      const ended = new Promise((resolve) => thread.addEventListener('close', resolve));
      thread.terminate();
      return ended;
    });
    await Promise.all(ends);
  }

  [Symbol.dispose](): void {
    globalThis.Worker = this.#ordinary;
  }
}

describe.skipIf(onPostgres)('a thread that dies', () => {
  test('is a 503 for the caller whose request it ran, and another one answers those who wait and those who come', async () => {
    using threads = new Threads();
    await using service = await TestService.open([noteType], { database: { onlyThreads: true } });
    service.expectErrors(/A thread of the database has died/);
    const { id } = await service.seed('notes', { title: 'One' });
    const ask = () => Promise.all([service.send(`GET /api/v1/cms/notes/${id}`), service.send('GET /api/v1/cms/notes')]);
    threads.stillborn = 1;
    const [refused, waited] = await ask();
    expect(refused).toMatchObject({ status: 503, json: { code: 'storage_failed' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(waited).toMatchObject({ status: 200, json: { total: 1 } });
    // Nothing of the failure is remembered, although what these endpoints return is.
    expect(await ask()).toMatchObject([
      { status: 200, json: { id, title: 'One' } },
      { status: 200, json: { total: 1 } },
    ]);
  });

  test('while it has nothing to do is missed by nobody', async () => {
    using threads = new Threads();
    await using service = await TestService.open([noteType], { database: { onlyThreads: true } });
    for (const title of ['One', 'Two', 'Three']) {
      await service.seed('notes', { title });
      const found = await service.send(`GET /api/v1/cms/notes?search=${title}`);
      expect(found).toMatchObject({ status: 200, json: { items: [{ title }] } });
      expect(threads.started.length).toBeGreaterThan(0);
      await threads.kill();
    }
  });
});

describe.skipIf(onPostgres)('a flush of the disk', () => {
  async function scene() {
    /** What the next flushes wait for before they begin. */
    const before: Promise<void>[] = [];
    const openLog = (path: string) => {
      const log = openWalFile(path);
      if (log === undefined) return undefined;
      const flush = async (): Promise<void> => {
        await before.shift();
        await log.flush();
      };
      return { ...log, flush };
    };
    const service = await TestService.open([noteType], { database: { openLog }, expectedErrors: [/EIO: i\/o error/] });
    const sent = { headers: { 'Idempotency-Key': crypto.randomUUID() }, body: { title: 'One' } };
    const post = () => service.send('POST /api/v1/cms/notes', sent);
    const total = async () => (await service.send('GET /api/v1/cms/notes')).json.total;
    return { before, post, total, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
  }

  test('that is not done holds back what repeats the answer of the write, too', async () => {
    await using parts = await scene();
    const { before, post, total } = parts;
    const held = Promise.withResolvers<void>();
    before.push(held.promise);
    const answered: string[] = [];
    const first = post().finally(() => answered.push('first'));
    while ((await total()) === 0) await nextTurn();
    const again = post().finally(() => answered.push('again'));
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    const answeredBefore = [...answered];
    held.resolve();
    const [made, repeated] = await Promise.all([first, again]);
    expect(answeredBefore).toEqual([]);
    expect([made.status, repeated.status, repeated.json]).toEqual([201, 201, made.json]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  });

  test('that fails is a 503, as long as it does; then the outcome of the request is returned, and nothing is there twice', async () => {
    await using parts = await scene();
    const { before, post, total } = parts;
    const failing = () => {
      const flush = Promise.reject(new Error('EIO: i/o error, fdatasync'));
      // Not before the flush is asked for does anybody look at it.
      flush.catch(() => undefined);
      return flush;
    };
    before.push(failing(), failing());
    const failed = { status: 503, json: { code: 'storage_failed' } };
    expect(await post()).toMatchObject(failed);
    expect(await post()).toMatchObject(failed);
    expect(await post()).toMatchObject({ status: 201, json: { title: 'One' } });
    expect(await total()).toBe(1);
  });
});
