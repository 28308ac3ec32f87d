import type { DatabaseFault } from '../dialect.ts';
import type { Outage } from '../outage-problem.ts';

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html), and the first two characters of whole classes. */
const outages: Readonly<Record<string, Outage>> = {
  '40001': 'busy', // serialization_failure
  '40P01': 'busy', // deadlock_detected
  '55P03': 'busy', // lock_not_available
  '57014': 'busy', // query_canceled: a time limit ran out
  '53100': 'full', // disk_full
  '25006': 'read_only', // read_only_sql_transaction
  '58030': 'damaged', // io_error
  XX: 'damaged', // internal_error, data_corrupted, index_corrupted
  '08': 'unreachable', // connection exceptions
  '53': 'unreachable', // insufficient_resources, such as too_many_connections
  '57': 'unreachable', // operator_intervention, such as admin_shutdown, cannot_connect_now
  '28': 'unreachable', // invalid_authorization_specification
};

/** What the runtime itself says of a connection (`Bun.SQL`), and the system below it. */
const lostConnection =
  /^(?:ERR_POSTGRES_(?:CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|TLS|UNEXPECTED_MESSAGE)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ConnectionRefused|FailedToOpenSocket)/;

interface ServerError {
  readonly sqlState: string;
  readonly table: string | undefined;
  readonly detail: string;
}

/** What a failed statement means; undefined when it is a bug. */
export function postgresFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const reported = serverError(error);
  if (reported === undefined) {
    return 'code' in error && lostConnection.test(String(error.code)) ? { kind: 'unreachable' } : undefined;
  }
  switch (reported.sqlState) {
    case '23505': // unique_violation
    case '23P01': // exclusion_violation
      return { kind: 'unique', table: reported.table ?? '', columns: keyColumns(reported.detail) };
    case '23503': // foreign_key_violation
      return { kind: 'reference', table: reported.table };
    case '54001': // statement_too_complex
      return { kind: 'too_large' };
    default: {
      const kind = outages[reported.sqlState] ?? outages[reported.sqlState.slice(0, 2)];
      return kind === undefined ? undefined : { kind };
    }
  }
}

/** `Bun.SQL` has the SQLSTATE in `errno` and the fields of the server's message beside it. */
function serverError(error: Error): ServerError | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...error };
  const state = 'errno' in error ? error.errno : undefined;
  if (typeof state !== 'string' || !/^[0-9A-Z]{5}$/.test(state)) return undefined;
  const { table, detail } = fields;
  return {
    sqlState: state,
    table: typeof table === 'string' ? table : undefined,
    detail: typeof detail === 'string' ? detail : '',
  };
}

/** `Key (slug, "sub-title")=(a, b) already exists.`, in whatever language the server speaks. */
function keyColumns(detail: string): readonly string[] {
  const key = /\((.+?)\)=\(/.exec(detail)?.[1];
  if (key === undefined) return [];
  return key.split(', ').map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name));
}
