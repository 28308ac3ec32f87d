import type { RawBuilder } from 'kysely';

/** Which part of the log to read. */
export interface EventRange {
  /** Events behind this number; null: from the newest one back. */
  readonly after: number | null;
  /** Events ahead of this number. */
  readonly before?: number | undefined;
  /** Events up to this number, which has been settled before. Default: up to the last one that is settled. */
  readonly through?: number | undefined;
  /** At most so many. */
  readonly limit: number;
  /** Further conditions on the columns of the table. */
  readonly where?: readonly RawBuilder<unknown>[];
}
