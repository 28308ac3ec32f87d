import { EventPruner } from '../../events/event-pruner.ts';
import { eventTables } from '../../events/event-tables.ts';
import { StreamTickets } from '../../events/streams/stream-tickets.ts';
import { auditOperation } from '../../http/events/audit-operation.ts';
import { streamOperations } from '../../http/events/stream-operations.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { defineFeature } from '../feature.ts';

/** The log of changes, its audit view and its streams. */
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
  operations: ({ events, streams, types, records, auth, secret }) => [
    auditOperation({ events, types }),
    ...streamOperations({
      ...{ streams, records, authenticator: auth.authenticator },
      tickets: new StreamTickets(records.database, secret, auth.now),
    }),
  ],
});
