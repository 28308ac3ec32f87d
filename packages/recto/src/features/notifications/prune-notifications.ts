import type { Database } from '../../database/database.ts';
import type { NotificationStore } from '../../notifications/notification-store.ts';

/** Rows that one transaction removes: other writers wait for it. */
const some = 500;

/** Removes notifications of what happened before a time, in milliseconds since 1970. */
export async function pruneNotifications(
  database: Database,
  store: NotificationStore,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const removed = await database.transaction((transaction) => store.prune(transaction, before, some));
    if (removed < some) return;
  }
}
