// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { periodicJob } from './job-kind.ts';
import { hourMs, worldOfEachTest } from './jobs.fixture.ts';

const open = worldOfEachTest();

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
