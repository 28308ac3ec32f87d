import type { ContentTypes } from '../definition/content-type.ts';
import type { EventLog } from '../events/event-log.ts';
import type { EventStreams } from '../events/streams/event-streams.ts';
import type { FeatureContext } from '../features/feature.ts';
import type { HealthState } from '../features/health/health-state.ts';
import { type App, createApp } from '../http/app.ts';
import type { Idempotency } from '../http/idempotency/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import type { OpenStreams } from '../http/responses/open-streams.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { MediaServices } from '../media/media-services.ts';
import type { AnswerCache } from '../records/answers/answer-cache.ts';
import type { Records } from '../records/records.ts';
import { openRecords } from './open-records.ts';
import type { ServiceParts } from './service-parts.ts';

/** The request handler and jobs for one set of content types. */
export interface ServedContent {
  readonly records: Records;
  readonly answers: AnswerCache;
  readonly operations: readonly Operation[];
  readonly app: App;
  readonly jobs: readonly JobKind[];
}

interface ContentParts extends Omit<ServiceParts, 'now'> {
  readonly jobs: Jobs;
  readonly idempotency: Idempotency;
  readonly health: HealthState;
  readonly streams: OpenStreams;
  readonly media: MediaServices;
  readonly events: EventLog;
  readonly eventStreams: EventStreams;
  /** The app of the content types as they are now. */
  readonly latest: () => Promise<App>;
}

/** Each has its own records, and so no responses cached for other definitions. */
export function serveContent(types: ContentTypes, parts: ContentParts): ServedContent {
  const {
    features,
    definitions,
    auth,
    idempotency,
    settings,
    metrics,
    group,
    health,
    media,
    streams,
    events,
    eventStreams,
    secret,
    log,
    code,
  } = parts;
  const { now } = parts.jobs;
  const { records, answers } = openRecords({ ...parts, types, layouts: definitions.layouts });
  const metricsText = group?.metricsText ?? (() => metrics.text());
  const context: FeatureContext = {
    ...{
      settings,
      log,
      types,
      records,
      events,
      streams: eventStreams,
      secret,
      definitions,
      auth,
      health,
      media,
      metricsText,
      now,
      code,
    },
    workers: group?.workers ?? 1,
    jobs: parts.jobs,
    operations: () => operations,
  };
  const operations: readonly Operation[] = features.flatMap((feature) => feature.operations?.(context) ?? []);
  metrics.watchFeatures(features.flatMap((feature) => feature.metrics?.(context) ?? []));
  const app = createApp({
    operations,
    authenticator: auth.authenticator,
    idempotency,
    log,
    observe: (finished) => metrics.observe(finished),
    maxBody: settings.maxBody,
    requestTimeoutMs: settings.requestTimeoutSecs * 1000,
    proxies: new TrustedProxies(settings.trustedProxies),
    corsOrigins: settings.corsOrigins,
    streams,
    mounts: features.flatMap((feature) => feature.mounts?.(context) ?? []),
    latest: parts.latest,
  });
  const jobs = features.flatMap((feature) => feature.jobs?.(context) ?? []);
  return { records, answers, operations, app, jobs };
}
