import { SQL } from 'bun';

/**
 * What can be done about a failed statement:
 * - `lost`: the connection broke under it. What it did is undone, unless it was a COMMIT; another connection may serve.
 * - `conflict`: the transaction met another one and is undone; run again, it sees what the other has done.
 * - `clash`: a constraint or a table of the same name that was not there when the transaction looked, so that either it
 *   met another one, or it always fails. One more run decides.
 * - `stale`: the connection had planned the statement before a table changed. It makes a new plan the next time.
 */
export type Failure = 'lost' | 'conflict' | 'clash' | 'stale';

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html); class 08 besides. */
const states: Readonly<Record<string, Failure>> = {
  // The server ends sessions: shutdown, crash of another one, time limits of sessions and transactions.
  '57P01': 'lost',
  '57P02': 'lost',
  '57P05': 'lost',
  '25P03': 'lost',
  '25P04': 'lost',
  // Serialization failure, deadlock.
  '40001': 'conflict',
  '40P01': 'conflict',
  // "cached plan must not change result type": the only one of this kind that statements of ours can meet.
  '0A000': 'stale',
  // Uniqueness, references; tables, columns, types and indexes that two processes make at once.
  '23505': 'clash',
  '23503': 'clash',
  '42P07': 'clash',
  '42701': 'clash',
  '42710': 'clash',
};

const lostCodes: ReadonlySet<string> = new Set([
  'ERR_POSTGRES_CONNECTION_CLOSED',
  'ERR_POSTGRES_IDLE_TIMEOUT',
  'ERR_POSTGRES_LIFETIME_TIMEOUT',
]);

/** Undefined where nothing but the caller can do anything about it. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof SQL.PostgresError)) return undefined;
  const state = error.errno;
  if (state === undefined) return lostCodes.has(error.code) ? 'lost' : undefined;
  return state.startsWith('08') ? 'lost' : states[state];
}
