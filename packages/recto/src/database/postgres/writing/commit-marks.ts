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

/** Finds out by a row that a transaction leaves behind whether it was committed, when its COMMIT was not answered. */
export class CommitMarks {
  readonly #ask: Client;
  readonly #patienceMs: number;
  /** Places that no transaction uses at this moment. */
  readonly #slots: string[] = [];

  /** `ask` asks the database outside of any transaction. */
  constructor(ask: Client, patienceMs: number) {
    this.#ask = ask;
    this.#patienceMs = patienceMs;
  }

  take(): Mark {
    return { slot: this.#slots.pop() ?? crypto.randomUUID(), id: crypto.randomUUID() };
  }

  giveBack({ slot }: Mark): void {
    this.#slots.push(slot);
  }

  /**
   * To be run before the COMMIT. That waits for others, each of whom waits for the disk, as long as any statement may: only one
   * transaction at a time commits a notification (https://www.postgresql.org/docs/current/sql-notify.html).
   */
  leave({ slot, id }: Mark): Query {
    return {
      sql: `INSERT INTO recto_commits (slot, id) VALUES ($1, $2) ON CONFLICT (slot) DO UPDATE SET id = excluded.id, at = now()
        RETURNING set_config('lock_timeout', $3, true)`,
      parameters: [slot, id, this.#patienceMs],
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
    const sql = 'SELECT FROM recto_commits WHERE slot = $1 AND id = $2';
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
