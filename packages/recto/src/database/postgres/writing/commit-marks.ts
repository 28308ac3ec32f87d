import { setTimeout as pause } from 'node:timers/promises';
import { SQL } from 'bun';
import { unavailable } from '../../../base/problem.ts';
import type { Query } from '../../database.ts';
import { type Client, runQuery } from '../postgres-client.ts';

/** What a transaction leaves behind, in a place that one after the other uses. */
export interface Mark {
  readonly slot: string;
  readonly id: string;
}

/**
 * What every transaction of this process leaves behind: for each name whose records it changed, a row with an id of its own. By it
 * others find out what has changed, and the process itself whether a transaction was committed when its COMMIT was not answered.
 *
 * A row belongs to a slot, which one transaction uses at a time, so that nobody waits for it. A slot's owner stands in its name.
 */
export class CommitMarks {
  readonly #ask: Client;
  readonly #patienceMs: number;
  /** Slots that no transaction uses at this moment. */
  #slots: string[] = [];
  #owner = crypto.randomUUID();

  /** `ask` asks the database outside of any transaction. */
  constructor(ask: Client, patienceMs: number) {
    this.#ask = ask;
    this.#patienceMs = patienceMs;
  }

  take(): Mark {
    return { slot: this.#slots.pop() ?? `${this.#owner}:${crypto.randomUUID()}`, id: crypto.randomUUID() };
  }

  giveBack({ slot }: Mark): void {
    if (slot.startsWith(this.#owner)) this.#slots.push(slot);
  }

  /** What this process has left behind until now counts as left by others: it may be committed yet. */
  disown(): void {
    this.#owner = crypto.randomUUID();
    this.#slots = [];
  }

  /** Rows `name` and `mark`: the names of what others have changed, each with another mark after each commit. */
  ofOthers(): Query {
    return {
      sql: `SELECT name, md5(string_agg(slot || id, ' ' ORDER BY slot)) AS mark FROM recto_changes
        WHERE name <> '' AND slot NOT LIKE $1 GROUP BY name`,
      parameters: [`${this.#owner}%`],
    };
  }

  /** To be run right before the COMMIT. That may wait for the disk as long as any statement may. Without a name it leaves one row. */
  leave({ slot, id }: Mark, names: readonly string[]): Query {
    return {
      sql: `INSERT INTO recto_changes (slot, name, id) SELECT $1, name, $2
          FROM json_array_elements_text(CAST(CAST($4 AS text) AS json)) AS names (name)
        ON CONFLICT (slot, name) DO UPDATE SET id = excluded.id, at = now()
        RETURNING set_config('lock_timeout', $3, true)`,
      parameters: [slot, id, this.#patienceMs, JSON.stringify(names.length === 0 ? [''] : names)],
    };
  }

  /**
   * What became of a transaction whose COMMIT was not answered. First whether it has ended; then whether its mark is there.
   * Its number alone would not do: after a crash, or on another primary, it may belong to another transaction.
   * Throws a 503 `Problem` where the outcome is unknown.
   */
  async wasCommitted(number: string, mark: Mark, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + this.#patienceMs;
    while (performance.now() < deadline) {
      try {
        if (!(await this.#runs(number))) return await this.#isLeft(mark);
      } catch {
        // Not reachable yet.
      }
      await pause(50);
    }
    throw unavailable(
      'outcome_unknown',
      'The connection to the database was lost while it stored the change: it may be stored or not. Look before you send it again.',
      cause,
    );
  }

  async #isLeft({ slot, id }: Mark): Promise<boolean> {
    const sql = 'SELECT FROM recto_changes WHERE slot = $1 AND id = $2 LIMIT 1';
    return (await runQuery(this.#ask, { sql, parameters: [slot, id] })).length > 0;
  }

  /** Whether a transaction has not ended yet (https://www.postgresql.org/docs/current/functions-info.html, `pg_xact_status`). */
  async #runs(number: string): Promise<boolean> {
    const query = { sql: 'SELECT pg_xact_status(CAST($1 AS text)::xid8) AS status', parameters: [number] };
    try {
      const [row] = await runQuery<{ status: string | null }>(this.#ask, query);
      return row?.status === 'in progress';
    } catch (error) {
      // A number that this server has not given yet: it was lost with the server that had.
      if (error instanceof SQL.PostgresError && error.errno === '22023') return false;
      throw error;
    }
  }
}
