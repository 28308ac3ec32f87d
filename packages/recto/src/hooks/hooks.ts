import type { LoggedEvent } from '../events/logged-event.ts';
import type { HookDatabase, Singular, StoredRecordOf, WrittenRecordOf } from './content.ts';
import type { HookCaller } from './hook-caller.ts';
import type { HookMails } from './hook-mail.ts';

/** A change, as `after` is given it. */
export interface HookEvent extends LoggedEvent {
  /** The same at each attempt for this hook and this change, and for no other: a key against doing something twice. */
  readonly key: string;
  /** From 1. */
  readonly attempt: number;
}

interface Written<S extends string> {
  /** As it would be stored; changes of it are written. */
  readonly record: WrittenRecordOf<S>;
  /** As it is stored; null for a new record. */
  readonly before: StoredRecordOf<S> | null;
  readonly caller: HookCaller;
  /** Reports an invalid field: the write is rejected with 422. `code` is snake_case. */
  error(field: string, code: string, message: string): void;
}

/** What `check` is given. */
export type CheckContext<S extends string> = Written<S>;

/** What `write` is given. */
export interface WriteContext<S extends string> extends Written<S> {
  /** The content in the transaction of the write, with the rights of the caller. */
  readonly tx: HookDatabase;
}

/** What `after` is given. */
export interface AfterContext {
  readonly event: HookEvent;
  /** Acts as the account or token that made the change, with the rights that it has now; without rights where there is none. */
  readonly db: HookDatabase;
  /** Sends mails through the service’s outbox. */
  readonly mail: HookMails;
  /** Aborted when the time is up, or the service stops. */
  readonly signal: AbortSignal;
}

export interface HookHandlers<S extends string> {
  /**
   * Judges a record before it is created or updated, and may change it. Synchronous and pure: it may run again for the same
   * write, and in its transaction.
   */
  check?(context: CheckContext<S>): void;
  /** Runs in the transaction, before the record is written. Awaits nothing but `tx`; may run again for the same write. */
  write?(context: WriteContext<S>): void | Promise<void>;
  /** Runs after the commit, in a thread of its own, at least once for each change. What it throws is logged, and it runs again. */
  after?(context: AfterContext): void | Promise<void>;
  /** How long `after` may take, and `write` make calls, in seconds. Default 10. */
  readonly timeout?: number;
}

/** Hooks of one content type. */
export interface Hooks {
  readonly kind: 'hooks';
  /** The singular name of the content type. */
  readonly type: string;
  readonly handlers: HookHandlers<string>;
}

/**
 * Hooks of a content type, the default export of a file in `hooks/`.
 *
 * @example
 * export default hooks('article', {
 *   check({ record, error }) {
 *     if (record.title === record.title.toUpperCase()) error('title', 'shouting', 'Write in lower case.');
 *   },
 * });
 */
export const hooks = <S extends Singular>(type: S, handlers: HookHandlers<S>): Hooks => ({
  kind: 'hooks',
  type,
  // True because they are called for records of this type alone.
  handlers: handlers as unknown as HookHandlers<string>,
});
