import type { AuthServices } from '../auth/auth-services.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { authOperations } from '../http/auth/auth-operations.ts';
import { cmsOperations } from '../http/cms/cms-operations.ts';
import { healthOperations } from '../http/health/health-operations.ts';
import type { HealthState } from '../http/health/health-state.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { metricsOperation } from '../http/metrics/metrics-operation.ts';
import type { Operation } from '../http/operation.ts';
import { AnswerCache } from '../records/answer-cache.ts';
import { Records } from '../records/records.ts';

export interface OperationParts {
  readonly settings: Settings;
  readonly types: ContentTypes;
  readonly database: Database;
  readonly auth: AuthServices;
  readonly health: HealthState;
  readonly metrics: Metrics;
}

/** Service specification, section 8. */
const defaultPageSize = 20;

/** Every operation that the service answers, but the document that describes them. */
export function serviceOperations(parts: OperationParts): readonly Operation[] {
  const { settings, types, auth, health, metrics } = parts;
  return [
    ...cmsOperations(types, recordsOf(parts)),
    ...authOperations(auth, settings.cmsMaxPageSize),
    ...healthOperations(health),
    ...(settings.metrics ? [metricsOperation(metrics)] : []),
  ];
}

function recordsOf({ settings, types, database, metrics }: OperationParts): Records {
  const answers = new AnswerCache(database.generations, {
    maxBytes: settings.cacheBytes,
    ttlSeconds: settings.cmsCacheTtlSecs,
  });
  metrics.watchCache(() => answers.stats);
  const { cmsMaxPageSize: maxPageSize } = settings;
  const limits = { pageSize: Math.min(defaultPageSize, maxPageSize), maxPageSize };
  return new Records({ database, types, answers, limits });
}
