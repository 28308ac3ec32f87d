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

const dataVersion: Query = { sql: 'PRAGMA data_version', parameters: [] };

const bump = `INSERT INTO recto_generations (name, generation, change)
  VALUES (?, 1, (SELECT coalesce(max(change), 0) + 1 FROM recto_generations))
  ON CONFLICT (name) DO UPDATE SET generation = generation + 1, change = excluded.change`;

/** Part of the transaction that changed the records, so that whoever sees the change sees the number move. */
export function bumpGenerations(transaction: Pick<Transaction, 'run'>, names: Iterable<string>): void {
  for (const name of names) transaction.run({ sql: bump, parameters: [name] });
}

/**
 * The generations as the reader sees them. `PRAGMA data_version` differs as soon as another connection has committed,
 * the writer of this process among them (https://sqlite.org/pragma.html#pragma_data_version); only then is the table read.
 *
 * The version is asked for when the shared state tells of a commit, which every process of this machine counts before it
 * tells anyone; and besides once in a turn of the event loop, for one that was killed in between. Once a turn alone would be too
 * late for some: a connection that is accepted at the end of a turn, or a second request on one, may have come after a commit
 * that the turn did not see. Where no memory can be shared, each look asks.
 */
export class SqliteGenerations implements Generations {
  readonly #reader: SqliteConnection;
  readonly #numbers = new Map<string, number>();
  #version = -1;
  #change = 0;
  #looked = false;
  #commits = -1;
  readonly #shared: SharedState | undefined;
  readonly #forget = () => {
    this.#looked = false;
  };

  constructor(reader: SqliteConnection, shared: SharedState | undefined) {
    this.#reader = reader;
    this.#shared = shared;
  }

  refresh(): void {
    // Read before anything else: what is committed from here on is looked for once more at the next call.
    const commits = this.#shared?.commits();
    if (this.#looked && commits !== undefined && commits === this.#commits) return;
    this.#looked = false;
    // The version first: what is committed in between is read now and looked for once more at the next call.
    const version = this.#reader.first<{ data_version: number }>(dataVersion)?.data_version ?? 0;
    if (version !== this.#version) this.#read(version);
    // Only now: whoever asks after a look that failed must fail too.
    if (commits === undefined) return;
    this.#commits = commits;
    this.#looked = true;
    setImmediate(this.#forget);
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
