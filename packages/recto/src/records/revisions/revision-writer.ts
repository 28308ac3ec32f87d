import { type Caller, callerId } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { RevisionRetention, StoredRecord } from '../../definition/protocol.ts';
import type { RecordChanges } from '../checks/payload.ts';
import type { Links } from '../checks/stored-links.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { Translations } from '../statements/language-statements.ts';
import { ageLimit, movingAction, type NewRevision } from './revision.ts';
import { changedFields, revisionBody } from './revision-body.ts';
import { RevisionStatements, type Versioned } from './revision-statements.ts';
import { type Sitting, Sittings } from './sittings.ts';

/** Who writes, when, and by what action: what a version of a record says of its making. */
export interface Authorship {
  readonly caller: Caller;
  /** Canonical datetime. */
  readonly now: string;
  /** `create`, `update`, `delete`, or the name of what else was done. */
  readonly action: string;
  /** The revision that is brought back. */
  readonly restoredFrom?: number;
  /** How it belongs to what a person is writing; absent: it is a version of its own. */
  readonly sitting?: Sitting;
}

/** What a write has done to one record. `authorship` is null for what is no version of its own. */
export type RecordChange = { readonly type: ContentType; readonly id: string } & (
  | {
      readonly kind: 'created';
      readonly record: StoredRecord;
      readonly links: Links;
      readonly authorship: Authorship | null;
    }
  | {
      readonly kind: 'updated';
      readonly current: StoredRecord;
      readonly changes: RecordChanges;
      /** Undefined where no versions are kept. */
      readonly before: { readonly record: StoredRecord; readonly links: Links } | undefined;
      readonly record: StoredRecord;
      readonly links: Links;
      readonly authorship: Authorship | null;
      /** What it said in other languages and says now; absent: the change is none of these, and no version is kept. */
      readonly translations?: { readonly before: Translations; readonly after: Translations };
    }
  | { readonly kind: 'removed'; readonly record: StoredRecord; readonly authorship: Authorship }
);

/** Keeps versions of records, in the transactions that write the records. */
export class RevisionWriter {
  readonly #statements: RevisionStatements;
  readonly #sittings: Sittings;

  constructor(context: ReadContext) {
    this.#statements = new RevisionStatements(context);
    this.#sittings = new Sittings(this.#statements);
  }

  /** Returns the number of the version that the change makes; null for none. */
  async write(transaction: Transaction, change: RecordChange): Promise<number | null> {
    switch (change.kind) {
      case 'created':
        return this.#created(transaction, change);
      case 'updated':
        return this.#updated(transaction, change);
      case 'removed':
        await transaction.run(this.#statements.removeAll(versioned(change)));
        return null;
    }
  }

  /** The first version of a new record. */
  async #created(transaction: Transaction, change: RecordChange & { kind: 'created' }): Promise<number | null> {
    const { type, record, links, authorship } = change;
    if (authorship === null || type.facts.revisions === undefined) return null;
    const first = { ...made(authorship), revision: 1, changed: [], privateFields: type.facts.privateNames };
    await transaction.run(this.#statements.insert(versioned(change), first, revisionBody(type, record, links, none)));
    return 1;
  }

  /**
   * The next version of a record, where anything has changed. Of a record without versions (it was there before its type
   * had them, or was imported) the state before this change is kept as well.
   */
  async #updated(transaction: Transaction, change: RecordChange & { kind: 'updated' }): Promise<number | null> {
    const { type, before, record, links, authorship, translations } = change;
    const retention = type.facts.revisions;
    if (authorship === null || retention === undefined || before === undefined) return null;
    const old = revisionBody(type, before.record, before.links, translations?.before);
    const body = revisionBody(type, record, links, translations?.after);
    const head = {
      ...made(authorship),
      changed: changedFields(type, old, body),
      privateFields: type.facts.privateNames,
    };
    const whose = versioned(change);
    const { sitting } = authorship;
    if (sitting !== undefined) {
      const done = await this.#sittings.write(transaction, { type, whose, head, body, sitting });
      if (done !== undefined) return done.revision;
    }
    if (head.changed.length === 0) return null;
    const next = await transaction.first<{ revision: number | bigint }>(this.#statements.insertNext(whose, head, body));
    if (next === undefined) {
      const existing = { ...head, ...unknownMaking, revision: 1, changed: [] };
      await transaction.run(this.#statements.insert(whose, existing, old));
      await transaction.run(this.#statements.insert(whose, { ...head, revision: 2 }, body));
    }
    const revision = Number(next?.revision ?? 2);
    await this.#prune(transaction, whose, { ...head, revision }, retention);
    return revision;
  }

  async #prune(
    transaction: Transaction,
    whose: Versioned,
    { revision, at, action }: NewRevision & { readonly revision: number },
    retention: RevisionRetention,
  ): Promise<void> {
    const { keep } = retention;
    if (revision > keep) {
      const isAutosave = action === movingAction;
      await transaction.run(
        isAutosave ? this.#statements.removeMovingBeyond(whose, keep) : this.#statements.removeBeyond(whose, keep),
      );
    }
    const oldest = ageLimit(retention, at);
    if (oldest !== undefined) await transaction.run(this.#statements.removeBefore(whose, oldest, revision));
  }
}

const none: Translations = new Map();

const unknownMaking = { action: 'existing', author: null, authorKind: null, restoredFrom: null } as const;

const versioned = ({ type, id }: RecordChange): Versioned => ({ type: type.singular, record: id });

function made({ caller, now, action, restoredFrom }: Authorship) {
  return {
    action,
    author: callerId(caller),
    authorKind: caller.kind === 'anonymous' ? null : caller.kind,
    at: now,
    restoredFrom: restoredFrom ?? null,
  } as const;
}
