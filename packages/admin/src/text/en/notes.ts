import { english } from '../english.ts';

/** English texts of notes on records. */
export const notes = english('notes', {
  title: 'Notes',
  close: 'Close the notes',
  none: 'No open notes.',
  record: 'The whole record',
  about: 'About: {place}',
  aboutRecord: 'About the whole record instead',
  new: 'New note',
  write: 'Write note',
  reply: 'Reply',
  resolve: 'Resolve',
  reopen: 'Reopen',
  resolved: { one: 'One resolved thread', other: '{count} resolved threads' },
  edit: 'Edit',
  change: 'Change the note',
  changed: 'edited',
  mention: 'Mention somebody',
  mentioned: 'Mentioned',
  removeMention: 'Do not mention {name}',
  mentions: 'For {names}',
  nobody: 'Nobody has this name.',
  go: 'Go to {place}',
});
