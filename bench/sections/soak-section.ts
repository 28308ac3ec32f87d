import type { Section } from '../section.ts';
import { type MemorySample, measurePostgresSoak, measureSoak, type SoakFigures } from '../soak.ts';
import { fixed, table, whole } from '../table.ts';

const head = [
  'soak',
  'requests of the mix',
  'requests/s',
  'processors',
  'unexpected answers',
  'resident MiB first',
  'half-way',
  'last',
  'most',
  'anonymous first',
  'half-way',
  'last',
  'most',
  'mapped: least–most',
  'cached answers: most',
  'anonymous MiB a minute in the second half',
];

const soakOf = (measure: typeof measureSoak, section: Omit<Section, 'run'>): Section => ({
  ...section,
  run: async ({ quick, connections }) => {
    const [seconds, articles] = quick ? [20, 1_000] : [600, 10_000];
    const figures = await measure({ seconds, clients: connections, articles, notes: 2_000 });
    return { figures, text: table(head, [row(figures)]) };
  },
});

/** Memory of one process under full load, over time. */
export const soakSection = soakOf(measureSoak, {
  name: 'soak',
  title: 'memory of one process under full load, SQLite',
  minutes: { quick: 0.5, whole: 10.5 },
});
export const postgresSoakSection = soakOf(measurePostgresSoak, {
  name: 'soak-postgres',
  title: 'the same on PostgreSQL',
  minutes: { quick: 0.7, whole: 11 },
  needs: { postgres: true },
});

function row(figures: SoakFigures): readonly string[] {
  const of = (pick: (sample: MemorySample) => number): readonly number[] => figures.samples.map(pick);
  const mapped = of(({ mapped }) => mapped);
  return [
    `${whole(figures.seconds)} s`,
    whole(figures.requests),
    whole(figures.requestsPerSecond),
    fixed(figures.processors),
    whole(figures.unexpected),
    ...course(of(({ total }) => total)),
    ...course(of(({ anonymous }) => anonymous)),
    `${whole(Math.min(...mapped))}–${whole(Math.max(...mapped))}`,
    fixed(Math.max(...of(({ cached }) => cached)), 1),
    `${fixed(figures.slope)} ± ${fixed(figures.slopeError)}`,
  ];
}

/** At first, half-way, at last, and the most. */
function course(memory: readonly number[]): readonly string[] {
  const at = (share: number): number => memory[Math.floor((memory.length - 1) * share)] ?? Number.NaN;
  return [at(0), at(0.5), at(1), Math.max(...memory)].map(whole);
}
