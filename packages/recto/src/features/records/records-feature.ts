import { linksTable } from '../../database/schema/links-table.ts';
import { revisionsTable } from '../../database/schema/revisions-table.ts';
import { cmsOperations } from '../../http/cms/cms-operations.ts';
import { replyTable } from '../../records/idempotency/reply-table.ts';
import { AgedRevisions } from '../../records/revisions/aged-revisions.ts';
import { ScheduledUpdates } from '../../records/scheduled-updates.ts';
import { defineFeature } from '../feature.ts';

/** The routes of all defined content types, and the scheduled changes of their records. */
export const records = defineFeature({
  name: 'records',
  tables: [revisionsTable, replyTable, linksTable],
  operations: ({ types, records }) => cmsOperations(types, records),
  jobs({ records, log }) {
    const scheduled = new ScheduledUpdates(records, ({ error, ...record }) =>
      log.error({ ...record, err: error }, 'a scheduled update failed'),
    );
    const aged = new AgedRevisions(records);
    return [
      { name: 'scheduled updates', run: (now, signal) => scheduled.run(now, signal) },
      { name: 'aged revisions', run: (now, signal) => aged.run(now, signal).then(() => null) },
    ];
  },
});
