import { describe, expect, test } from 'bun:test';
import { Semaphore } from './semaphore.ts';

const semaphoreOf = (running: number, waiting: number) => new Semaphore({ running, waiting }, () => new Error('full'));

describe('Semaphore', () => {
  test('never runs more than it may, and runs all that it took', async () => {
    const semaphore = semaphoreOf(3, 100);
    let active = 0;
    let most = 0;
    const work = async (number: number): Promise<number> => {
      most = Math.max(most, ++active);
      await Bun.sleep(0);
      active--;
      return number;
    };
    const numbers = await Promise.all(Array.from({ length: 50 }, (_, number) => semaphore.run(() => work(number))));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, number) => number));
    expect(most).toBe(3);
  });

  test('work that fails gives its place back', async () => {
    const semaphore = semaphoreOf(1, 0);
    for (let round = 0; round < 3; round++)
      await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await semaphore.run(async () => 'done')).toBe('done');
  });

  test('turns away what finds the queue full', async () => {
    const semaphore = semaphoreOf(1, 1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = semaphore.run(() => promise);
    const second = semaphore.run(async () => 'second');
    await expect(semaphore.run(async () => 'third')).rejects.toThrow('full');
    resolve('first');
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });
});
