import type { Query } from '../../database.ts';
import { type NumberedTable, numberColumn } from '../../engine/appended-row.ts';

/**
 * How readers of a numbered table know that no lower number comes any more, without writers waiting for each other.
 *
 * Transactions number their rows by a sequence, so one that has drawn an earlier number may commit later. Right before it draws, in
 * the same statement, each takes a shared advisory lock, which nobody waits for, whose key is the last number drawn by then: all of
 * its own are greater. The server releases the lock after the commit is visible (`CommitTransaction`, also of a prepared
 * transaction).
 *
 * A reader asks for the last number drawn, then for the keys that are held: that order is what `settledNumber` depends on. Let a
 * row's number be at most the result. Its transaction had drawn it, and so had taken its lock, before the reader asked for
 * the locks. Had it still held that, the key, which is below the number, would have been a bound. So it had ended, and a
 * statement that begins afterwards sees the row, unless it was rolled back. Readers go by such statements alone, in the order of
 * the numbers, and so miss nothing and see no order change.
 *
 * The events of one record are numbered in the order of its changes: rows are numbered when all other statements of a transaction have
 * been answered. A second change of a record waits until the first one's transaction has ended, by the lock on the row, and
 * is numbered after that. The same holds for any write that is sent after another was acknowledged. Numbers of transactions that
 * ran at the same time and wrote different records may differ from the order of their commits, which nobody can observe.
 *
 * Only transactions that write to this table, and only between their last statement and the end of their commit, hold readers back:
 * not the snapshot of a backup, nor what others run on the server. Nothing is stored but the numbers themselves, so a restored or
 * copied table, or one on another primary, needs nothing else.
 */
export const lockingNumbers = (table: NumberedTable): string =>
  `SELECT pg_advisory_xact_lock_shared(${lockClass(table)}::int, (${low(lastNumber(table))})::int)`;

/** Row `settled`, as above. For a statement of its own outside of any transaction, on the primary. */
export function settledNumber(table: NumberedTable): Query {
  const distance = low('objid::bigint - last.number');
  return {
    // The subquery refers to the number, so that it cannot run before that is read.
    sql: `WITH last AS MATERIALIZED (SELECT ${lastNumber(table)} AS number)
      SELECT least(last.number, (SELECT min(last.number + ${distance}) ${holders(table)})) AS settled FROM last`,
    parameters: [],
  };
}

/** Row `seconds`: for how long the oldest transaction that holds readers back has run, null for none; `pid` is its server process. */
export function oldestNumbering(table: NumberedTable): Query {
  return {
    sql: `SELECT locks.pid, extract(epoch FROM clock_timestamp() - activity.xact_start)::float8 AS seconds
      FROM (SELECT pid ${holders(table)}) AS locks LEFT JOIN pg_stat_activity AS activity USING (pid)
      ORDER BY activity.xact_start NULLS FIRST LIMIT 1`,
    parameters: [],
  };
}

/** "rect" in letters of ASCII: keys of other programs, which may also begin with the number of a table, are others. */
const mark = 0x72656374;

const lockClass = ({ name }: NumberedTable): string => `('${name}'::regclass::oid::int # ${mark})`;

const holders = (table: NumberedTable): string => `FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = ${lockClass(table)}::oid`;

/** The last number that was drawn, by anyone. The function, unlike a SELECT, leaves no mark that transactions conflict by. */
function lastNumber(table: NumberedTable): string {
  const sequence = `${table.name}_${numberColumn(table)}_seq`;
  // Null before the first draw: then what the sequence begins with.
  return `coalesce(pg_sequence_last_value('${sequence}'::regclass), (SELECT last_value - 1 FROM ${sequence}))`;
}

/** The low 32 bits of a bigint, as a signed number: keys have no more, and numbers that are compared are not as far apart. */
const low = (number: string): string => `(((${number}) & 4294967295) # 2147483648) - 2147483648`;
