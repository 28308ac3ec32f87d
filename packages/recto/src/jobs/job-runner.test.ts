// databases: sqlite, postgres:rest
import { afterEach, describe, expect, test } from 'bun:test';
import Type from 'typebox';
import { openTestDatabase, query, type TestDatabase } from '../../../../test/support/database/database.ts';
import { createLogger } from '../base/logger.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { JobState } from './job.ts';
import { type JobKind, JobRejected, jobKind, periodicJob } from './job-kind.ts';
import { JobRunner } from './job-runner.ts';
import { Jobs } from './jobs.ts';
import { pruneJobs } from './prune-jobs.ts';

const note = { name: 'test.note', payload: Type.Object({ text: Type.String() }), concurrency: 3 };
const hourMs = 3_600_000;

/** A database and its clock. Every other runner has connections of its own, as another process has. */
class World implements AsyncDisposable {
  now = Date.parse('2026-11-22T10:00:30.000Z');
  readonly database: TestDatabase;
  readonly jobs: Jobs;
  readonly #runners: JobRunner[] = [];
  readonly #others: Database[] = [];

  static async open(): Promise<World> {
    return new World(await openTestDatabase());
  }

  private constructor(database: TestDatabase) {
    this.database = database;
    this.jobs = new Jobs(database, () => this.now);
  }

  /** A runner that hears of the commits of its claims only when `open` resolves. `claimed` resolves with the first. */
  slowToClaim(kinds: readonly JobKind[], open: Promise<void>, claimed: () => void): JobRunner {
    const slow = new Proxy(this.database, {
      get: (database, name) => {
        if (name === 'transaction')
          return async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
            const result = await database.transaction(work);
            if (Array.isArray(result) && result.length > 0) {
              claimed();
              await open;
            }
            return result;
          };
        const value: unknown = Reflect.get(database, name, database);
        return typeof value === 'function' ? value.bind(database) : value;
      },
    });
    return this.#runner(slow, this.jobs, kinds, 30_000);
  }

  /** A runner on this world's connection. */
  runner(kinds: readonly JobKind[]): JobRunner {
    return this.#runner(this.database, this.jobs, kinds, 30_000);
  }

  /** One with a connection of its own, as another process or machine has. */
  async other(kinds: readonly JobKind[], { leaseMs = 30_000, now = () => this.now } = {}): Promise<JobRunner> {
    const database = await this.database.again();
    this.#others.push(database);
    return this.#runner(database, new Jobs(database, now), kinds, leaseMs);
  }

  #runner(database: Database, jobs: Jobs, kinds: readonly JobKind[], leaseMs: number): JobRunner {
    const runner = new JobRunner({ database, jobs, kinds: () => kinds, log: createLogger('silent'), leaseMs });
    this.#runners.push(runner);
    return runner;
  }

  async states(): Promise<Partial<Record<JobState, number>>> {
    return Object.fromEntries(await this.jobs.store.counts());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all(this.#others.map((database) => database.close()));
    await this.database.close();
  }
}

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});
async function open(): Promise<World> {
  world = await World.open();
  return world;
}

/** Resolves when the condition holds; the test's time limit ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}

test('a job runs with its payload, and its result is kept', async () => {
  const here = await open();
  const { jobs } = here;
  const runner = here.runner([
    jobKind(note, async ({ payload, attempt, createdBy }) => ({ result: `${payload.text} ${attempt} ${createdBy}` })),
  ]);
  const id = await jobs.enqueue(note, { text: 'a' }, { createdBy: 'eve' });
  expect(await jobs.store.get(id)).toMatchObject({ state: 'queued', attempts: 0, runAt: here.now });
  await runner.settle();
  expect(await jobs.store.get(id)).toMatchObject({
    ...{ state: 'done', result: 'a 1 eve', attempts: 1, error: null, owner: null, finishedAt: here.now },
  });
});

test('a job exists if, and only if, the transaction that enqueued it was committed', async () => {
  const { jobs, database } = await open();
  await database.transaction((transaction) => jobs.enqueueIn(transaction, note, { text: 'kept' }));
  const undone = database.transaction(async (transaction) => {
    await jobs.enqueueIn(transaction, note, { text: 'undone' });
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  const { jobs: stored } = await jobs.store.list({}, { limit: 10, offset: 0 });
  expect(stored.map(({ payload }) => payload)).toEqual([{ text: 'kept' }]);
});

test('a started runner wakes up for what its own process enqueues, and for what others do', async () => {
  const here = await open();
  const ran: string[] = [];
  const kind = jobKind(note, async ({ payload }) => {
    ran.push(payload.text);
    return undefined;
  });
  here.runner([kind]).start();
  await here.jobs.enqueue(note, { text: 'own' });
  const database = await here.database.again();
  try {
    await new Jobs(database, () => here.now).enqueue(note, { text: 'of another' });
    await until(() => ran.length === 2);
  } finally {
    await database.close();
  }
  expect(ran.toSorted()).toEqual(['of another', 'own']);
});

test('a started runner settles only after what a look under way has claimed', async () => {
  const here = await open();
  const ran: string[] = [];
  const kind = jobKind(note, async ({ payload }) => {
    ran.push(payload.text);
    return undefined;
  });
  const claimed = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const runner = here.slowToClaim([kind], heard.promise, claimed.resolve);
  await here.jobs.enqueue(note, { text: 'a' });
  runner.start();
  await claimed.promise;
  const settled = runner.settle();
  // Time for a `settle` that does not wait for the look to end too early.
  await Promise.race([settled, Bun.sleep(50)]);
  heard.resolve();
  await settled;
  expect(ran).toEqual(['a']);
});

test('runs at its time, the highest priority first', async () => {
  const here = await open();
  const ran: string[] = [];
  const one = { ...note, concurrency: 1 };
  const runner = here.runner([
    jobKind(one, async ({ payload }) => {
      ran.push(payload.text);
      return undefined;
    }),
  ]);
  await here.jobs.enqueue(one, { text: 'later' }, { runAt: here.now + hourMs });
  await here.jobs.enqueue(one, { text: 'low' });
  await here.jobs.enqueue(one, { text: 'high' }, { priority: 5 });
  await runner.settle();
  expect(ran).toEqual(['high', 'low']);
  here.now += hourMs;
  await runner.settle();
  expect(ran).toEqual(['high', 'low', 'later']);
});

describe('a run that throws', () => {
  const failing = (error: () => Error) => jobKind({ ...note, attempts: 3 }, () => Promise.reject(error()));

  test('runs again, later each time, and fails in the end; a retry begins anew', async () => {
    const here = await open();
    const runner = here.runner([failing(() => new Error('a secret of the inside'))]);
    const id = await here.jobs.enqueue({ ...note, attempts: 3 }, { text: 'a' });
    const waits: number[] = [];
    for (let attempt = 1; attempt < 3; attempt++) {
      await runner.settle();
      const job = await here.jobs.store.get(id);
      expect(job).toMatchObject({ state: 'queued', attempts: attempt });
      waits.push((job?.runAt ?? 0) - here.now);
      here.now = job?.runAt ?? 0;
    }
    expect(waits[0]).toBeWithin(4_000, 6_001);
    expect(waits[1]).toBeWithin(8_000, 12_001);
    await runner.settle();
    const failed = await here.jobs.store.get(id);
    expect(failed).toMatchObject({ state: 'failed', attempts: 3 });
    expect(failed?.error).not.toContain('secret');
    await here.database.transaction((transaction) => here.jobs.store.retry(transaction, id, here.now));
    expect(await here.jobs.store.get(id)).toMatchObject({
      state: 'queued',
      attempts: 0,
      error: null,
      finishedAt: null,
    });
  });

  test('fails at once where another attempt would not help', async () => {
    const here = await open();
    const runner = here.runner([failing(() => new JobRejected('The file is gone.'))]);
    const id = await here.jobs.enqueue({ ...note, attempts: 3 }, { text: 'a' });
    await runner.settle();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'failed', attempts: 1, error: 'The file is gone.' });
  });

  test('so does one whose payload is not of its kind', async () => {
    const here = await open();
    const runner = here.runner([jobKind(note, async () => undefined)]);
    const id = await here.jobs.enqueue({ ...note, payload: Type.Object({}) }, {});
    await runner.settle();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'failed', attempts: 1 });
  });

  test('so does one whose payload is no JSON, and those that are due with it run', async () => {
    const here = await open();
    const ran: string[] = [];
    const runner = here.runner([jobKind(note, async ({ payload }) => ({ result: ran.push(payload.text) }))]);
    const id = await here.jobs.enqueue(note, { text: 'broken' });
    await here.jobs.enqueue(note, { text: 'behind' });
    const broken = query(`update recto_jobs set payload = '{"text": ' where id = ?`, id);
    await here.database.transaction(async (transaction) => transaction.run(broken));
    await runner.settle();
    expect(ran).toEqual(['behind']);
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'failed', attempts: 1, payload: null });
  });
});

test('a job of a kind that this process does not know waits for one that does', async () => {
  const here = await open();
  await here.jobs.enqueue(note, { text: 'a' });
  await here.runner([periodicJob('test.other', { cron: '0 0 1 1 *' }, async () => undefined)]).settle();
  expect(await here.states()).toEqual({ queued: 2 });
});

describe('a key', () => {
  test('holds for one job that waits', async () => {
    const here = await open();
    const id = await here.jobs.enqueue(note, { text: 'a' }, { key: 'k', runAt: here.now + hourMs });
    expect(await here.jobs.enqueue(note, { text: 'b' }, { key: 'k', runAt: here.now })).toBe(id);
    expect(await here.jobs.store.get(id)).toMatchObject({ runAt: here.now, payload: { text: 'a' } });
    await here.runner([jobKind(note, async () => undefined)]).settle();
    expect(await here.jobs.enqueue(note, { text: 'c' }, { key: 'k' })).not.toBe(id);
  });

  test('asked for while the job runs, it runs once more', async () => {
    const here = await open();
    let runs = 0;
    const runner = here.runner([
      jobKind(note, async () => {
        runs += 1;
        if (runs === 1) await here.jobs.enqueue(note, { text: 'again' }, { key: 'k' });
        return undefined;
      }),
    ]);
    const id = await here.jobs.enqueue(note, { text: 'a' }, { key: 'k' });
    await runner.settle();
    expect(runs).toBe(2);
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'done', key: null });
  });
});

test('several runners on connections of their own run each job once', async () => {
  const here = await open();
  const ran: string[] = [];
  const kind = jobKind(note, async ({ payload }) => {
    ran.push(payload.text);
    await Bun.sleep(1);
    return undefined;
  });
  // One clock is a minute ahead, another a minute behind.
  const runners = [
    await here.other([kind]),
    await here.other([kind], { now: () => here.now + 60_000 }),
    await here.other([kind], { now: () => here.now - 60_000 }),
  ];
  for (const runner of runners) runner.start();
  const count = 60;
  const texts = Array.from({ length: count }, (_, index) => String(index));
  await Promise.all(texts.map((text) => here.jobs.enqueue(note, { text }, { runAt: here.now - 120_000 })));
  await until(async () => (await here.states()).done === count);
  expect(ran.toSorted()).toEqual(texts.toSorted());
});

describe('a lease', () => {
  /** A kind whose runs end when they are released. */
  function held() {
    const begun: string[] = [];
    const aborted: string[] = [];
    const release = Promise.withResolvers<void>();
    const kind = (place: string) =>
      jobKind(note, async ({ signal }) => {
        begun.push(place);
        const ends = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await Promise.race([release.promise, ends]);
        if (!signal.aborted) return { result: place };
        aborted.push(place);
        throw new Error('aborted');
      });
    return { begun, aborted, kind, release: () => release.resolve() };
  }

  test('is kept while the job runs, however the clocks jump', async () => {
    const here = await open();
    const { begun, kind, release } = held();
    let ahead = 0;
    const first = await here.other([kind('first')], { leaseMs: 6_000, now: () => here.now + ahead });
    const second = await here.other([kind('second')], { leaseMs: 6_000 });
    const id = await here.jobs.enqueue(note, { text: 'a' });
    first.start();
    await until(() => begun.length === 1);
    second.start();
    const beats = new Set<number | null | undefined>();
    // At each renewal, both clocks are set anew.
    await until(async () => {
      ahead = Math.round((Math.random() - 0.5) * 10 * hourMs);
      here.now += Math.round((Math.random() - 0.5) * 10 * hourMs);
      beats.add((await here.jobs.store.get(id))?.heartbeatAt);
      return beats.size > 3;
    });
    release();
    await until(async () => (await here.states()).done === 1);
    expect(begun).toEqual(['first']);
  });

  test('of a process that died passes to another one', async () => {
    const here = await open();
    const { begun, kind, release } = held();
    const id = await here.jobs.enqueue(note, { text: 'a' });
    // As a killed process leaves it.
    await here.database.transaction((transaction) =>
      Promise.resolve(
        transaction.run({
          sql: `UPDATE recto_jobs SET state = 'running', owner = 'gone', heartbeat_at = ${here.now}, attempts = 1`,
          parameters: [],
        }),
      ),
    );
    (await here.other([kind('second')], { leaseMs: 100 })).start();
    await until(() => begun.length === 1);
    release();
    await until(async () => (await here.states()).done === 1);
    expect(await here.jobs.store.get(id)).toMatchObject({ attempts: 2, result: 'second' });
  });

  test('ends with a stop: the job runs again elsewhere, and no attempt is lost', async () => {
    const here = await open();
    const { begun, kind, release } = held();
    const first = await here.other([kind('first')]);
    const id = await here.jobs.enqueue(note, { text: 'a' });
    first.start();
    await until(() => begun.length === 1);
    await first.stop();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'queued', attempts: 0, owner: null });
    release();
    await here.runner([kind('second')]).settle();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'done', result: 'second', attempts: 1 });
  });

  test('is not waited for where a run does not end with a stop', async () => {
    const here = await open();
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<undefined>();
    const runner = here.runner([
      jobKind(note, () => {
        begun.resolve();
        return release.promise;
      }),
    ]);
    const id = await here.jobs.enqueue(note, { text: 'a' });
    runner.start();
    await begun.promise;
    await runner.stop();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'running' });
    release.resolve(undefined);
    await until(async () => (await here.states()).done === 1);
  });

  test('ends with a cancellation by another process', async () => {
    const here = await open();
    const { begun, aborted, kind } = held();
    const first = await here.other([kind('first')]);
    const id = await here.jobs.enqueue(note, { text: 'a' });
    first.start();
    await until(() => begun.length === 1);
    const cancelled = await here.database.transaction((transaction) =>
      here.jobs.store.cancel(transaction, id, here.now),
    );
    expect(cancelled?.state).toBe('cancelled');
    // The run notices long before its lease ends, and stores nothing over it.
    await until(() => aborted.length === 1);
    await first.stop();
    expect(await here.jobs.store.get(id)).toMatchObject({ state: 'cancelled' });
  });
});

test('a checkpoint is kept with what the transaction did, and the next attempt has it', async () => {
  const here = await open();
  const seen: unknown[] = [];
  const runner = here.runner([
    jobKind(note, async (work) => {
      seen.push(work.checkpoint);
      await here.database.transaction(async (transaction) =>
        work.keep(transaction, { progress: { done: work.attempt, total: 2 }, checkpoint: { at: work.attempt } }),
      );
      const undone = here.database.transaction(async (transaction) => {
        await work.keep(transaction, { checkpoint: 'undone' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      if (work.attempt === 1) throw new Error('once more');
      return undefined;
    }),
  ]);
  const id = await here.jobs.enqueue(note, { text: 'a' });
  await runner.settle();
  expect(await here.jobs.store.get(id)).toMatchObject({ progress: { done: 1, total: 2 }, checkpoint: { at: 1 } });
  here.now += hourMs;
  await runner.settle();
  expect(await here.jobs.store.get(id)).toMatchObject({ state: 'done', progress: { done: 2, total: 2 } });
  expect(seen).toEqual([null, { at: 1 }]);
});

describe('a kind with a schedule', () => {
  const counted = (earlier?: () => number | null) => {
    const runs: number[] = [];
    const schedule = { cron: '15 * * * *', ...(earlier === undefined ? {} : { earlier }) };
    const kind = periodicJob('test.hourly', schedule, async ({ now }) => {
      runs.push(now());
      return undefined;
    });
    return { runs, kind };
  };

  test('runs at first, and then by its cron expression, in one process of all', async () => {
    const here = await open();
    const { runs, kind } = counted();
    const runners = [await here.other([kind]), await here.other([kind]), here.runner([kind])];
    const settle = () => Promise.all(runners.map((runner) => runner.settle()));
    await settle();
    expect(runs).toEqual([here.now]);
    for (const hour of [10, 11]) {
      here.now = Date.parse(`2026-11-22T${hour}:14:59.999Z`);
      await settle();
      here.now += 1;
      await settle();
      await settle();
    }
    expect(runs.slice(1).map((time) => new Date(time).toISOString())).toEqual([
      '2026-11-22T10:15:00.000Z',
      '2026-11-22T11:15:00.000Z',
    ]);
    expect(await here.states()).toEqual({ queued: 1 });
  });

  test('runs earlier where stored data requires it, whichever process notices', async () => {
    const here = await open();
    let required: number | null = null;
    const { runs, kind } = counted(() => required);
    const runners = [await here.other([kind]), here.runner([kind])];
    await Promise.all(runners.map((runner) => runner.settle()));
    required = here.now + 60_000;
    await runners[0]?.settle();
    expect(runs).toHaveLength(1);
    here.now += 60_000;
    await runners[1]?.settle();
    expect(runs).toEqual([here.now - 60_000, here.now]);
    // It still does, as its run has not changed anything.
    here.now += 1_000;
    await runners[0]?.settle();
    expect(runs).toHaveLength(3);
  });

  test('runs again by the clock after that was an hour ahead for a while', async () => {
    const here = await open();
    const { runs, kind } = counted();
    const runner = here.runner([kind]);
    here.now += 30 * hourMs;
    await runner.settle();
    here.now -= 30 * hourMs;
    await runner.settle();
    expect(runs).toHaveLength(1);
    here.now = Date.parse('2026-11-22T10:15:00.000Z');
    await runner.settle();
    expect(runs).toHaveLength(2);
  });

  test('that fails runs again, later each time, and is never given up', async () => {
    const here = await open();
    let runs = 0;
    const kind = periodicJob('test.failing', { cron: '15 * * * *', earlier: () => here.now }, () => {
      runs += 1;
      return Promise.reject(new Error('no'));
    });
    const runner = here.runner([kind]);
    for (let look = 0; look < 60; look++) {
      await runner.settle();
      here.now += 10_000;
    }
    // Within ten minutes, each time after a longer pause although there is work.
    expect(runs).toBeWithin(6, 10);
    const before = runs;
    // Its regular time comes before the end of the next pause.
    here.now = Date.parse('2026-11-22T10:40:00.000Z');
    await runner.settle();
    here.now = Date.parse('2026-11-22T11:15:00.000Z');
    await runner.settle();
    expect(runs).toBe(before + 2);
    expect(await here.states()).toEqual({ queued: 1 });
  });
});

test('jobs that ended long ago are removed, failed ones later', async () => {
  const here = await open();
  const runner = here.runner([
    jobKind({ ...note, attempts: 1 }, async ({ payload }) => {
      if (payload.text === 'fails') throw new Error('no');
      return undefined;
    }),
  ]);
  const type = { ...note, attempts: 1 };
  for (const text of ['fails', 'a', 'b']) await here.jobs.enqueue(type, { text });
  await runner.settle();
  await here.jobs.enqueue(type, { text: 'waits' }, { runAt: here.now + 100 * 24 * hourMs });
  const prune = (days: number) =>
    pruneJobs(here.jobs.store, here.now + days * 24 * hourMs, new AbortController().signal);
  await prune(6.9);
  expect(await here.states()).toEqual({ done: 2, failed: 1, queued: 1 });
  await prune(7.1);
  expect(await here.states()).toEqual({ failed: 1, queued: 1 });
  await prune(31);
  expect(await here.states()).toEqual({ queued: 1 });
});
