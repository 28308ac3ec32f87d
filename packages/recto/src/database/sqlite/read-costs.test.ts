import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ReadCosts } from './read-costs.ts';

class Scene {
  now = 0;
  readonly costs = new ReadCosts(() => this.now);

  /** Runs a statement where it belongs; true: inline. */
  run(sql: string, milliseconds: number, bounded = false): boolean {
    const inline = this.costs.isQuick(sql, bounded);
    this.now += milliseconds;
    this.costs.took(sql, milliseconds, { bounded, inline });
    return inline;
  }

  /** How often it runs in a thread before it runs inline. */
  trials(sql: string): number {
    let trials = 0;
    while (!this.run(sql, 1)) trials += 1;
    return trials;
  }
}

describe('a statement', () => {
  test('that has not run is quick only where it has little to read', () => {
    const { costs } = new Scene();
    expect([costs.isQuick('list', false), costs.isQuick('get', true)]).toEqual([false, true]);
  });

  test('is quick after several quick runs in a row', () => {
    const scene = new Scene();
    for (let time = 0; time < 5; time += 1) scene.run('list', 1);
    scene.run('list', 4);
    expect(scene.trials('list')).toBe(8);
  });

  test('that was slow inline runs in threads for a time, however quick it is there', () => {
    const scene = new Scene();
    scene.trials('list');
    expect(scene.run('list', 4)).toBe(true);
    const slowAt = scene.now;
    scene.trials('list');
    expect(scene.now - slowAt).toBeGreaterThanOrEqual(4 * 20);
    expect(scene.now - slowAt).toBeLessThan(4 * 20 + 10);
  });

  test('that was slow after a time in threads must be quick several times in a row again', () => {
    const scene = new Scene();
    scene.trials('list');
    scene.run('list', 4);
    scene.now += 10_000;
    expect(scene.trials('list')).toBe(8);
  });

  test('with little to read is no longer quick after a slow run', () => {
    const scene = new Scene();
    const runs = [1, 50, 1].map((milliseconds) => scene.run('get', milliseconds, true));
    expect(runs).toEqual([true, true, false]);
  });

  test('is as long as its last run was', () => {
    const scene = new Scene();
    const durations = [100, 1].map((milliseconds) => {
      scene.run('list', milliseconds);
      return scene.costs.duration('list');
    });
    expect([scene.costs.duration('other'), ...durations]).toEqual(['unknown', 'long', 'brief']);
  });
});

test('after a stall no other list is quick for a time; what has little to read still is', () => {
  const scene = new Scene();
  scene.trials('other');
  scene.trials('list');
  scene.run('get', 1, true);
  scene.run('list', 100);
  expect([scene.costs.isQuick('other', false), scene.costs.isQuick('get', true)]).toEqual([false, true]);
  scene.now += 100 * 200;
  expect(scene.costs.isQuick('other', false)).toBe(true);
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
