import { type Caller, callerId } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { RevisionRetention } from '../../definition/protocol.ts';
import type { RecordsContext } from '../records-context.ts';
import { ageLimit, type RevisionBody, type RevisionHead, retentionOf } from './revision.ts';
import { changedFields, privateNames } from './revision-body.ts';
import { RevisionStatements, type Versioned } from './revision-statements.ts';

/** Who writes, when, and by what action: what a version of a record tells of its making. */
export interface Authorship {
  readonly caller: Caller;
  /** Canonical datetime. */
  readonly now: string;
  /** `create`, `update`, `delete`, or the name of what else was done. */
  readonly action: string;
  /** The revision that is brought back. */
  readonly restoredFrom?: number;
}

/** Keeps versions of records, in the transactions that write the records. */
export class RevisionWriter {
  readonly #statements: RevisionStatements;

  constructor(context: RecordsContext) {
    this.#statements = new RevisionStatements(context);
  }

  /** The first version of a new record. */
  async created(
    transaction: Transaction,
    type: ContentType,
    body: RevisionBody,
    authorship: Authorship,
  ): Promise<void> {
    const one = { ...made(authorship), revision: 1, changed: [], privateFields: new Set(privateNames(type)) };
    await transaction.run(this.#statements.insert(versioned(type, body), one, body));
  }

  /**
   * The next version of a record, where anything has changed. Of a record without versions (it was there before its type
   * had them, or was imported) the state before this change is kept as well.
   */
  async updated(
    transaction: Transaction,
    type: ContentType,
    [before, after]: readonly [RevisionBody, RevisionBody],
    authorship: Authorship,
  ): Promise<void> {
    const changed = changedFields(type, before, after);
    const retention = retentionOf(type);
    if (changed.length === 0 || retention === undefined) return;
    const whose = versioned(type, after);
    const privateFields = new Set(privateNames(type));
    const row = await transaction.first<{ last: number | bigint | null }>(this.#statements.last(whose));
    let last = Number(row?.last ?? 0);
    if (last === 0) {
      const existing = { ...made(authorship), ...unknownMaking, revision: 1, changed: [], privateFields };
      await transaction.run(this.#statements.insert(whose, existing, before));
      last = 1;
    }
    const next = { ...made(authorship), revision: last + 1, changed, privateFields };
    await transaction.run(this.#statements.insert(whose, next, after));
    await this.#prune(transaction, whose, next, retention);
  }

  /** What is removed for good leaves nothing behind. */
  async removed(transaction: Transaction, type: ContentType, id: string): Promise<void> {
    await transaction.run(this.#statements.removeAll({ type: type.singular, record: id }));
  }

  async #prune(
    transaction: Transaction,
    whose: Versioned,
    { revision, at }: RevisionHead,
    retention: RevisionRetention,
  ): Promise<void> {
    const surplus = revision - retention.keep;
    if (surplus > 0) await transaction.run(this.#statements.removeUpTo(whose, surplus));
    const oldest = ageLimit(retention, at);
    if (oldest !== undefined) await transaction.run(this.#statements.removeBefore(whose, oldest, revision));
  }
}

const unknownMaking = { action: 'existing', author: null, authorKind: null, restoredFrom: null } as const;

const versioned = ({ singular }: ContentType, { id }: RevisionBody): Versioned => ({
  type: singular,
  record: String(id),
});

function made({ caller, now, action, restoredFrom }: Authorship) {
  return {
    action,
    author: callerId(caller),
    authorKind: caller.kind === 'visitor' ? null : caller.kind,
    at: now,
    restoredFrom: restoredFrom ?? null,
  } as const;
}
