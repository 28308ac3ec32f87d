import type { Account } from '../auth/account.ts';
import type { AccountStore } from '../auth/account-store.ts';
import { workingName } from '../auth/working-name.ts';
import type { AuthenticatedCaller } from '../base/caller.ts';
import { system } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { logOtherChange } from '../events/event-writer.ts';
import { notificationEvents } from '../events/streams/stream-types.ts';
import type { NotificationSettings } from './notification.ts';
import { NotificationSight, type NotificationSightParts, type SeenNotification } from './notification-sight.ts';
import type { MarkedRead, NotificationStore } from './notification-store.ts';

/** Unread ones that are counted; where there are more, their number is not known. */
export const mostCounted = 100;

/** Notifications that are looked up together. */
const mostAtOnce = 500;

/** Notifications that one request looks through for those that are still for their receiver. */
const mostLooked = 1_000;

export interface NotificationsParts extends NotificationSightParts {
  readonly store: NotificationStore;
  readonly accounts: Pick<AccountStore, 'byId'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called within the transaction that keeps an account's settings. */
  readonly onSettings: (transaction: Transaction, account: string) => Promise<void>;
}

/** A notification as its receiver gets it. */
export interface ShownNotification {
  readonly notification: SeenNotification;
  readonly title: string | null;
  readonly actor: { readonly id: string; readonly name: string | null } | null;
}

export interface NotificationPage {
  readonly items: readonly ShownNotification[];
  /** What the next page is asked for with; null: there is none. */
  readonly next: string | null;
}

/** What people do with their notifications. */
export class Notifications {
  readonly #parts: NotificationsParts;

  constructor(parts: NotificationsParts) {
    this.#parts = parts;
  }

  /** Those that the receiver may still read, newest first. */
  async list(
    caller: AuthenticatedCaller,
    {
      unread,
      before,
      limit,
    }: { readonly unread?: boolean | undefined; readonly before?: string | undefined; readonly limit: number },
  ): Promise<NotificationPage> {
    const { store, records } = this.#parts;
    const sight = new NotificationSight(this.#parts, caller);
    const found: SeenNotification[] = [];
    let last = before;
    for (let looked = 0; looked < mostLooked && found.length <= limit; looked += limit + 1) {
      const some = await store.page(records.database, { account: caller.id, unread, before: last, limit: limit + 1 });
      found.push(...(await sight.seen(some)));
      last = some.at(-1)?.id ?? last;
      if (some.length <= limit) {
        last = undefined;
        break;
      }
    }
    const items = found.slice(0, limit);
    const next = found.length > limit ? items.at(-1)?.id : last;
    const shown: ShownNotification[] = [];
    for (const notification of items) {
      const title = await sight.title(notification);
      shown.push({ notification, title, actor: await actorOf(this.#parts, caller, notification.actor) });
    }
    return { items: shown, next: next ?? null };
  }

  /** How many unread ones the receiver may still read, of the newest `mostCounted`. */
  async unread(caller: AuthenticatedCaller): Promise<number> {
    const { store, records } = this.#parts;
    const sight = new NotificationSight(this.#parts, caller);
    let [count, before]: [number, string | undefined] = [0, undefined];
    for (let looked = 0; looked < mostLooked && count < mostCounted; looked += mostCounted) {
      const some = await store.page(records.database, { account: caller.id, unread: true, before, limit: mostCounted });
      count += (await sight.seen(some)).length;
      before = some.at(-1)?.id;
      if (some.length < mostCounted) break;
    }
    return Math.min(count, mostCounted);
  }

  /** Who has set nothing gets no mails. */
  async settings({ id }: AuthenticatedCaller): Promise<NotificationSettings> {
    const { store, records } = this.#parts;
    return (await store.settings(records.database, id)) ?? { mail: 'off', language: 'en' };
  }

  /** Keeps when somebody gets mails. What is not read yet is mailed, too. */
  async keepSettings({ id }: AuthenticatedCaller, settings: NotificationSettings): Promise<void> {
    const { store, records, onSettings } = this.#parts;
    await records.database.transaction(async (transaction) => {
      await store.keepSettings(transaction, id, settings);
      await onSettings(transaction, id);
    });
  }

  /**
   * Those of some unread ones that the receiver may read. The others stay unread: how many they are is nothing to say, and they are news
   * to somebody who may read them again.
   */
  async unreadOf(caller: AuthenticatedCaller, marked: MarkedRead): Promise<readonly string[]> {
    const { store, records } = this.#parts;
    const sight = new NotificationSight(this.#parts, caller);
    const found: string[] = [];
    for (let before: string | undefined; ; ) {
      const some = await store.unread(records.database, { account: caller.id, marked, before, limit: mostAtOnce });
      found.push(...(await sight.seen(some)).map(({ id }) => id));
      before = some.at(-1)?.id;
      if (some.length < mostAtOnce) return found;
    }
  }

  /** Marks some as read, and lets the receiver's other windows know. Returns how many were not. */
  async markRead(transaction: Transaction, { id }: AuthenticatedCaller, ids: readonly string[]): Promise<number> {
    const { store, now } = this.#parts;
    let read = 0;
    for (let from = 0; from < ids.length; from += mostAtOnce)
      read += await store.markRead(transaction, id, ids.slice(from, from + mostAtOnce), now());
    if (read === 0) return read;
    const at = new Date(now()).toISOString();
    const change = { type: notificationEvents, id, tenant: null, action: 'update', changed: [], at } as const;
    logOtherChange(transaction, { ...change, caller: system });
    transaction.touch(notificationEvents);
    return read;
  }
}

/** Who has done something. Somebody of another tenant has no name for the receiver. */
export async function actorOf(
  { accounts, records }: Pick<NotificationsParts, 'accounts' | 'records'>,
  { tenant }: AuthenticatedCaller,
  id: string | null,
): Promise<ShownNotification['actor']> {
  if (id === null) return null;
  const account = await accounts.byId(records.database, id);
  if (account === undefined || (tenant !== undefined && account.tenant !== tenant)) return { id, name: null };
  return { id, name: nameOf(account) };
}

const nameOf = ({ profile, username, email }: Account): string =>
  workingName({ displayName: profile.display_name, username, email });
