// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { jobKind, periodicJob } from './job-kind.ts';
import { hourMs, note, until, worldOfEachTest } from './jobs.fixture.ts';
import { Jobs } from './jobs.ts';

const open = worldOfEachTest();

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
