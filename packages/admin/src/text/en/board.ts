import { english } from '../english.ts';

/** English texts of the board. */
export const board = english('board', {
  moved: '{title} is now “{status}”.',
  help: 'Drag a card to another column, or press Alt with ← or → at it.',
  limit: 'These are {shown} of {total} records: those of this page. A filter, or more records a page, shows others.',
} as const);
