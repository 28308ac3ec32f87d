import { type CacheStats, textCache } from '../../base/cache.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import type { Executor } from '../../database/database.ts';
import { type AnswerBudget, tooLarge } from '../answers/answer.ts';
import type { Plan, RequestBindings } from '../plans/plan.ts';
import type { PlanReads } from '../plans/plan-reads.ts';
import type { ReadContext } from './read-context.ts';
import type { WeightRow } from './response-size-plan.ts';

/** What is known of an answer's weight, and the generations that it was found at. */
interface KnownWeight {
  readonly over: keyof AnswerBudget | null;
  readonly stamps: string;
}

/** An answer whose size is estimated before it is built. */
interface Unweighed {
  readonly plan: Plan;
  readonly bindings: RequestBindings;
  readonly reader: Pick<Executor, 'first'>;
}

export interface RememberedAnswer extends Unweighed {
  readonly reads: PlanReads;
  /** Equal for equal answers. */
  readonly key: string;
}

/** Holds answers to their budget before they are built. What was found is remembered until a type changes. */
export class Weigher {
  readonly #context: ReadContext;
  readonly #known = textCache<KnownWeight>({ entries: 5_000, characters: 4_000_000 }, ({ stamps }) => stamps.length);

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get stats(): CacheStats {
    return this.#known.stats;
  }

  /** Throws 400 `answer_too_large` for one that would be over its budget. */
  weigh(answer: RememberedAnswer): MaybePromise<void> {
    const { reads, key } = answer;
    // What time alone can change is found out each time.
    if (reads.now) return mapMaybe(this.#over(answer), (over) => this.#refuse(over));
    const { generations } = this.#context.database;
    return mapMaybe(generations.refresh(), () => {
      const stamps = reads.types.map((type) => generations.of(type)).join();
      const known = this.#known.get(key);
      if (known?.stamps === stamps) return this.#refuse(known.over);
      return mapMaybe(this.#over(answer), (over) => {
        this.#known.set(key, { over, stamps });
        this.#refuse(over);
      });
    });
  }

  #over(answer: Unweighed): MaybePromise<keyof AnswerBudget | null> {
    return findOver(answer, this.#context.budget);
  }

  #refuse(over: keyof AnswerBudget | null): void {
    refuse(over, this.#context.budget);
  }
}

/** As `Weigher.weigh`, for an answer whose weight is not worth remembering. */
export const weighOnce = (answer: Unweighed, budget: AnswerBudget): MaybePromise<void> =>
  mapMaybe(findOver(answer, budget), (over) => refuse(over, budget));

function findOver(
  { plan, bindings, reader }: Unweighed,
  budget: AnswerBudget,
): MaybePromise<keyof AnswerBudget | null> {
  return mapMaybe(reader.first<WeightRow>(plan.bind(bindings)), (row) => {
    if (row === undefined) return null;
    return Number(row.included) > budget.included ? 'included' : 'bytes';
  });
}

function refuse(over: keyof AnswerBudget | null, budget: AnswerBudget): void {
  if (over !== null) throw tooLarge(over, budget[over]);
}
