import { isInvalid, RectoError } from '@recto/client';

/** What a failed call means for the person who reads the page. */
export function messageOf(error: unknown): string {
  if (!(error instanceof RectoError)) return 'Something went wrong.';
  if (error.is('offline') || error.is('timeout')) return 'The blog cannot be reached at the moment.';
  return isInvalid(error) ? error.errors.map(({ message }) => message).join(' ') : error.message;
}

/** The status of a page that shows such a message. */
export const statusOf = (error: unknown): number =>
  error instanceof RectoError && error.status > 0 ? error.status : 503;
