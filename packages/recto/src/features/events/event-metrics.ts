import type { Database } from '../../database/database.ts';
import type { EventLog } from '../../events/event-log.ts';
import { readerStates } from '../../events/reader-state.ts';
import type { EventStreams } from '../../events/streams/event-streams.ts';
import { streamRefusals } from '../../events/streams/stream-places.ts';
import type { FeatureMetric } from '../../http/metrics/feature-metric.ts';

interface EventParts {
  readonly log: EventLog;
  readonly streams: EventStreams;
}

/** What `GET /metrics` shows of the log of changes and its streams. */
export const eventMetrics = ({ log, streams }: EventParts, database: Database): readonly FeatureMetric[] => [
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
      const own = position === null ? 0 : Math.max(0, (await log.last()) - position);
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
    read: async () => [{ labels: {}, value: await log.heldBackSeconds() }],
  },
];
