// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { jobKind } from './job-kind.ts';
import { hourMs, note, worldOfEachTest } from './jobs.fixture.ts';
import { pruneJobs } from './prune-jobs.ts';

const open = worldOfEachTest();

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
