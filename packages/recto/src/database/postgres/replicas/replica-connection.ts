import type { SQL } from 'bun';
import type { Observe, Query } from '../../database.ts';
import { type Result, runQuery } from '../postgres-client.ts';
import { postgresClient } from '../postgres-location.ts';
import { askStandby, reaches, type StandbyState, type WalPosition } from './wal-position.ts';

/** A connection that is behind is asked again after this time at the earliest, in milliseconds. */
const lookAgainMs = 3;

export interface ReplicaConnectionOptions {
  readonly observe?: Observe | undefined;
  /** As of `postgresClient`. */
  readonly compiles?: false | undefined;
}

/**
 * One connection to a replica, and how far its server is known to have come. Each knows it by itself: an address may lead
 * to one server now and to another with the next connection.
 */
export class ReplicaConnection {
  readonly #url: string;
  readonly #options: ReplicaConnectionOptions;
  #client: SQL | undefined;
  /** Counts the connections that there were: what was asked on one says nothing of the next. */
  #number = 0;
  #reached: WalPosition | undefined;
  #looking = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #running = 0;

  constructor(url: string, options: ReplicaConnectionOptions = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** How many reads it is busy with. */
  get running(): number {
    return this.#running;
  }

  /** Whether a read from now on shows all that was committed before. */
  has(needed: WalPosition): boolean {
    return this.#reached !== undefined && reaches(this.#reached, needed);
  }

  /** Asks how far the server is, unless that was done just now; `judge` says whether it is one to read from. */
  lookSoon(judge: (state: StandbyState) => boolean): void {
    if (this.#looking || performance.now() - this.#lookedAt < lookAgainMs) return;
    this.#looking = true;
    this.look()
      .then(
        (state) => {
          this.#reached = judge(state) ? state.position : undefined;
        },
        () => undefined,
      )
      .finally(() => {
        this.#looking = false;
        this.#lookedAt = performance.now();
      });
  }

  look(): Promise<StandbyState> {
    return this.#onOne((client) => askStandby(client));
  }

  async rows<Row>(query: Query): Promise<Result<Row>> {
    this.#running += 1;
    try {
      return await this.#onOne((client) => runQuery<Row>(client, query, this.#options.observe));
    } finally {
      this.#running -= 1;
    }
  }

  /** Gives the connection up; what runs on it rejects. The next use makes another. */
  drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#lost();
    return client?.close({ timeout: 0 }) ?? Promise.resolve();
  }

  /** What may have been answered by another connection than the one that was known is not used. */
  async #onOne<T>(work: (client: SQL) => Promise<T>): Promise<T> {
    this.#client ??= this.#connect();
    const number = this.#number;
    const result = await work(this.#client);
    if (number !== this.#number) throw new Error('The connection to the replica was lost.');
    return result;
  }

  #connect(): SQL {
    const client = postgresClient(this.#url, {
      connections: 1,
      compiles: this.#options.compiles,
      onClose: () => {
        if (this.#client === client) this.#lost();
      },
    });
    return client;
  }

  #lost(): void {
    this.#number += 1;
    this.#reached = undefined;
  }
}
