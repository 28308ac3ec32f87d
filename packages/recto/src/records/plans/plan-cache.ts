import type { SqlValue } from '../../base/bindings.ts';
import { type CacheStats, textCache } from '../../base/cache.ts';
import { anonymous } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import { Plan } from './plan.ts';
import { RequestBindings } from './request-bindings.ts';

/**
 * Plans by their shape. Callers choose shapes (which filters, sorts, includes), so it is bounded: plans that were not used for
 * the longest are dropped, and built again when they are next needed.
 */
export class PlanCache {
  readonly #plans = textCache<object>({ entries: 10_000, characters: 16_000_000 }, planCharacters);

  get<P extends object>(key: string, build: () => P): P {
    const found = this.#plans.get(key);
    // True because a key's first part names the kind of plan, and each kind is asked for in one place.
    if (found !== undefined) return found as P;
    const plan = build();
    this.#plans.set(key, plan);
    return plan;
  }

  /** The statement of a plan that depends on nothing of the request but its values. */
  query(key: string, build: () => Plan, values: readonly SqlValue[]): Query {
    return this.get(key, build).bind(new RequestBindings(anonymous, values));
  }

  get stats(): CacheStats {
    return this.#plans.stats;
  }
}

/** The length of the statements of a plan, which is one or has them as its members. */
export function planCharacters(plan: object): number {
  if (plan instanceof Plan) return plan.sql.length;
  return Object.values(plan).reduce(
    (sum: number, part: unknown) => (part instanceof Plan ? sum + part.sql.length : sum),
    0,
  );
}
