/** English texts of the building blocks. */
export const ui = {
  close: 'Close',
  cancel: 'Cancel',
  confirm: 'Confirm',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  retry: 'Try again',
  errorTitle: 'This could not be loaded',
  required: 'required',
  noMatch: 'Nothing found',
  loading: 'Loading…',
  showOptions: 'Show options',
  justNow: 'just now',
} as const;
