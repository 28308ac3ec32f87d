import type { SqlValue } from '../base/bindings.ts';

/** A statement with its values, ready to run. Kysely's `CompiledQuery` is one (its parameters must be `SqlValue`s). */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** It does not come again, as what makes a table: nothing of it is worth keeping prepared. */
  readonly once?: true;
}
