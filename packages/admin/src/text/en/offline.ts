import { english } from '../english.ts';

/** English texts of what is shown while the service cannot be reached. */
export const offline = english('offline', {
  title: 'The service cannot be reached',
  text: 'This page tries again by itself, and goes on once there is a connection.',
  again: 'Try again',
  trying: 'Trying…',
  still: 'There is still no connection.',
  writing: 'What you were writing',
  writingText: 'This browser keeps what is not saved yet. The form offers it once the service can be reached.',
  untitled: 'Untitled',
  kept: '{type}, {when}',
  empty: 'Empty',
  none: 'Nothing that you wrote in this browser waits to be saved.',
} as const);
