import type { AuthServices } from '../auth/auth-services.ts';
import { version } from '../base/version.ts';
import type { Settings } from '../config/settings.ts';
import { DefinitionChanges } from '../content-types/definition-changes.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { authOperations } from '../http/auth/auth-operations.ts';
import { cmsOperations } from '../http/cms/cms-operations.ts';
import { commentOperations } from '../http/comments/comment-operations.ts';
import { contentTypeOperations } from '../http/content-types/content-type-operations.ts';
import { healthOperations } from '../http/health/health-operations.ts';
import type { HealthState } from '../http/health/health-state.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { metricsOperation } from '../http/metrics/metrics-operation.ts';
import { openApiOperation } from '../http/openapi-operation.ts';
import type { Operation } from '../http/operation.ts';
import { publicationOperations } from '../http/publications/publication-operations.ts';
import { AnswerCache } from '../records/answer-cache.ts';
import { CursorSealer } from '../records/cursor-sealer.ts';
import { LayoutGuard, type Layouts } from '../records/layout-guard.ts';
import { Records } from '../records/records.ts';

export interface OperationParts {
  readonly settings: Pick<Settings, 'cmsMaxPageSize' | 'metrics' | 'publicUrl' | 'commentsAutoApprove' | 'rateLimit'>;
  readonly definitions: LiveDefinitions;
  readonly types: ContentTypes;
  readonly records: Records;
  readonly auth: AuthServices;
  readonly health: HealthState;
  readonly metrics: Pick<Metrics, 'text'>;
}

/** Every operation that the service answers, the document that describes them all included. */
export function serviceOperations(parts: OperationParts): readonly Operation[] {
  const { settings, definitions, types, records, auth, health, metrics } = parts;
  const operations: Operation[] = [
    ...publicationOperations({ types, records, publicUrl: settings.publicUrl }),
    ...commentOperations({
      types,
      records,
      auth,
      autoApprove: settings.commentsAutoApprove,
      rateLimit: settings.rateLimit,
    }),
    ...cmsOperations(types, records),
    ...contentTypeOperations(new DefinitionChanges(definitions), settings.cmsMaxPageSize),
    ...authOperations(auth, settings.cmsMaxPageSize),
    ...healthOperations(health),
    ...(settings.metrics ? [metricsOperation(metrics)] : []),
  ];
  operations.push(
    openApiOperation(async () => {
      const { openApiDocument } = await import('../http/openapi-document.ts');
      return openApiDocument(operations, { title: 'Recto', version });
    }),
  );
  return operations;
}

export interface RecordsParts {
  readonly settings: Pick<Settings, 'cacheBytes' | 'cmsCacheTtlSecs' | 'cmsMaxPageSize'>;
  readonly types: ContentTypes;
  readonly database: Database;
  /** As `LiveDefinitions` tells them. */
  readonly layouts: Layouts;
  readonly metrics: Metrics;
  /** What tokens are signed with. */
  readonly secret: string;
}

/** Service specification, section 8. */
const defaultPageSize = 20;

/** The records of all types, with the cache of their answers. */
export function openRecords(parts: RecordsParts): Records {
  const { settings, types, database, metrics, secret } = parts;
  const answers = new AnswerCache(database.generations, {
    maxBytes: settings.cacheBytes,
    ttlSeconds: settings.cmsCacheTtlSecs,
  });
  metrics.watchCache(() => answers.stats);
  const { cmsMaxPageSize: maxPageSize } = settings;
  const limits = { pageSize: Math.min(defaultPageSize, maxPageSize), maxPageSize };
  const layouts = new LayoutGuard(database, types, parts.layouts);
  return new Records({ database, types, answers, limits, layouts, cursors: new CursorSealer(secret) });
}
