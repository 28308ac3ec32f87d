import { periodicJob } from '../../jobs/job-kind.ts';
import { formerSlugsTable } from '../../migrations/storage/former-slugs-table.ts';
import { linksTable } from '../../migrations/storage/links-table.ts';
import { revisionsTable } from '../../migrations/storage/revisions-table.ts';
import { ScheduledUpdates } from '../../records/batch/scheduled-updates.ts';
import { ReplyStore, replyTable } from '../../records/idempotency/reply-store.ts';
import { AgedRevisions } from '../../records/revisions/aged-revisions.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { batchJobKind } from './batch-job-kind.ts';
import { cmsOperations } from './cms-operations.ts';
import { linkOperations } from './links/link-operations.ts';
import { redirectsOperation } from './redirects/redirects-operation.ts';

/** The routes of all defined content types, and the scheduled and large changes of their records. */
export const records = defineFeature({
  name: 'records',
  tables: [revisionsTable, replyTable, linksTable, formerSlugsTable],
  async create({ log, now, settings: { publicUrl }, use }) {
    const queue = await use(jobs);
    const { auth } = await use(accounts);
    return {
      operations: ({ types, records }) => [
        ...cmsOperations(types, records, { jobs: queue, auth }),
        redirectsOperation(records),
        ...linkOperations(records, publicUrl),
      ],
      jobs({ records }) {
        const scheduled = new ScheduledUpdates(records, ({ error, ...record }) =>
          log.error({ ...record, err: error }, 'a scheduled update failed'),
        );
        const aged = new AgedRevisions(records);
        const replies = new ReplyStore(records.database, now);
        const dueAt = async (time: number): Promise<number | null> => {
          const due = await scheduled.dueAt(new Date(time).toISOString());
          return due === null ? null : Date.parse(due);
        };
        return [
          batchJobKind({ records, auth }),
          periodicJob('records.scheduled_updates', { cron: '7 * * * *', earlier: dueAt }, async ({ signal }) => {
            await scheduled.run(new Date(now()).toISOString(), signal);
            return undefined;
          }),
          periodicJob('records.aged_revisions', { cron: '23 * * * *' }, async ({ signal }) => {
            await aged.run(new Date(now()).toISOString(), signal);
            return undefined;
          }),
          periodicJob('records.expired_replies', { cron: '41 * * * *' }, async ({ signal }) => {
            await replies.clear(signal);
            return undefined;
          }),
        ];
      },
    };
  },
});
