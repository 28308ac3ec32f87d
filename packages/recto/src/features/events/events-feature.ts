import { EventPruner } from '../../events/event-pruner.ts';
import { eventTables } from '../../events/event-tables.ts';
import { auditOperation } from '../../http/events/audit-operation.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { defineFeature } from '../feature.ts';

/** The log of changes and its audit view. */
export const events = defineFeature({
  name: 'events',
  tables: eventTables,
  jobs({ records, settings, now }) {
    const pruner = new EventPruner(records.database, settings.eventsKeepDays);
    return [
      periodicJob('events.prune', { cron: '11 * * * *' }, async ({ signal }) => {
        await pruner.run(new Date(now()).toISOString(), signal);
        return undefined;
      }),
    ];
  },
  operations: ({ events, types }) => [auditOperation({ events, types })],
});
