import { english } from '../english.ts';

/** English texts of the board. */
export const board = english('board', {
  moved: '{title} is now “{status}”.',
  help: 'Drag a card to another column, or press Alt with ← or → at it.',
  limit: 'These are {shown} of {total} records: those of this page. A filter, or more records a page, shows others.',
  undoneBut: {
    one: 'Undone, but for one record that has been changed since: {titles}',
    other: 'Undone, but for {count} records that have been changed since: {titles}',
  },
} as const);
