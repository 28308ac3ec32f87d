import { authGeneration } from '../../auth/auth-tables.ts';
import { mapMaybe } from '../../base/maybe-promise.ts';
import type { EventLog } from '../../events/event-log.ts';
import { EventStreams } from '../../events/streams/event-streams.ts';
import type { ServiceCore } from '../service-core.ts';

/** The streams of changes of a service, by what is served at the time. */
export function eventStreamsOf({ database, log: logger, settings, content }: ServiceCore, log: EventLog): EventStreams {
  const { generations } = database;
  return new EventStreams({
    log,
    records: () => mapMaybe(content(), ({ records }) => records),
    rights: () => mapMaybe(generations.refresh(), () => generations.of(authGeneration)),
    limits: { process: settings.eventsMaxStreams, caller: settings.eventsMaxStreamsPerCaller },
    onError: (error) => logger.warn({ err: error }, 'events could not be sent; it is tried again'),
  });
}
