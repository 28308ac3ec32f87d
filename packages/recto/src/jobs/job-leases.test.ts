// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { jobKind } from './job-kind.ts';
import { hourMs, note, until, worldOfEachTest } from './jobs.fixture.ts';

const open = worldOfEachTest();

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
