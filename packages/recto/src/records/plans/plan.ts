import type { RawBuilder } from 'kysely';
import { type Bindings, Slot, type SqlValue } from '../../base/bindings.ts';
import { type CacheStats, textCache } from '../../base/cache.ts';
import { anonymous, type Caller } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';

/** A compiled statement whose open places are filled from the request. Made once for a shape of request, run many times. */
export class Plan {
  readonly sql: string;
  readonly #parameters: readonly (SqlValue | Slot)[];

  constructor(statement: RawBuilder<unknown>, dialect: Dialect) {
    const compiled = statement.compile(dialect.builder);
    this.sql = dialect.declare === undefined ? compiled.sql : dialect.declare(compiled.sql);
    this.#parameters = compiled.parameters.map(checkParameter);
  }

  bind(bindings: Bindings): Query {
    const parameters = new Array<SqlValue>(this.#parameters.length);
    for (const [place, parameter] of this.#parameters.entries()) {
      parameters[place] = parameter instanceof Slot ? parameter.read(bindings) : parameter;
    }
    return { sql: this.sql, parameters };
  }
}

function checkParameter(parameter: unknown): SqlValue | Slot {
  if (
    parameter === null ||
    parameter instanceof Slot ||
    parameter instanceof Uint8Array ||
    typeof parameter === 'string' ||
    typeof parameter === 'number' ||
    typeof parameter === 'bigint'
  ) {
    return parameter;
  }
  throw new TypeError(`A plan was given a parameter that no database takes: ${typeof parameter}`);
}

const nothing: ReadonlyMap<string, string> = new Map();

/** What a plan is bound with. The instant is fixed when first read, and is the same for the rest of the request. */
export class RequestBindings implements Bindings {
  readonly caller: Caller;
  readonly query: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly values: readonly SqlValue[];
  #now: string | undefined;

  constructor(
    caller: Caller,
    values: readonly SqlValue[],
    query: ReadonlyMap<string, string> = nothing,
    body: Readonly<Record<string, unknown>> | null = null,
    now?: string,
  ) {
    this.caller = caller;
    this.values = values;
    this.query = query;
    this.body = body;
    this.#now = now;
  }

  get now(): string {
    this.#now ??= this.caller.at ?? new Date().toISOString();
    return this.#now;
  }

  /** The same request with other values. */
  with(values: readonly SqlValue[]): RequestBindings {
    return new RequestBindings(this.caller, values, this.query, this.body, this.now);
  }
}

const planMemory = () => textCache<object>({ entries: 10_000, characters: 16_000_000 }, planCharacters);

/**
 * Plans by their shape. Callers choose shapes (which filters, sorts, includes), so it is bounded: plans that were not used for
 * the longest are dropped, and built again when they are next needed.
 */
export class PlanCache {
  readonly #plans: ReturnType<typeof planMemory>;
  readonly #prefix: string;

  /** `within`: a cache whose room this one shares, under keys that begin with `prefix`. */
  constructor(within?: PlanCache, prefix = '') {
    this.#plans = within === undefined ? planMemory() : within.#plans;
    this.#prefix = prefix;
  }

  get<P extends object>(key: string, build: () => P): P {
    const own = this.#prefix + key;
    const found = this.#plans.get(own);
    // True because a key's first part names the kind of plan, and each kind is asked for in one place.
    if (found !== undefined) return found as P;
    const plan = build();
    this.#plans.set(own, plan);
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
