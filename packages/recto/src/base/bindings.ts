import type { Caller } from './caller.ts';

/** What a statement can be given. A database's dialect turns every other value into one of these. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** What a rule can read of the request, besides the record. */
export interface RuleEnvironment {
  readonly caller: Caller;
  /** Query parameters as sent, `@request.query.*`. */
  readonly query: ReadonlyMap<string, string>;
  /** The JSON body as sent, `@request.body.*`; null where the request has none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** `@now`, canonical datetime. One instant for the whole request. */
  readonly now: string;
}

/** All that a plan's statement is bound with: the request, and the plan's own values by place. */
export interface Bindings extends RuleEnvironment {
  readonly values: readonly SqlValue[];
}

/**
 * A place in a statement that gets its value from the request. Put where a query builder takes a parameter,
 * it comes back in the compiled statement's parameters; binding reads it. User input thus never becomes SQL text.
 */
export class Slot {
  readonly read: (bindings: Bindings) => SqlValue;

  constructor(read: (bindings: Bindings) => SqlValue) {
    this.read = read;
  }
}
