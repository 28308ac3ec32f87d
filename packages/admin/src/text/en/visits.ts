import { english } from '../english.ts';

/** English texts of what has changed since somebody was here. */
export const visits = english('visits', {
  new: 'New',
  changed: 'Changed',
  note: {
    one: 'One record has changed since your last visit, {when}.',
    other: '{count} records have changed since your last visit, {when}.',
  },
  show: 'Show them',
  showAll: 'Show all',
  seeAll: 'Mark all as seen',
  seen: 'All changes are marked as seen.',
} as const);
