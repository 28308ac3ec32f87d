import { Problem, unavailable } from '../base/problem.ts';
import type { DatabaseFault } from './dialect.ts';

/** An error of the database itself, which no change of the request would fix. */
export type Outage = Exclude<DatabaseFault['kind'], 'unique' | 'reference' | 'too_large'>;

const problems: Readonly<Record<Outage, readonly [code: string, detail: string]>> = {
  busy: ['database_busy', 'The database is busy. Try again in a moment.'],
  full: ['storage_full', 'There is no room left to store anything.'],
  read_only: ['storage_read_only', 'The database cannot be written to at present.'],
  damaged: ['storage_failed', 'The database cannot be read or written at present.'],
  unreachable: ['storage_failed', 'The database cannot be reached at present.'],
};

/** Of what a request asks for, only a filter makes a statement so large. */
const filterTooLarge = (cause: unknown) =>
  new Problem(
    400,
    'invalid_filter',
    'The filter is too large for the database: compare fewer or shorter paths, or include less.',
    {
      position: 1,
      cause,
    },
  );

/** The 503 for a caller where the database itself fails, the 400 where it does not read so large a statement; any other error as it is. */
export function outageProblem(fault: DatabaseFault | undefined, error: unknown): unknown {
  if (fault === undefined || fault.kind === 'unique' || fault.kind === 'reference') return error;
  if (fault.kind === 'too_large') return filterTooLarge(error);
  return unavailable(...problems[fault.kind], error);
}

/** What has failed beside the statements, as a caller is given it. */
export const storageFailed = (error: unknown) => unavailable(...problems.damaged, error);

/** Where only what is kept for deletes is left of a disk. */
export const roomKept = () =>
  unavailable('storage_full', 'There is too little room left to store more. Records can be deleted.');

/** A read that has waited, or has run, for too long. */
export const readTimedOut = (cause?: unknown) =>
  unavailable('read_timeout', 'The database took too long to answer. Ask for less at once, or try again later.', cause);

export const shuttingDown = () => unavailable('shutting_down', 'The service is shutting down.');
