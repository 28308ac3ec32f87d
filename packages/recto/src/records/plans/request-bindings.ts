import type { Bindings, SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';

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
    this.#now ??= new Date().toISOString();
    return this.#now;
  }

  /** The same request with other values. */
  with(values: readonly SqlValue[]): RequestBindings {
    return new RequestBindings(this.caller, values, this.query, this.body, this.now);
  }
}
