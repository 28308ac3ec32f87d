import type { Caller } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { RevisionBody } from '../revisions/revision.ts';

/** A record that is about to be written, in JSON form. */
export interface HookedRecord {
  readonly type: ContentType;
  readonly caller: Caller;
  /** As it would be stored. The hooks change it in place. */
  readonly record: Record<string, JsonValue>;
  /** As it is stored; null for a new record. */
  readonly before: RevisionBody | null;
}

/** Code of a deployment that runs as part of the writes of one type. Returns what it finds wrong; what it throws ends the write. */
export interface TypeHooks {
  /** Judges valid values, without waiting for anything. May run in a transaction, and more than once. */
  check?(written: HookedRecord): readonly FieldFault[];
  /** Runs in the transaction, before the row is written. */
  write?(written: HookedRecord, transaction: Transaction): Promise<readonly FieldFault[]>;
}

/** Finds what code of a deployment takes part in the writes of a type; undefined for none. */
export type HooksOfType = (type: ContentType) => TypeHooks | undefined;
