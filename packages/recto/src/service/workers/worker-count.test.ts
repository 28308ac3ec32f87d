import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorQuota, workerCount } from './worker-count.ts';

test('as many as are asked for', () => expect(workerCount({ workers: 7 })).toBe(7));

test('auto: at least one, and no more than there are cores', () => {
  const count = workerCount({ workers: 'auto' });
  expect(count).toBeGreaterThanOrEqual(1);
  expect(count).toBeLessThanOrEqual(availableParallelism());
});

test.each([
  ['max 100000\n', Number.POSITIVE_INFINITY],
  ['50000 100000\n', 1],
  ['200000 100000\n', 2],
  ['250000 100000\n', 3],
  ['nonsense', Number.POSITIVE_INFINITY],
])('a quota of %p', (text, processors) => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-'));
  try {
    const file = join(folder, 'cpu.max');
    writeFileSync(file, text);
    expect(processorQuota(file)).toBe(processors);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a system without quotas', () => expect(processorQuota('/nowhere/cpu.max')).toBe(Number.POSITIVE_INFINITY));
