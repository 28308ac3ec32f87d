import { describe, expect, test } from 'bun:test';
import { WorkGate } from './work-gate.ts';

const gateOf = (running: number, waiting: number) => new WorkGate({ running, waiting }, () => new Error('full'));

describe('WorkGate', () => {
  test('never runs more than it may, and runs all that it took', async () => {
    const gate = gateOf(3, 100);
    let active = 0;
    let most = 0;
    const work = async (number: number): Promise<number> => {
      most = Math.max(most, ++active);
      await Bun.sleep(0);
      active--;
      return number;
    };
    const numbers = await Promise.all(Array.from({ length: 50 }, (_, number) => gate.run(() => work(number))));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, number) => number));
    expect(most).toBe(3);
  });

  test('work that fails gives its place back', async () => {
    const gate = gateOf(1, 0);
    for (let round = 0; round < 3; round++)
      await expect(gate.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await gate.run(async () => 'done')).toBe('done');
  });

  test('turns away what finds the queue full', async () => {
    const gate = gateOf(1, 1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = gate.run(() => promise);
    const second = gate.run(async () => 'second');
    await expect(gate.run(async () => 'third')).rejects.toThrow('full');
    resolve('first');
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });
});
