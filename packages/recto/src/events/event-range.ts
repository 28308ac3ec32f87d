import type { RawBuilder } from 'kysely';

/** Which part of the log to read. */
export interface EventRange {
  /** Events behind this number; null: from the newest one back. */
  readonly after: number | null;
  /** Events ahead of this number. */
  readonly before?: number | undefined;
  /** At most so many. */
  readonly limit: number;
  /** Further conditions on the columns of the table. */
  readonly where?: readonly RawBuilder<unknown>[];
}
