import type { Caller } from './caller.ts';

/** A value that can be bound to a statement. The database dialect converts all other values to one of these. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** The parts of the request that a rule can read, besides the record. */
export interface RuleEnvironment {
  readonly caller: Caller;
  /** Query parameters as sent, `@request.query.*`. */
  readonly query: ReadonlyMap<string, string>;
  /** The JSON body as sent, `@request.body.*`; null where the request has none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** `@now`, canonical datetime. The same instant throughout the request. */
  readonly now: string;
}

/** The values that a plan's statement is bound with: the request, and the plan's own values by position. */
export interface Bindings extends RuleEnvironment {
  readonly values: readonly SqlValue[];
}

/**
 * A placeholder for a value from the request. Passed to a query builder as a parameter, it reappears among the compiled
 * statement's parameters, where binding replaces it. User input thus never becomes SQL text.
 */
export class Slot {
  readonly read: (bindings: Bindings) => SqlValue;

  constructor(read: (bindings: Bindings) => SqlValue) {
    this.read = read;
  }
}
