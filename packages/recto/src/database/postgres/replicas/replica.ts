import type { Observe, ReplicaStatus } from '../../database.ts';
import { placeOf } from '../postgres-location.ts';
import { ReplicaConnection } from './replica-connection.ts';
import { type PrimaryState, type StandbyState, unfitness, type WalPosition } from './wal-position.ts';

/** How long it may take to report its position, and how far it may be behind, in milliseconds. */
const patienceMs = 2_000;
const mostBehindMs = 5_000;
/** How long one that is left out is left alone, from the first time on. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** Looks that are remembered for one that does not come nearer. */
const mostMarks = 600;

export interface ReplicaOptions {
  readonly url: string;
  readonly connections: number;
  readonly observe: Observe | undefined;
  /** As of `postgresClient`. */
  readonly compiles: false | undefined;
  /** Called at each change between serving and being skipped. */
  readonly onChange: (status: ReplicaStatus) => void;
}

/** One replica: its connections, and whether reads are sent there. */
export class Replica {
  readonly place: string;
  reads = 0;
  readonly #onChange: (status: ReplicaStatus) => void;
  readonly #connections: readonly ReplicaConnection[];
  /** Carries no reads, so that a slow one is not taken for a server that is gone. */
  readonly #watch: ReplicaConnection;
  /** Where the primary was, and when, as far as the replica has not come there. */
  #unreached: { readonly at: number; readonly place: bigint }[] = [];
  #primary: PrimaryState | undefined;
  /** Null while it serves. */
  #leftOut: string | null = 'it has not answered yet';
  #behindMs: number | undefined;
  #pauseMs = firstPauseMs;
  #askAt = 0;
  #closed = false;
  #reported: boolean | undefined;

  constructor({ url, connections, observe, compiles, onChange }: ReplicaOptions) {
    this.place = placeOf(url);
    this.#onChange = onChange;
    this.#watch = new ReplicaConnection(url);
    this.#connections = Array.from({ length: connections }, () => new ReplicaConnection(url, { observe, compiles }));
  }

  get status(): ReplicaStatus {
    return {
      place: this.place,
      leftOut: this.#leftOut,
      secondsBehind: this.#behindMs === undefined ? null : this.#behindMs / 1000,
      reads: this.reads,
    };
  }

  /** The least busy connection that shows all that was committed before; the others are asked how far they are. */
  connectionAt(needed: WalPosition): ReplicaConnection | undefined {
    if (this.#leftOut !== null) return undefined;
    let best: ReplicaConnection | undefined;
    for (const connection of this.#connections) {
      if (!connection.has(needed)) connection.lookSoon(this.#isFit);
      else if (best === undefined || connection.running < best.running) best = connection;
    }
    return best;
  }

  /** Looks whether reads can be sent there, seen from where the primary is. To be called again and again. */
  async check(primary: PrimaryState): Promise<void> {
    this.#primary = primary;
    const now = performance.now();
    if (this.#unreached.length < mostMarks) this.#unreached.push({ at: now, place: primary.position.place });
    if (now < this.#askAt) return;
    const reason = await this.#judge(primary);
    if (this.#closed) return;
    if (reason === undefined) this.#pauseMs = firstPauseMs;
    else {
      this.#askAt = performance.now() + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    }
    this.#become(reason ?? null);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#drop();
  }

  /** Why it is left out, or undefined. */
  async #judge(primary: PrimaryState): Promise<string | undefined> {
    const state = await this.#ask();
    if (typeof state === 'string') {
      this.#behindMs = undefined;
      // What hangs there is answered by the primary.
      await this.#drop();
      return state;
    }
    const unfit = unfitness(state, primary);
    const reached = state.position;
    if (unfit !== undefined || reached === undefined) return unfit;
    if (reached.timeline !== primary.position.timeline)
      return 'it has not followed the primary to its new timeline yet';
    this.#unreached = this.#unreached.filter(({ place }) => place > reached.place);
    const oldest = this.#unreached[0];
    this.#behindMs = oldest === undefined ? 0 : performance.now() - oldest.at;
    return this.#behindMs > mostBehindMs ? `it is more than ${mostBehindMs / 1000} seconds behind` : undefined;
  }

  async #ask(): Promise<StandbyState | string> {
    const timeUp = Promise.withResolvers<string>();
    const timer = setTimeout(timeUp.resolve, patienceMs, `it does not answer within ${patienceMs / 1000} seconds`);
    try {
      return await Promise.race([this.#watch.look(), timeUp.promise]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #isFit = (state: StandbyState): boolean =>
    this.#primary !== undefined && unfitness(state, this.#primary) === undefined;

  #become(leftOut: string | null): void {
    const serves = leftOut === null;
    this.#leftOut = leftOut;
    if (serves === this.#reported) return;
    this.#reported = serves;
    this.#onChange(this.status);
  }

  async #drop(): Promise<void> {
    await Promise.all([this.#watch, ...this.#connections].map((connection) => connection.drop()));
  }
}
