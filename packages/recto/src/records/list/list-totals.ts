import { type CacheStats, textCache } from '../../base/cache.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import type { ReadContext } from '../select/read-context.ts';

/** How many records a list has. */
export interface ListTotal {
  readonly total: number;
  /** An earlier total, or the least that there are. */
  readonly isEstimate: boolean;
  /** Counting ended at a bound, and well beyond what is shown: some writes change nothing of that. */
  readonly isFarBeyond?: boolean;
  /** It is that of an earlier state, and is counted anew. */
  readonly isPassing?: boolean;
}

interface KnownTotal extends ListTotal {
  readonly stamps: string;
  /** By `performance.now()`. */
  readonly countedAt: number;
}

/** What a total is counted from, and how. `isUrgent`: a request waits for it. */
export interface CountedList {
  /** Equal for lists with one total. */
  readonly key: string;
  readonly types: readonly string[];
  /** Whether counting ends at a bound, and so never takes long. */
  readonly isBounded: boolean;
  count(isUrgent: boolean): MaybePromise<ListTotal>;
}

/** An earlier total is shown for so long, in milliseconds. */
const longestUse = 60_000;

/**
 * Remembers totals until a type changes that they were counted from. Counting many records takes long, so a great total that was exact
 * a moment ago is shown as an estimate, and counted anew while nobody waits. So is one that ends at a bound and was well beyond it.
 */
export class ListTotals {
  readonly #context: ReadContext;
  readonly #known = textCache<KnownTotal>({ entries: 5_000, characters: 4_000_000 }, ({ stamps }) => stamps.length);
  readonly #counting = new Set<string>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get stats(): CacheStats {
    return this.#known.stats;
  }

  total(list: CountedList): MaybePromise<ListTotal> {
    const { database } = this.#context;
    return mapMaybe(database.generations.refresh(), () => {
      const stamps = this.#stamps(list);
      const known = this.#known.get(list.key);
      if (known?.stamps === stamps) return known;
      if (known === undefined || !this.#isGreat(list, known) || performance.now() - known.countedAt > longestUse)
        return this.#count(list, stamps, true);
      this.#countLater(list);
      return { total: known.total, isEstimate: true, isPassing: true };
    });
  }

  #isGreat({ isBounded }: CountedList, { total, isEstimate, isFarBeyond = false }: ListTotal): boolean {
    if (isBounded) return isFarBeyond;
    return !isEstimate && total > (this.#context.limits.exactTotals ?? Number.POSITIVE_INFINITY);
  }

  #count(list: CountedList, stamps: string, isUrgent: boolean): MaybePromise<ListTotal> {
    return mapMaybe(list.count(isUrgent), (total) => {
      this.#known.set(list.key, { ...total, stamps, countedAt: performance.now() });
      return total;
    });
  }

  /** One count at a time for each list, so that many writes cost no more than one after the other. */
  #countLater(list: CountedList): void {
    if (this.#counting.has(list.key)) return;
    this.#counting.add(list.key);
    const count = async (): Promise<void> => {
      await this.#context.database.generations.refresh();
      await this.#count(list, this.#stamps(list), false);
    };
    // What fails here fails again for the next request, which reports it.
    count()
      .catch(() => undefined)
      .finally(() => this.#counting.delete(list.key));
  }

  /** With their names: lists of one total include different types. */
  #stamps({ types }: CountedList): string {
    const { generations } = this.#context.database;
    return types.map((type) => `${type} ${generations.of(type)}`).join();
  }
}
