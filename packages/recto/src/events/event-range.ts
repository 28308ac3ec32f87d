import type { RawBuilder } from 'kysely';

/** Which part of the log to read. */
export interface EventRange {
  /** Events behind this number. */
  readonly after: number;
  /** At most so many. */
  readonly limit: number;
  /** Further conditions on the columns of the table. */
  readonly where?: readonly RawBuilder<unknown>[];
}
