import type { Generations, Query, Transaction } from '../database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SharedState } from './sqlite-shared-state.ts';

/**
 * How often the records behind each name have changed. `change` rises over all names, so that a process can ask for what
 * moved since it last looked.
 */
export const generationTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS recto_generations (
    name text NOT NULL PRIMARY KEY,
    generation integer NOT NULL,
    change integer NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS "recto_generations$change$index" ON recto_generations (change)',
];

/** Short enough that nobody waits for what a killed process had committed; long enough to cost nothing. */
const lookEveryMs = 2;

const dataVersion: Query = { sql: 'PRAGMA data_version', parameters: [] };

const bump = `INSERT INTO recto_generations (name, generation, change)
  VALUES (?, 1, (SELECT coalesce(max(change), 0) + 1 FROM recto_generations))
  ON CONFLICT (name) DO UPDATE SET generation = generation + 1, change = excluded.change`;

/** Part of the transaction that changed the records, so that a reader that sees the change also sees the number move. */
export function bumpGenerations(transaction: Pick<Transaction, 'run'>, names: Iterable<string>): void {
  for (const name of names) transaction.run({ sql: bump, parameters: [name] });
}

/**
 * The generations as the reader sees them. `PRAGMA data_version` differs as soon as another connection has committed,
 * the writer of this process among them (https://sqlite.org/pragma.html#pragma_data_version); only then is the table read.
 *
 * The version is asked for when the shared state shows a commit, which every process of this machine counts before it
 * acknowledges it; and besides every few milliseconds, for one that was killed in between. Where no memory can be shared, each
 * look asks.
 */
export class SqliteGenerations implements Generations {
  readonly #reader: SqliteConnection;
  readonly #numbers = new Map<string, number>();
  #version = -1;
  #change = 0;
  #commits = -1;
  /** For some milliseconds after a look: then a timer says that it is time for the next, which is cheaper to see than a clock. */
  #looked = false;
  readonly #forget = (): void => {
    this.#looked = false;
  };
  readonly #shared: SharedState | undefined;

  constructor(reader: SqliteConnection, shared: SharedState | undefined) {
    this.#reader = reader;
    this.#shared = shared;
  }

  refresh(): void {
    // Read before anything else: what is committed from here on is looked for once more at the next call.
    const commits = this.#shared?.commits();
    if (this.#looked && commits !== undefined && commits === this.#commits) return;
    const looked = this.#looked;
    this.#looked = false;
    // The version first: what is committed in between is read now and looked for once more at the next call.
    const version = this.#reader.first<{ data_version: number }>(dataVersion)?.data_version ?? 0;
    if (version !== this.#version) this.#read(version);
    // Only now: a call after a failed read must fail too.
    if (commits === undefined) return;
    this.#commits = commits;
    this.#looked = true;
    if (!looked) setTimeout(this.#forget, lookEveryMs).unref();
  }

  of(name: string): number {
    return this.#numbers.get(name) ?? 0;
  }

  #read(version: number): void {
    const moved = this.#reader.rows<{ name: string; generation: number; change: number }>({
      sql: 'SELECT name, generation, change FROM recto_generations WHERE change > ?',
      parameters: [this.#change],
    });
    for (const { name, generation, change } of moved) {
      this.#numbers.set(name, generation);
      this.#change = Math.max(this.#change, change);
    }
    this.#version = version;
  }
}
