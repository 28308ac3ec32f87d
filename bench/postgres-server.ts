import { startPostgres } from '../test/postgres-server.ts';

/** An empty PostgreSQL database on a server of its own, which ends when it is disposed of. */
export interface BenchPostgres extends AsyncDisposable {
  /** For `RECTO_DATABASE_URL`. */
  readonly url: string;
}

/** The server that npm brings, durable: its settings are those that it has by default (`fsync` and `synchronous_commit` on). */
export const startBenchPostgres = (): Promise<BenchPostgres> => startPostgres({ durable: true });
