import { Problem, unavailable } from '../base/problem.ts';

/** 507: nothing has been stored. */
export const storageFull = (cause: unknown): Problem =>
  new Problem(507, 'storage_full', 'There is no space left for files. Nothing was stored.', { cause });

/** 503: nothing has been stored. */
export const storageUnavailable = (cause: unknown): Problem =>
  unavailable('storage_unavailable', 'The storage for files cannot be used at the moment.', cause);

/** The `code` of an error of the system or of a client. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
