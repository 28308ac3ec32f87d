import {
  growth,
  measureScale,
  type ScaleDatabase,
  type ScaleFigure,
  scaleDatabases,
  scaleOperations,
} from '../scale.ts';
import type { Section } from '../section.ts';
import { fixed, table, whole } from '../table.ts';

/** How latency grows with the number of records, on both databases. */
export const scaleSection: Section = {
  name: 'scale',
  run: async ({ quick }) => {
    const sizes = quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
    const figures: ScaleFigure[] = [];
    for (const size of sizes) {
      figures.push(...(await measureScale(size, { rounds: quick ? 1 : 3, seconds: 1, connections: 1 })));
    }
    return { figures, text: scaleDatabases.map((database) => text(figures, database, sizes)).join('\n\n') };
  },
};

function text(figures: readonly ScaleFigure[], database: ScaleDatabase, sizes: readonly number[]): string {
  const head = [`${database}: p50 (p99) in ms, one client`, ...sizes.map((size) => `${whole(size)} records`), 'growth'];
  const rows = scaleOperations.map((name) => {
    const grown = growth(figures, database, name);
    return [
      name,
      ...sizes.map((size) => {
        const found = figures.find(
          ({ database: of, operation, records }) => of === database && operation === name && records === size,
        );
        return found === undefined ? '' : `${milliseconds(found.p50)} (${milliseconds(found.p99)})`;
      }),
      grown === undefined ? '' : fixed(grown),
    ];
  });
  return table(head, rows);
}

const milliseconds = (value: number): string => (value < 10 ? fixed(value, 3) : whole(value));
