// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import Type from 'typebox';
import { query } from '../../../../test/support/database/database.ts';
import { JobRejected, jobKind } from './job-kind.ts';
import { hourMs, note, worldOfEachTest } from './jobs.fixture.ts';

const open = worldOfEachTest();

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
