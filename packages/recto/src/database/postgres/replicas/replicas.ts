import type { Generations, Observe, Query, ReplicaStatus } from '../../database.ts';
import { schemaGeneration } from '../../schema-generations.ts';
import type { Client } from '../postgres-client.ts';
import { NeededPositions } from './needed-positions.ts';
import { Replica } from './replica.ts';
import type { ReplicaConnection } from './replica-connection.ts';
import { askPrimary, type WalPosition } from './wal-position.ts';

export interface ReplicasOptions {
  readonly urls: readonly string[];
  /** The most connections to each that read; one more watches it. */
  readonly connections: number;
  /** Asks the database itself. */
  readonly primary: Client;
  readonly generations: Generations;
  readonly observe: Observe | undefined;
  /** As of `postgresClient`, for the replicas. */
  readonly compiles: false | undefined;
  readonly onChange: (status: ReplicaStatus) => void;
}

/** How often each is looked at, in milliseconds. */
const checkEveryMs = 500;

/**
 * Reading from standbys of the database, without reading less than from itself: a read is sent to one only when that has
 * replayed whatever this process knows to be committed to what is read; else it is the primary's.
 * So an answer is never older than the generations that it is remembered with, which were seen before.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #all: readonly Replica[];
  readonly #needed: NeededPositions;
  #timer: Timer | undefined;
  #closed = false;
  #turn = 0;

  constructor(options: ReplicasOptions) {
    const { urls, connections, observe, compiles, onChange, primary, generations } = options;
    this.#options = options;
    this.#all = urls.map((url) => new Replica({ url, connections, observe, compiles, onChange }));
    this.#needed = new NeededPositions(generations, () => askPrimary(primary));
  }

  get status(): readonly ReplicaStatus[] {
    return this.#all.map(({ status }) => status);
  }

  /** Looks at each for the first time; goes on by itself from then on. */
  async start(): Promise<void> {
    await this.#check();
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.start(), checkEveryMs);
    this.#timer.unref();
  }

  /** The rows from a replica that may be asked; undefined where none may be, or fails. */
  async rows<Row>(names: readonly string[], query: Query): Promise<readonly Row[] | undefined> {
    await this.#options.generations.refresh();
    // Plans are made for the tables as they are.
    const needed = this.#needed.of([...names, schemaGeneration]);
    const chosen = needed === undefined ? undefined : this.#choose(needed);
    if (chosen === undefined) return undefined;
    try {
      const rows = await chosen.connection.rows<Row>(query);
      chosen.replica.reads += 1;
      return rows;
    } catch {
      // Lost, or cancelled by what it replays, or wrong: then the primary says so.
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#all.map((replica) => replica.close()));
  }

  /** The least busy; in turn where several are. */
  #choose(needed: WalPosition): { readonly replica: Replica; readonly connection: ReplicaConnection } | undefined {
    const found = this.#all.flatMap((replica) => {
      const connection = replica.connectionAt(needed);
      return connection === undefined ? [] : [{ replica, connection }];
    });
    const least = Math.min(...found.map(({ connection }) => connection.running));
    const idle = found.filter(({ connection }) => connection.running === least);
    this.#turn += 1;
    return idle[this.#turn % Math.max(1, idle.length)];
  }

  async #check(): Promise<void> {
    try {
      const primary = await askPrimary(this.#options.primary);
      await Promise.all(this.#all.map((replica) => replica.check(primary)));
    } catch {
      // Without the primary, nobody knows what a replica lacks; reads are the primary's, and it is asked again.
    }
  }
}
