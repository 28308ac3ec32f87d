import { EventLog } from '../../events/event-log.ts';
import { EventPruner } from '../../events/event-pruner.ts';
import { eventTables } from '../../events/event-tables.ts';
import type { EventStreams } from '../../events/streams/event-streams.ts';
import { StreamTickets } from '../../events/streams/stream-tickets.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { auditOperation } from './audit-operation.ts';
import { eventMetrics } from './event-metrics.ts';
import { eventStreamsOf } from './service-streams.ts';
import { streamOperations } from './stream-operations.ts';

/** What other features need of events. */
export interface Events {
  /** The log of changes, one for the whole process. */
  readonly log: EventLog;
  /** The streams of changes of this process. */
  readonly streams: EventStreams;
}

/** The log of changes, its audit view and its streams. */
export const events = defineFeature({
  name: 'events',
  tables: eventTables,
  checks: [async (installation) => (await import('./events-check.ts')).eventsFinding(installation)],
  async create(core) {
    const { database, settings, secret, now } = core;
    const log = new EventLog(database);
    const streams = eventStreamsOf(core, log);
    const { auth } = await core.use(accounts);
    const tickets = new StreamTickets(database, secret, auth.now);
    const service: Events = { log, streams };
    return {
      service,
      operations: ({ types, records }) => [
        auditOperation({ events: log, types }),
        ...streamOperations({ streams, records, authenticator: auth.authenticator, tickets }),
      ],
      jobs() {
        const pruner = new EventPruner(database, settings.eventsKeepDays);
        return [
          periodicJob('events.prune', { cron: '11 * * * *' }, async ({ signal }) => {
            await pruner.run(new Date(now()).toISOString(), signal);
            return undefined;
          }),
        ];
      },
      metrics: eventMetrics(service, database),
    };
  },
});
