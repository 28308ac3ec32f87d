import { growth, measureScale, type ScaleDatabase, type ScaleFigure, scaleOperations } from '../scale.ts';
import type { Section } from '../section.ts';
import { fixed, table, whole } from '../table.ts';

const scaleOf = (database: ScaleDatabase, head: Omit<Section, 'run'>): Section => ({
  ...head,
  run: async ({ quick }, keep) => {
    const sizes = quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
    const figures: ScaleFigure[] = [];
    for (const size of sizes) {
      figures.push(...(await measureScale[database](size, { rounds: quick ? 1 : 3, seconds: 1, connections: 1 })));
      await keep(figures);
    }
    return { figures, text: text(figures, database, sizes) };
  },
});

/** How latency grows with the number of records. Both fill a database from the same SQLite file. */
export const scaleSection = scaleOf('SQLite', {
  name: 'scale',
  title: 'latency by the number of records, SQLite',
  minutes: { quick: 0.8, whole: 8.5 },
  needs: { gibibytes: 6 },
});
export const postgresScaleSection = scaleOf('PostgreSQL', {
  name: 'scale-postgres',
  title: 'the same on PostgreSQL',
  minutes: { quick: 0.8, whole: 10 },
  needs: { postgres: true, gibibytes: 8 },
});

function text(figures: readonly ScaleFigure[], database: ScaleDatabase, sizes: readonly number[]): string {
  const head = [`${database}: p50 (p99) in ms, one client`, ...sizes.map((size) => `${whole(size)} records`), 'growth'];
  const rows = scaleOperations.map((name) => {
    const grown = growth(figures, name);
    return [
      name,
      ...sizes.map((size) => {
        const found = figures.find(({ operation, records }) => operation === name && records === size);
        return found === undefined ? '' : `${milliseconds(found.p50)} (${milliseconds(found.p99)})`;
      }),
      grown === undefined ? '' : fixed(grown),
    ];
  });
  return table(head, rows);
}

const milliseconds = (value: number): string => (value < 10 ? fixed(value, 3) : whole(value));
