import { english } from '../english.ts';

/** English texts of content in several languages. */
export const languages = english('languages', {
  switch: 'Language: {language}',
  complete: 'Complete',
  none: 'Nothing yet',
  missing: 'Missing: {fields}',
  more: '{fields} and {count} more',
  source: 'Source',
  outdated: '{source} has changed since',
  unknown: 'Could not be read',

  bandComplete: 'Nothing is missing',
  bandClosed: 'Your role does not write in {language}.',
  bandPublic: 'This record is published: what you save in {language} is public at once.',
  compare: 'Compare with',
  beside: 'Side by side',
  copy: 'Copy from {source}',
  copyEmpty: 'Fill the empty fields',
  copyAll: 'Replace all fields',
  copied: {
    one: '{count} field is copied. Save it when it is right.',
    other: '{count} fields are copied. Save them when they are right.',
  },
  nothingToCopy: 'There is nothing to copy.',
  remove: 'Remove {language}',
  removeTitle: 'Remove {language}?',
  removeText: 'What this record says in {language} is removed: {fields}. The other languages stay as they are.',
  removeKept:
    'What this record says in {language} is removed: {fields}. The other languages stay as they are, and earlier revisions keep it.',
  removed: '{language} is removed.',

  shared: 'Shared by all languages.',
  editShared: 'Edit in {language}',
  editSharedLabel: 'Edit in {language}: {field}',
  inSource: '{field} in {source}',
  emptyInSource: 'Empty in {source}',
  copyField: 'Copy',
  copyFieldLabel: 'Copy {field} from {source}',

  listIn: 'Language: {language}',
  listShow: 'Shown in',
  listMissing: 'Only records that say nothing in',
  listAll: 'All records',
  listMissingIn: 'Missing in {language}',
  listMissingEnd: 'Show all records',

  progress: 'Translations',
  progressOf: '{done} of {total}',
  progressMissing: '{count} missing',
  progressLabel: '{type}, {language}: {count} missing',
} as const);
