import { english } from '../english.ts';

/** English texts of the board. */
export const board = english('board', {
  moved: '{title} is now “{status}”.',
  move: 'Move {title}',
  moveTo: 'Move to',
  help: 'Drag a card to another column, press Alt with ← or → at it, or use its menu.',
  more: 'Show more',
  moreOf: 'Show more: {status}',
  empty: 'Nothing here',
  needsRoles: 'This stays where it is: only the role {roles} moves it from “{from}” to “{to}”.',
  needsAdmin: 'This stays where it is: only an administrator moves it from “{from}” to “{to}”.',
  needsPublish: 'This stays where it is: your role does not publish, nor take back what is published.',
  noWay: 'This stays where it is: “{from}” is not changed any more.',
  otherWay: 'This stays where it is: what is “{from}” does not become “{to}” at once, but {next}.',
  onlyRoles: 'Only for {roles}',
  onlyPublishers: 'Your role does not publish',
  notFromHere: 'Not from where it is',
  undoneBut: {
    one: 'Undone, but for one record that has been changed since: {titles}',
    other: 'Undone, but for {count} records that have been changed since: {titles}',
  },
} as const);
