import { expect, test } from 'bun:test';
import { settingTable } from '../config/setting-table.ts';
import { stopLimits } from './stop-limits.ts';

test('a stop takes 5 seconds at most, if the settings do not say otherwise', () => {
  expect(stopLimits({ stopTimeoutSecs: settingTable.stopTimeoutSecs.default })).toEqual({
    workerMs: 4_600,
    processMs: 4_800,
  });
});

test('running requests have all of the time that the settings give them', () => {
  for (const stopTimeoutSecs of [1, 30, 3_600]) {
    const { workerMs, processMs } = stopLimits({ stopTimeoutSecs });
    expect(workerMs).toBeGreaterThan(stopTimeoutSecs * 1_000);
    expect(processMs).toBeGreaterThan(workerMs);
  }
});
