import { measureHooks } from '../hooks.ts';
import { type Comparison, median } from '../paired-rounds.ts';
import type { Section } from '../section.ts';
import { measurePostgresSpeed, measureSpeed } from '../speed.ts';
import { fixed, table, whole } from '../table.ts';

const head = [
  'operation',
  'requests/s',
  'limit',
  'ratio',
  'min–max',
  'asked',
  'p50 ms',
  'p99 ms',
  'processor µs (limit)',
  'MiB',
];

const speedOf = (measure: typeof measureSpeed, section: Omit<Section, 'run'>): Section => ({
  ...section,
  run: async (effort, keep) => {
    const figures = await measure(effort.quick ? 10_000 : 100_000, effort, keep);
    return { figures, text: table(head, figures.map(row)) };
  },
});

/** Compares each operation with a bare program that does the same work. */
export const speedSection = speedOf(measureSpeed, {
  name: 'speed',
  title: 'each operation against a bare program, SQLite',
  minutes: { quick: 1, whole: 4 },
});
export const postgresSpeedSection = speedOf(measurePostgresSpeed, {
  name: 'speed-postgres',
  title: 'the same on PostgreSQL',
  minutes: { quick: 1, whole: 4 },
  needs: { postgres: true },
});

export const hooksSection = speedOf(measureHooks, {
  name: 'hooks',
  title: 'creates with an empty folder of hooks against none',
  minutes: { quick: 1, whole: 1 },
});

const row = ({ operation, target, ours, limit, ratios }: Comparison): readonly string[] => [
  operation,
  whole(ours.requestsPerSecond),
  whole(limit.requestsPerSecond),
  fixed(median(ratios)),
  `${fixed(Math.min(...ratios))}–${fixed(Math.max(...ratios))}`,
  fixed(target),
  fixed(ours.p50),
  fixed(ours.p99),
  `${fixed(ours.microseconds, 1)} (${fixed(limit.microseconds, 1)})`,
  whole(ours.mebibytes),
];
