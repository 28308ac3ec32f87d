import { english } from '../english.ts';

/** English texts of the building blocks. */
export const ui = english('ui', {
  close: 'Close',
  cancel: 'Cancel',
  confirm: 'Confirm',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  retry: 'Try again',
  errorTitle: 'This could not be loaded',
  required: 'required',
  apiAddress: 'Address in the API:',
  noMatch: 'Nothing found',
  loading: 'Loading…',
  showOptions: 'Show options',
  justNow: 'just now',
  range: '{first}–{last} of {total}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  copy: 'Copy {name}',
  copied: '{name} copied',
  notCopied: 'This browser does not let the page copy.',
  copySelected: 'Selected: press Ctrl+C to copy',
  unsavedTitle: 'Unsaved changes',
  unsavedText: 'What you changed on this page is not saved.',
  leave: 'Leave without saving',
} as const);
