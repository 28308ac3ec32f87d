import { growth, measureScale, type ScaleFigure } from '../scale.ts';
import type { Section } from '../section.ts';
import { fixed, table, whole } from '../table.ts';

/** How latency grows with the number of records. */
export const scaleSection: Section = {
  name: 'scale',
  run: async ({ quick }) => {
    const sizes = quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
    const figures: ScaleFigure[] = [];
    for (const size of sizes) {
      figures.push(...(await measureScale(size, { rounds: 3, seconds: quick ? 1 : 2, connections: 1 })));
    }
    return { figures, text: text(figures, sizes) };
  },
};

function text(figures: readonly ScaleFigure[], sizes: readonly number[]): string {
  const head = ['p50 (p99) in ms, one client', ...sizes.map((size) => `${whole(size)} records`), 'growth'];
  const names = [...new Set(figures.map(({ operation }) => operation))];
  const rows = names.map((name) => [
    name,
    ...sizes.map((size) => {
      const found = figures.find(({ operation, records }) => operation === name && records === size);
      return found === undefined ? '' : `${fixed(found.measured.p50, 3)} (${fixed(found.measured.p99, 2)})`;
    }),
    fixed(growth(figures, name)),
  ]);
  return table(head, rows);
}
