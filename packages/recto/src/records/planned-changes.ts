import type { AuthenticatedCaller } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';

/** Changes of several records that are made together at a time. */
export interface PlannedChange {
  /** When, as a canonical datetime. */
  readonly at: string;
  /** The types whose records it changes. */
  readonly types: readonly ContentType[];
  /** The stored records that it changes, by the singular names of their types. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  /** Makes them as at that time. False: they would be refused, and the transaction is none to go on with. */
  run(transaction: Transaction): Promise<boolean>;
}

/** What changes records at times besides their own schedules. */
export interface PlannedChanges {
  /** The changes until a time, in their order: those that the caller may know of. */
  until(caller: AuthenticatedCaller, at: string): Promise<readonly PlannedChange[]>;
}
