import type { Generations, Query, Transaction } from '../database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

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
 * The version is asked for once in a turn of the event loop. What is handled in one turn had come in when the turn began,
 * so a commit that its sender knew of was there to be seen; and our own writer says when it has committed.
 */
export class SqliteGenerations implements Generations {
  readonly #reader: SqliteConnection;
  readonly #numbers = new Map<string, number>();
  #version = -1;
  #change = 0;
  #looked = false;
  readonly #forget = () => this.forget();

  constructor(reader: SqliteConnection) {
    this.#reader = reader;
  }

  /** The next `refresh` looks again, this turn or not. */
  forget(): void {
    this.#looked = false;
  }

  refresh(): void {
    if (this.#looked) return;
    // The version first: what is committed in between is read now and looked for once more at the next call.
    const version = this.#reader.first<{ data_version: number }>(dataVersion)?.data_version ?? 0;
    if (version !== this.#version) this.#read(version);
    // Only now: whoever asks after a look that failed must fail too.
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
