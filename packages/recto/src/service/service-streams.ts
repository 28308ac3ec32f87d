import { authGeneration } from '../auth/auth-tables.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import type { EventLog } from '../events/event-log.ts';
import { EventStreams } from '../events/streams/event-streams.ts';
import type { ServedContent } from './served-content.ts';
import type { ServiceParts } from './service-parts.ts';

/** The streams of changes of a service; `content` finds what is served for the current content types. */
export function eventStreamsOf(
  { database, log: logger, settings }: Pick<ServiceParts, 'database' | 'log' | 'settings'>,
  log: EventLog,
  content: () => MaybePromise<ServedContent>,
): EventStreams {
  const { generations } = database;
  return new EventStreams({
    log,
    records: () => mapMaybe(content(), ({ records }) => records),
    rights: () => mapMaybe(generations.refresh(), () => generations.of(authGeneration)),
    limits: { process: settings.eventsMaxStreams, caller: settings.eventsMaxStreamsPerCaller },
    onError: (error) => logger.warn({ err: error }, 'events could not be sent; it is tried again'),
  });
}
