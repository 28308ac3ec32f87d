import { SQL } from 'bun';

export interface ClientOptions {
  /** The most connections. */
  readonly connections: number;
  /** How long a statement may take before the server gives it up, unless the URL says that itself; absent: as the server has it. */
  readonly statementTimeoutMs?: number | undefined;
  /** False: the server compiles no statements while they run, unless the URL has it (`jit`); absent: as the server or the URL has it. */
  readonly compiles?: false | undefined;
  /** Called each time one of its connections has closed. */
  readonly onClose?: () => void;
}

/** How long opening a connection may take, in seconds. */
const connectSeconds = 5;

/**
 * A client for a URL such as `postgres://user:password@host:5432/name?sslmode=verify-full`. Parameters are those of the
 * driver (https://bun.com/docs/runtime/sql, "Connection URL parameters"): `sslmode`, `sslrootcert`, `host` for a socket,
 * `prepare=false` for a pooler that gives each transaction another connection; others are the server's own settings.
 */
export function postgresClient(
  url: string,
  { connections, statementTimeoutMs, compiles, onClose }: ClientOptions,
): SQL {
  const { searchParams } = new URL(url);
  const database = databaseName(url);
  return new SQL(url, {
    max: connections,
    // Integers of eight bytes come exactly.
    bigint: true,
    connectionTimeout: Number(searchParams.get('connect_timeout')) || connectSeconds,
    // What the URL names, whatever PGDATABASE is.
    ...(database === undefined ? {} : { database }),
    connection: {
      application_name: searchParams.get('application_name') ?? 'recto',
      ...(statementTimeoutMs === undefined || searchParams.has('statement_timeout')
        ? {}
        : { statement_timeout: statementTimeoutMs }),
      ...(compiles === undefined || searchParams.has('jit') ? {} : { jit: 'off' }),
    },
    ...(onClose === undefined ? {} : { onclose: onClose }),
  });
}

/** Where a database is, without secrets: `db.example.com:5432/recto`. */
export function placeOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}/${databaseName(url) ?? ''}`;
}

function databaseName(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url);
  const name = searchParams.get('dbname') ?? decodeURIComponent(pathname.slice(1));
  return name === '' ? undefined : name;
}
