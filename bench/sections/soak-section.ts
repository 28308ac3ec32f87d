import type { Section } from '../section.ts';
import { measureSoak } from '../soak.ts';
import { fixed, table, whole } from '../table.ts';

const head = [
  'soak',
  'requests of the mix',
  'requests/s',
  'processors',
  'unexpected answers',
  'MiB first',
  'half-way',
  'last',
  'most',
  'MiB a minute',
];

/** Resident memory of one process under full load, over time. */
export const soakSection: Section = {
  name: 'soak',
  run: async ({ quick, connections }) => {
    const seconds = quick ? 20 : 600;
    const figures = await measureSoak({
      seconds,
      clients: connections,
      articles: quick ? 1_000 : 10_000,
      notes: 2_000,
    });
    const memory = figures.samples.map(({ value }) => value);
    const at = (share: number) => whole(memory[Math.floor((memory.length - 1) * share)] ?? Number.NaN);
    const row = [
      `${whole(figures.seconds)} s`,
      whole(figures.requests),
      whole(figures.requestsPerSecond),
      fixed(figures.processors),
      whole(figures.unexpected),
      ...[at(0), at(0.5), at(1), whole(Math.max(...memory))],
      `${fixed(figures.slope)} ± ${fixed(figures.slopeError)}`,
    ];
    return { figures, text: table(head, [row]) };
  },
};
