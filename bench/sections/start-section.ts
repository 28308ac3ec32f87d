import { measureManyTypes } from '../many-types.ts';
import { type Comparison, median } from '../paired-rounds.ts';
import type { Section } from '../section.ts';
import { measureStart, type StartFigures } from '../starting.ts';
import { fixed, table, whole } from '../table.ts';

const head = ['start to first answer', 'tables are made', 'later', 'memory after one second'];

/** Start and memory by the number of content types. */
export const startSection: Section = {
  name: 'start',
  title: 'start and memory by the number of types',
  minutes: { quick: 0.6, whole: 0.7 },
  run: async ({ quick }) => {
    const starts = quick ? 3 : 9;
    const figures = [
      await measureStart({ types: 50, fields: 6, starts }),
      await measureStart({ types: 50, fields: 6, starts, workers: 'auto' }),
      await measureStart({ types: 500, fields: 50, starts: 3 }),
    ];
    return { figures, text: table(head, figures.map(row)) };
  },
};

const row = ({ types, fields, workers, first, later, mebibytes }: StartFigures): readonly string[] => [
  `${types} types of ${fields} fields${workers === 'auto' ? ', a worker for each core' : ''}`,
  `${whole(first * 1000)} ms`,
  `${whole(later * 1000)} ms`,
  workers === 'auto' ? '' : `${whole(mebibytes)} MiB`,
];

const typesHead = ['500 types of 50 fields', 'processor µs', 'of 5 such types', 'requests/s, as a share', 'min–max'];

/** The cost of a request with many content types. */
export const typesSection: Section = {
  name: 'types',
  title: 'requests to a service of many types',
  minutes: { quick: 0.6, whole: 1.7 },
  run: async (effort) => {
    const figures = await measureManyTypes(500, 50, effort);
    return { figures, text: table(typesHead, figures.map(typesRow)) };
  },
};

const typesRow = ({ operation, ours, limit, ratios }: Comparison): readonly string[] => [
  operation,
  fixed(ours.microseconds, 1),
  fixed(limit.microseconds, 1),
  fixed(median(ratios)),
  `${fixed(Math.min(...ratios))}–${fixed(Math.max(...ratios))}`,
];
