import type { Section } from '../section.ts';
import { measurePostgresSoak, measureSoak, type SoakFigures } from '../soak.ts';
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
  'MiB a minute in the second half',
];

const soakOf = (name: string, measure: typeof measureSoak): Section => ({
  name,
  run: async ({ quick, connections }) => {
    const [seconds, articles] = quick ? [20, 1_000] : [600, 10_000];
    const figures = await measure({ seconds, clients: connections, articles, notes: 2_000 });
    return { figures, text: table(head, [row(figures)]) };
  },
});

/** Resident memory of one process under full load, over time. */
export const soakSection = soakOf('soak', measureSoak);
export const postgresSoakSection = soakOf('soak-postgres', measurePostgresSoak);

function row(figures: SoakFigures): readonly string[] {
  const memory = figures.samples.map(({ value }) => value);
  const at = (share: number) => whole(memory[Math.floor((memory.length - 1) * share)] ?? Number.NaN);
  return [
    `${whole(figures.seconds)} s`,
    whole(figures.requests),
    whole(figures.requestsPerSecond),
    fixed(figures.processors),
    whole(figures.unexpected),
    ...[at(0), at(0.5), at(1), whole(Math.max(...memory))],
    `${fixed(figures.slope)} ± ${fixed(figures.slopeError)}`,
  ];
}
