import { english } from '../english.ts';

/** English texts of the area "list". */
export const list = english('list', {
  newRecord: 'New {name}',
  createFirst: 'Create the first one',
  languages: 'Languages',
  search: 'Search',
  all: 'All',
  statuses: 'By status',
  scheduled: 'Scheduled',
  scheduledFor: 'Scheduled for {time}',
  unknownType: 'There is no content type at this address.',
  unknownTypeTitle: 'Not found',

  // Columns
  columns: 'Columns',
  sortBy: 'Sort by {label}',
  'layouts.table': 'Table',
  'layouts.cards': 'Cards',
  'layouts.board': 'Board',
  'densities.compact': 'Compact',
  'densities.normal': 'Normal',
  'densities.roomy': 'Roomy',

  // Filter
  filter: 'Filter',
  clearFilters: 'Clear filters',
  yes: 'yes',
  no: 'no',
  opEmpty: 'is empty',

  // Views
  views: 'Views',
  viewNamed: 'View: {name}',
  viewChanged: 'View: {name} (changed)',
  deleteViewTitle: 'Delete the view “{name}”?',
  deleteOwnView: 'This cannot be undone.',
  deleteSharedView: 'Everyone who uses it loses it. This cannot be undone.',
  viewDeleted: 'The view “{name}” is deleted.',

  // Selection and actions
  news: { one: '{count} new: show it', other: '{count} new: show them' },
  selectAll: 'Select all',
  selectRow: 'Select {title}',
  delete: 'Delete',
  tooManyFound: 'At most 10,000 records can be changed one by one. Use a filter, or search for more words.',
  undo: 'Undo',
  jobFailed: {
    one: '{count} record could not be changed: {reason}',
    other: '{count} records could not be changed. The first: {reason}',
  },

  // Pages
  pages: 'Pages',
  range: '{first}–{last} of {total}',
  rangeOpen: '{first}–{last}',
  about: 'about {total}',
  moreThan: 'more than {total}',
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  lastPage: 'Last page',

  // States
  emptyTitle: 'No {type} yet',
  emptyText: 'What you create here is served at {address}.',
  noResultTitle: 'Nothing matches',
  noResultText: 'No record matches this search and these filters.',
  noDeletedTitle: 'Nothing is deleted',
  noDeletedText: 'Deleted records stay here until they are restored or deleted permanently.',
  forbiddenTitle: 'You may not see these records',
  forbiddenText: 'Ask an admin for access.',
  filterErrorTitle: 'This filter does not work',
  asOf: 'As of',
  editFilter: 'Edit the filter',
  showDeleted: 'Deleted',
  hideDeleted: 'Back to all',
  deletedTitle: '{type}: deleted',
  noTitle: 'Untitled',
  missing: 'Not available',
  none: '–',
  me: 'Me',
  items: { one: '{count} item', other: '{count} items' },
  more: 'More',

  // Trees and manual order
  moveHelp:
    'Alt and the up and down arrows move a record among its neighbours; in a tree, Alt and the left and right arrows move it a level out or in.',
  movedTo: '{title} is now number {position}.',
  manualOrder: 'Ordered by hand',
} as const);
