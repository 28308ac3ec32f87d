import type { Caller } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';

/** What was done to a record. A record that is marked as deleted counts as deleted. */
export type ChangeAction = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'restore';

/** A change of one record. */
export interface LoggedChange {
  readonly type: ContentType;
  readonly id: string;
  readonly action: ChangeAction;
  /** The names of the fields that an update changes, but for those that every write sets. */
  readonly changed: readonly string[];
  readonly caller: Caller;
  readonly tenant: string | null;
  /** Canonical datetime. */
  readonly at: string;
  /** The revision that the change made; null for none. */
  readonly revision: number | null;
  /** The record's own columns before the change; null for a new record. */
  readonly before: StoredRecord | null;
}

/** Keeps changes of records, in the transactions that make them. */
export interface ChangeLog {
  add(transaction: Transaction, change: LoggedChange): void;
}
