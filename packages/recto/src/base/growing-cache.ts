import { LRUCache } from 'lru-cache';

interface CacheOptions<V extends object | string> {
  readonly entries: number;
  /** For a bound in something else, too. */
  readonly size?: { readonly most: number; readonly of: (value: V, key: string) => number };
  /** Called with what is no longer kept. */
  readonly dispose?: (value: V) => void;
}

/**
 * Keeps what was used last, so many entries at most. It takes memory as it grows; with the library's own bound of entries it would take
 * the memory of all of them when it is made, and a service has many caches that it hardly uses.
 */
export class GrowingCache<V extends object | string> {
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

  /** What is larger than all that may be kept is not. */
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
}
