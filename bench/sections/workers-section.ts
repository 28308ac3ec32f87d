import type { Section } from '../section.ts';
import { fixed, table, whole } from '../table.ts';
import { measureWorkers, type WorkersComparison } from '../workers.ts';

const head = ['workers', 'one: requests/s', 'p99 ms', 'two: requests/s', 'p99 ms', 'with cores of their own', 'MiB'];

/** Two workers against one. */
export const workersSection: Section = {
  name: 'workers',
  title: 'two workers against one',
  minutes: { quick: 0.8, whole: 2.5 },
  run: async (effort) => {
    // More connections than elsewhere: the kernel distributes them at random, and few would be distributed unequally.
    const figures = await measureWorkers(2, { ...effort, connections: 128 });
    return { figures, text: table(head, figures.map(row)) };
  },
};

const row = ({ operation, one, p99One, many, p99Many, ratio, ...memory }: WorkersComparison): readonly string[] => [
  operation,
  whole(one),
  fixed(p99One),
  whole(many),
  fixed(p99Many),
  ratio === null ? '' : `${fixed(ratio)}×`,
  `2 × ${whole(memory.workerMebibytes)} + ${whole(memory.supervisorMebibytes)}`,
];
