import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Generations } from '../../database/database.ts';
import type { Answer } from './answer.ts';

/** An answer as bytes, ready to be sent, and the generation of every type it was made from. */
interface Remembered {
  readonly answer: Answer & { readonly body: Uint8Array<ArrayBuffer> };
  readonly stamps: readonly number[];
}

interface Flight {
  readonly answer: Promise<Answer>;
  readonly stamps: readonly number[];
}

export interface AnswerCacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
  readonly entries: number;
}

const encoder = new TextEncoder();

/** What has expired is none. */
const fresh = { allowStale: false } as const;

/**
 * Answers in memory, bounded in bytes, for as long as no type they were made from has changed and their time has not run
 * out. Equal requests that miss at the same moment wait for one answer.
 */
export class AnswerCache {
  readonly #generations: Generations;
  readonly #answers: LRUCache<string, Remembered>;
  readonly #flights = new Map<string, Flight>();
  #hits = 0;
  #misses = 0;

  /** `ttlSeconds` 0 remembers nothing. */
  constructor(generations: Generations, options: { readonly maxBytes: number; readonly ttlSeconds: number }) {
    this.#generations = generations;
    this.#answers = new LRUCache({
      maxSize: Math.max(1, options.maxBytes),
      // An entry costs its bytes, its key, and about this much of bookkeeping.
      sizeCalculation: ({ answer }, key) => answer.body.byteLength + key.length * 2 + 300,
      ttl: Math.max(1, options.ttlSeconds * 1000),
      // So that what has expired can be found, and dropped.
      allowStale: true,
    });
    this.#enabled = options.ttlSeconds > 0 && options.maxBytes > 0;
  }

  readonly #enabled: boolean;

  get stats(): AnswerCacheStats {
    return {
      hits: this.#hits,
      misses: this.#misses,
      bytes: this.#answers.calculatedSize,
      entries: this.#answers.size,
    };
  }

  /** The answer remembered under `key`, or what `make` makes, remembered until one of `types` changes. */
  look(key: string, types: readonly string[], make: () => MaybePromise<Answer>): MaybePromise<Answer> {
    if (!this.#enabled) return make();
    const refreshed = this.#generations.refresh();
    if (refreshed instanceof Promise) return refreshed.then(() => this.#lookNow(key, types, make));
    return this.#lookNow(key, types, make);
  }

  clear(): void {
    this.#answers.clear();
    this.#flights.clear();
  }

  #lookNow(key: string, types: readonly string[], make: () => MaybePromise<Answer>): MaybePromise<Answer> {
    const found = this.#answers.get(key, fresh);
    if (found !== undefined && this.#isCurrent(types, found.stamps)) {
      this.#hits += 1;
      return found.answer;
    }
    this.#misses += 1;
    const flight = this.#flights.get(key);
    if (flight !== undefined && this.#isCurrent(types, flight.stamps)) return flight.answer;
    return this.#make(key, types, make);
  }

  #make(key: string, types: readonly string[], make: () => MaybePromise<Answer>): MaybePromise<Answer> {
    // Stamped before the reading: a write in between makes the entry stale at the next look, never wrong.
    const stamps = types.map((type) => this.#generations.of(type));
    const made = make();
    if (!(made instanceof Promise)) return this.#remember(key, types, stamps, made);
    const flight: Flight = {
      stamps,
      answer: made
        .then((answer) => this.#remember(key, types, stamps, answer))
        .finally(() => {
          if (this.#flights.get(key) === flight) this.#flights.delete(key);
        }),
    };
    this.#flights.set(key, flight);
    return flight.answer;
  }

  #remember(key: string, types: readonly string[], stamps: readonly number[], answer: Answer): Answer {
    // What went stale while it was made must not replace a newer answer.
    if (answer.passing === true || !this.#isCurrent(types, stamps))
      return { ...answer, cacheStatus: 'recto; fwd=miss' };
    const body = typeof answer.body === 'string' ? encoder.encode(answer.body) : answer.body;
    const { etag, linked } = answer;
    const kept = linked === undefined ? { body, etag } : { body, etag, linked };
    this.#dropExpired();
    this.#answers.set(key, { stamps, answer: { ...kept, cacheStatus: 'recto; hit', shared: true } });
    return { ...kept, cacheStatus: 'recto; fwd=miss; stored' };
  }

  /**
   * What was asked for once and never again would stay until there is no room left. Those that were not used for the longest are
   * looked at, two for each new one, so that the expired ones become fewer.
   */
  #dropExpired(): void {
    for (let looks = 2; looks > 0; looks -= 1) {
      const { value: key } = this.#answers.rkeys().next();
      if (key === undefined || this.#answers.getRemainingTTL(key) > 0) return;
      this.#answers.delete(key);
    }
  }

  #isCurrent(types: readonly string[], stamps: readonly number[]): boolean {
    // Without an iterator: this is part of every answer that is remembered.
    for (let place = 0; place < types.length; place += 1) {
      if (this.#generations.of(types[place] ?? '') !== stamps[place]) return false;
    }
    return true;
  }
}
