import type { Section } from '../section.ts';
import { measureStart, type StartFigures } from '../starting.ts';
import { table, whole } from '../table.ts';

const head = ['start to first answer', 'tables are made', 'later', 'memory after one second'];

/** Start and memory by the number of content types. */
export const startSection: Section = {
  name: 'start',
  run: async ({ quick }) => {
    const figures = [await measureStart(50, 6, quick ? 3 : 9), await measureStart(quick ? 100 : 500, 50, 3)];
    return { figures, text: table(head, figures.map(row)) };
  },
};

const row = ({ types, fields, first, later, mebibytes }: StartFigures): readonly string[] => [
  `${types} types of ${fields} fields`,
  `${whole(first * 1000)} ms`,
  `${whole(later * 1000)} ms`,
  `${whole(mebibytes)} MiB`,
];
