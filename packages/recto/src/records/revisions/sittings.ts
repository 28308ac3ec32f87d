import type { SqlValue } from '../../base/bindings.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { isMoving, type NewRevision, type RevisionBody, type RevisionHead } from './revision.ts';
import { changedFields } from './revision-body.ts';
import { type HeadRow, headOf, type RevisionStatements, type Versioned } from './revision-statements.ts';

/**
 * How a write belongs to a sitting, in which a person has a record open and their changes are saved by themselves: it continues it, or
 * ends it with what they save themselves.
 */
export type Sitting = 'continue' | 'end';

/** A pause that ends a sitting. */
const longestPauseMs = 30 * 60_000;

/** More than people write a record at the same time. */
const mostSittings = 20;

interface SittingWrite {
  readonly type: ContentType;
  readonly whose: Versioned;
  readonly head: NewRevision;
  readonly body: RevisionBody;
  readonly sitting: Sitting;
}

/** What a write of a sitting has done: the number of its revision, null for none, or nothing, so that it needs one of its own. */
export type SittingResult = { readonly revision: number | null } | undefined;

/** Moves the one revision of each sitting along with what the person writes. */
export class Sittings {
  readonly #statements: RevisionStatements;

  constructor(statements: RevisionStatements) {
    this.#statements = statements;
  }

  async write(transaction: Transaction, write: SittingWrite): Promise<SittingResult> {
    const { whose, head, sitting } = write;
    const rows = await transaction.rows<HeadRow>(this.#statements.newest(whose, mostSittings + 1));
    const heads = rows.map(headOf);
    const kept = heads.findIndex((one) => !isMoving(one));
    const place = heads.slice(0, kept < 0 ? mostSittings : kept).findIndex((one) => isOfSitting(one, head));
    const own = heads[place];
    if (own === undefined) return undefined;
    const hasChanged = head.changed.length > 0;
    if (!hasChanged && sitting === 'continue') return { revision: null };
    if (place === 0) return this.#move(transaction, write, own, heads[1]);
    // Another person has written since. What is saved without a change is the record as it is, with both.
    if (!hasChanged) return { revision: null };
    await this.#fold(transaction, whose, own, heads[place - 1]);
    return undefined;
  }

  /** The newest revision becomes the record as it is now; it goes where that is the version before again. */
  async #move(
    transaction: Transaction,
    { type, whose, head, body }: SittingWrite,
    own: RevisionHead,
    before: RevisionHead | undefined,
  ): Promise<SittingResult> {
    const { revision } = own;
    const old = before === undefined ? undefined : await this.#body(transaction, whose, before.revision);
    const changed = old === undefined ? own.changed : changedFields(type, old, body);
    if (changed.length === 0 && old !== undefined) {
      await transaction.run(this.#statements.remove(whose, revision));
      return { revision: null };
    }
    await transaction.run(this.#statements.replace(whose, revision, { ...head, changed }, body));
    return { revision };
  }

  /** Takes a revision away: what has changed with it has changed with the next one, too. */
  async #fold(
    transaction: Transaction,
    whose: Versioned,
    own: RevisionHead,
    next: RevisionHead | undefined,
  ): Promise<void> {
    await transaction.run(this.#statements.remove(whose, own.revision));
    if (next === undefined) return;
    const changed = [...new Set([...own.changed, ...next.changed])];
    const privateFields = new Set([...own.privateFields, ...next.privateFields]);
    await transaction.run(this.#statements.describe(whose, { ...next, changed, privateFields }));
  }

  async #body(transaction: Transaction, whose: Versioned, revision: number): Promise<RevisionBody | undefined> {
    const row = await transaction.first<{ body: SqlValue }>(this.#statements.body(whose, revision));
    // The column only ever gets what `revisionBody` makes.
    return row === undefined ? undefined : (JSON.parse(String(row.body)) as RevisionBody);
  }
}

const isOfSitting = (one: RevisionHead, { author, authorKind, at }: NewRevision): boolean =>
  one.author === author && one.authorKind === authorKind && Date.parse(at) - Date.parse(one.at) <= longestPauseMs;
