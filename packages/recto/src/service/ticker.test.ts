import { expect, test } from 'bun:test';
import type { Job } from '../features/feature.ts';
import { startTicker } from './ticker.ts';

const failures: (string | undefined)[] = [];
const onError = (_: unknown, job: string | undefined): void => void failures.push(job);

test('a job that fails is reported by its name, and keeps no other from running', async () => {
  const ran = Promise.withResolvers<void>();
  const failing: Job = { name: 'failing', run: () => Promise.reject(new Error('no')) };
  const fine: Job = {
    name: 'fine',
    async run() {
      ran.resolve();
      return null;
    },
  };
  const ticker = startTicker(async () => [failing, fine], onError);
  await ran.promise;
  await ticker.stop();
  expect(failures).toEqual(['failing']);
});

test('runs again at once when a job names a time that has come', async () => {
  let count = 0;
  const ran = Promise.withResolvers<void>();
  const job: Job = {
    name: 'due',
    async run(now) {
      count += 1;
      if (count === 5) ran.resolve();
      return now;
    },
  };
  const ticker = startTicker(async () => [job], onError);
  await ran.promise;
  await ticker.stop();
});

test('a stop aborts the job that runs, waits for it, and runs none after it', async () => {
  const begun = Promise.withResolvers<void>();
  let ended = false;
  let later = 0;
  const waiting: Job = {
    name: 'waiting',
    async run(_, signal) {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      ended = true;
      return null;
    },
  };
  const next: Job = {
    name: 'next',
    async run() {
      later += 1;
      return null;
    },
  };
  const ticker = startTicker(async () => [waiting, next], onError);
  await begun.promise;
  await ticker.stop();
  expect({ ended, later }).toEqual({ ended: true, later: 0 });
});
