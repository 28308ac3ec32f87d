import { EventPruner } from '../../events/event-pruner.ts';
import { eventTables } from '../../events/event-tables.ts';
import { readerStates } from '../../events/reader-state.ts';
import { streamRefusals } from '../../events/streams/stream-places.ts';
import { StreamTickets } from '../../events/streams/stream-tickets.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { defineFeature } from '../feature.ts';
import { auditOperation } from './audit-operation.ts';
import { streamOperations } from './stream-operations.ts';

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
  metrics: ({ events, streams, records: { database } }) => [
    {
      name: 'recto_event_streams',
      help: 'Open streams of changes.',
      type: 'gauge',
      labelNames: [],
      read: () => [{ labels: {}, value: streams.size }],
    },
    {
      name: 'recto_event_streams_rejected_total',
      help: 'Streams of changes that were not opened because there were too many, by limit.',
      type: 'counter',
      labelNames: ['limit'],
      read: () => streamRefusals.map((limit) => ({ labels: { limit }, value: streams.places.refused(limit) })),
    },
    {
      name: 'recto_event_reader_lag',
      help: 'Events that a reader of the log has not dealt with.',
      type: 'gauge',
      labelNames: ['reader'],
      aggregate: 'max',
      read: async () => {
        const stored = await readerStates(database, database.dialect);
        const { position } = streams;
        const own = position === null ? 0 : Math.max(0, (await events.last()) - position);
        return [
          { labels: { reader: 'streams' }, value: own },
          ...stored.map(({ name, behind }) => ({ labels: { reader: name }, value: behind })),
        ];
      },
    },
    {
      name: 'recto_event_log_held_seconds',
      help: 'For how long the oldest transaction has run that all readers of the log wait for.',
      type: 'gauge',
      labelNames: [],
      aggregate: 'max',
      read: async () => [{ labels: {}, value: await events.heldBackSeconds() }],
    },
  ],
  operations: ({ events, streams, types, records, auth, secret }) => [
    auditOperation({ events, types }),
    ...streamOperations({
      ...{ streams, records, authenticator: auth.authenticator },
      tickets: new StreamTickets(records.database, secret, auth.now),
    }),
  ],
});
