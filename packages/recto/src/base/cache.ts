import { LRUCache } from 'lru-cache';

interface CacheOptions<V extends object | string> {
  readonly entries: number;
  /** Bounds the sum of the sizes of the entries, too. */
  readonly size?: { readonly most: number; readonly of: (value: V, key: string) => number };
  /** Called with each value that is dropped. */
  readonly dispose?: (value: V) => void;
}

/** What a cache holds at this moment. */
export interface CacheStats {
  readonly entries: number;
  /** Of its texts, keys included: about as many bytes. */
  readonly characters: number;
}

/**
 * Keeps what was used last, so many entries at most. It takes memory as it grows; with the library's own bound of entries it would take
 * the memory of all of them when it is made, and a service has many caches that it hardly uses.
 */
export class Cache<V extends object | string> {
  readonly #kept: LRUCache<string, V>;
  readonly #entries: number;

  constructor({ entries, size = { most: entries, of: () => 1 }, dispose }: CacheOptions<V>) {
    this.#entries = entries;
    this.#kept = new LRUCache({
      maxSize: size.most,
      sizeCalculation: size.of,
      ...(dispose === undefined ? {} : { dispose }),
    });
  }

  get(key: string): V | undefined {
    return this.#kept.get(key);
  }

  /** As `get`, and it counts as not used. */
  peek(key: string): V | undefined {
    return this.#kept.peek(key);
  }

  /** A value larger than the bound is not kept. */
  set(key: string, value: V): void {
    this.#kept.set(key, value);
    if (this.#kept.size > this.#entries) this.#kept.pop();
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }

  /** The number of entries. */
  get size(): number {
    return this.#kept.size;
  }

  /** The sum of their sizes. */
  get calculatedSize(): number {
    return this.#kept.calculatedSize;
  }

  /** Of a `textCache`. */
  get stats(): CacheStats {
    return { entries: this.#kept.size, characters: this.#kept.calculatedSize };
  }
}

/** An entry costs about this much in addition to its texts. */
const bookkeeping = 300;

/** A cache under keys that callers choose, bounded by the characters of its keys and values too. `charactersOf`: of the texts in a value. */
export const textCache = <V extends object>(most: CacheStats, charactersOf: (value: V) => number): Cache<V> =>
  new Cache({
    entries: most.entries,
    size: { most: most.characters, of: (value, key) => charactersOf(value) + key.length + bookkeeping },
  });
