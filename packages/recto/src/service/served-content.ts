import type { ContentTypes } from '../definition/content-type.ts';
import { accounts } from '../features/accounts/accounts-feature.ts';
import { contentTypes } from '../features/content-types/content-types-feature.ts';
import { previews } from '../features/previews/previews-feature.ts';
import type { Content } from '../features/service-core.ts';
import { type App, createApp } from '../http/app.ts';
import type { Idempotency } from '../http/idempotency/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import type { OpenStreams } from '../http/responses/open-streams.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { AnswerCache } from '../records/answers/answer-cache.ts';
import type { Records } from '../records/records.ts';
import { openRecords } from './open-records.ts';
import type { ServiceParts } from './service-parts.ts';

/** The request handler and jobs for one set of content types. */
export interface ServedContent extends Content {
  readonly answers: AnswerCache;
  readonly app: App;
  readonly jobs: readonly JobKind[];
}

interface ContentParts extends ServiceParts {
  readonly idempotency: Idempotency;
  readonly streams: OpenStreams;
  /** The app of the content types as they are now. */
  readonly latest: () => Promise<App>;
}

/** Each has its own records, and so no responses cached for other definitions. */
export function serveContent(types: ContentTypes, parts: ContentParts): ServedContent {
  const { features, idempotency, settings, streams, log, latest } = parts;
  const { metrics } = parts.process;
  const { layouts } = features.get(contentTypes);
  const writeHooks = (of: () => Records) => features.parts.flatMap((feature) => feature.writeHooks?.(of) ?? []);
  const { records, answers } = openRecords({ ...parts, types, metrics, layouts, writeHooks });
  const content: Content = { types, records, operations: () => operations };
  const operations: readonly Operation[] = features.parts.flatMap((feature) => feature.operations?.(content) ?? []);
  const app = createApp({
    operations,
    ownRoles: types.ownRoles,
    authenticator: features.get(accounts).auth.authenticator,
    previews: features.get(previews).of(content),
    idempotency,
    log,
    observe: (finished) => metrics.observe(finished),
    maxBody: settings.maxBody,
    requestTimeoutMs: settings.requestTimeoutSecs * 1000,
    proxies: new TrustedProxies(settings.trustedProxies),
    corsOrigins: settings.corsOrigins,
    streams,
    mounts: features.parts.flatMap((feature) => feature.mounts?.(content) ?? []),
    latest,
  });
  const jobs = features.parts.flatMap((feature) => feature.jobs?.(content) ?? []);
  return { ...content, answers, app, jobs };
}
