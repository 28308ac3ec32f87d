import type { Transaction } from '../../database/database.ts';
import { type JobKind, jobKind, periodicJob } from '../../jobs/job-kind.ts';
import { NoteStore } from '../../notes/note-store.ts';
import { digestJob, digestKey, nextDigest } from '../../notifications/digest-job.ts';
import { notificationDays } from '../../notifications/notification.ts';
import { NotificationStore } from '../../notifications/notification-store.ts';
import { notificationTables } from '../../notifications/notification-tables.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { events } from '../events/events-feature.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { mail } from '../mail/mail-feature.ts';
import { releases } from '../releases/releases-feature.ts';
import type { Content } from '../service-core.ts';
import { notificationOperations, notificationSettingOperations } from './notification-operations.ts';
import { pruneNotifications } from './prune-notifications.ts';

/** What concerns people of what others have done. */
export const notifications = defineFeature({
  name: 'notifications',
  tables: notificationTables,
  async create({ database, now, use }) {
    const { auth } = await use(accounts);
    const { log } = await use(events);
    const store = new NotificationStore(database.dialect);
    const reader = log.reader('notifications');
    const parts = {
      ...{ store, reader, log, database, now, accounts: auth.accounts },
      ...{ notes: new NoteStore(database.dialect), releases: await use(releases) },
    };
    const isDue = dueCheck(log, reader, database);
    const outbox = await use(mail);
    const queue = await use(jobs);
    /** Mails what is new to who wants that. */
    const mailLater = async (transaction: Transaction, account: string): Promise<void> => {
      if (outbox === undefined) return;
      const runAt = nextDigest((await store.settings(transaction, account))?.mail ?? 'off', now());
      if (runAt !== null)
        await queue.enqueueIn(transaction, digestJob, { account }, { key: digestKey(account), runAt });
    };
    return {
      operations: ({ records }) => {
        let loaded: Promise<Notifications> | undefined;
        const load = () => {
          loaded ??= import('../../notifications/notifications.ts').then(
            (code) => new code.Notifications({ ...parts, records, onSettings: mailLater }),
          );
          return loaded;
        };
        return [
          ...notificationOperations(load, database),
          ...(outbox === undefined ? [] : notificationSettingOperations(load)),
        ];
      },
      jobs: ({ records }: Content): readonly JobKind[] => [
        periodicJob(
          'notifications.read',
          { cron: '7 * * * *', earlier: async (at) => ((await isDue()) ? at : null) },
          async ({ signal }) => {
            const { NotificationReader } = await import('../../notifications/notification-reader.ts');
            await new NotificationReader({ ...parts, records, onNew: mailLater }).run(signal);
            return undefined;
          },
        ),
        periodicJob('notifications.prune', { cron: '37 3 * * *' }, async ({ signal }) => {
          await pruneNotifications(database, store, now() - notificationDays * dayMs, signal);
          return undefined;
        }),
        ...(outbox === undefined
          ? []
          : [
              jobKind(digestJob, async (work) => {
                const { sendDigest } = await import('../../notifications/digest.ts');
                return sendDigest({ ...parts, records, auth, outbox }, work);
              }),
            ]),
      ],
    };
  },
});

const dayMs = 86_400_000;

interface Numbered {
  last(): Promise<number>;
}

interface Positioned {
  begin(): Promise<number>;
}

/** How often the log is looked at for what other processes have committed, in milliseconds. */
const lookEveryMs = 2_000;

/** Whether the log goes on behind the reader. Answers from memory while this process has committed nothing and none has for a while. */
function dueCheck(log: Numbered, reader: Positioned, database: { onCommit(listener: () => void): () => void }) {
  let hasNews = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let position = -1;
  database.onCommit(() => {
    hasNews = true;
  });
  return async (): Promise<boolean> => {
    if (!hasNews && performance.now() - lookedAt < lookEveryMs) return false;
    hasNews = false;
    lookedAt = performance.now();
    const last = await log.last();
    if (last <= position) return false;
    position = await reader.begin();
    hasNews = last > position;
    return hasNews;
  };
}
