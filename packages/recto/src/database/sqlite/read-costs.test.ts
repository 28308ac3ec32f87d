import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ReadCosts } from './read-costs.ts';

class Scene {
  now = 0;
  readonly costs = new ReadCosts(() => this.now);

  /** Runs a statement where it belongs; true: where others wait. */
  run(sql: string, milliseconds: number, bounded = false): boolean {
    const trusted = this.costs.isTrusted(sql, bounded);
    this.now += milliseconds;
    this.costs.took(sql, milliseconds, { bounded, trusted });
    return trusted;
  }

  /** How often it runs elsewhere before it is trusted. */
  trials(sql: string): number {
    let trials = 0;
    while (!this.run(sql, 1)) trials += 1;
    return trials;
  }
}

describe('a statement', () => {
  test('that nobody knows is not trusted, but where there is little to read', () => {
    const { costs } = new Scene();
    expect([costs.isTrusted('list', false), costs.isTrusted('get', true)]).toEqual([false, true]);
    expect(costs.expected('list')).toBeUndefined();
  });

  test('is trusted when it has been quick several times in a row', () => {
    const scene = new Scene();
    for (let time = 0; time < 5; time += 1) scene.run('list', 1);
    scene.run('list', 4);
    expect(scene.trials('list')).toBe(8);
  });

  test('that is slow where others wait has more to prove each time', () => {
    const scene = new Scene();
    const trials = [1, 2, 3].map(() => {
      const needed = scene.trials('list');
      expect(scene.run('list', 4)).toBe(true);
      return needed;
    });
    expect(trials).toEqual([8, 64, 512]);
  });

  test('that has been quick for long is trusted after one that was slow, and not after two', () => {
    const scene = new Scene();
    for (let time = 0; time < 1_200; time += 1) scene.run('list', 1);
    expect([4, 1, 4, 1].map((milliseconds) => scene.run('list', milliseconds))).toEqual([true, true, true, false]);
  });

  test('with little to read loses trust as well', () => {
    const scene = new Scene();
    expect([scene.run('get', 1, true), scene.run('get', 50, true), scene.run('get', 1, true)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is expected to take what it took, and less when it has been quick since', () => {
    const scene = new Scene();
    scene.run('search', 100);
    expect(scene.costs.expected('search')).toBe(100);
    for (let time = 0; time < 20; time += 1) scene.run('search', 1);
    expect(scene.costs.expected('search')).toBeLessThan(2);
  });
});

test('a stall ends trust in other lists for a time, and not in what has little to read', () => {
  const scene = new Scene();
  scene.trials('other');
  scene.trials('list');
  scene.run('get', 1, true);
  scene.run('list', 100);
  expect([scene.costs.isTrusted('other', false), scene.costs.isTrusted('get', true)]).toEqual([false, true]);
  scene.now += 100 * 200;
  expect(scene.costs.isTrusted('other', false)).toBe(true);
});

test('whatever is asked in whatever order, stalls are a small part of the time', () => {
  const request = fc.record({ statement: fc.nat(40), quick: fc.nat(30), slow: fc.integer({ min: 15, max: 2000 }) });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
      const scene = new Scene();
      const stalls: number[] = [];
      for (const { statement, quick, slow } of requests) {
        const sql = `list ${statement}`;
        for (let time = 0; time < quick; time += 1) scene.run(sql, 0.5);
        if (scene.run(sql, slow)) stalls.push(slow);
      }
      // The last one has just been.
      const past = stalls.slice(0, -1).reduce((sum, stall) => sum + stall, 0);
      expect(past * 200).toBeLessThanOrEqual(scene.now);
    }),
  );
});
