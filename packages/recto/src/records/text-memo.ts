import { GrowingCache } from '../base/growing-cache.ts';

/** What is remembered at this moment. */
export interface MemoStats {
  readonly entries: number;
  /** Of the texts that it holds, keys included: about as many bytes. */
  readonly characters: number;
}

/** An entry costs about this much in addition to its texts. */
const bookkeeping = 300;

/**
 * Remembers what was made for keys that callers choose: so many entries at most, and so many characters, of which those go
 * first that were not asked for the longest. What is forgotten is made again.
 */
export class TextMemo<V extends object> {
  readonly #kept: GrowingCache<V>;

  /** `charactersOf`: the texts that a value holds. */
  constructor(most: MemoStats, charactersOf: (value: V) => number) {
    this.#kept = new GrowingCache({
      entries: most.entries,
      size: { most: most.characters, of: (value, key) => charactersOf(value) + key.length + bookkeeping },
    });
  }

  get(key: string): V | undefined {
    return this.#kept.get(key);
  }

  set(key: string, value: V): void {
    this.#kept.set(key, value);
  }

  get stats(): MemoStats {
    return { entries: this.#kept.size, characters: this.#kept.calculatedSize };
  }
}
