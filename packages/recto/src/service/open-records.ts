import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { eventWriter } from '../events/event-writer.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import type { WalkBounds } from '../query/list-query.ts';
import { AnswerCache } from '../records/answers/answer-cache.ts';
import { CursorSealer } from '../records/answers/cursor-sealer.ts';
import { defaultWalk } from '../records/list/link-scan.ts';
import { defaultMostMatches } from '../records/list/list-order.ts';
import { type Layouts, SchemaVersionGuard } from '../records/plans/schema-version-guard.ts';
import { Records } from '../records/records.ts';
import type { HooksOfType } from '../records/write/write-hooks.ts';

export interface RecordsParts {
  readonly settings: Pick<
    Settings,
    'cacheBytes' | 'cmsCacheTtlSecs' | 'cmsMaxPageSize' | 'exactTotals' | 'maxIncluded' | 'maxAnswer'
  >;
  readonly types: ContentTypes;
  readonly database: Database;
  /** From `LiveDefinitions`. */
  readonly layouts: Layouts;
  readonly metrics: Metrics;
  /** What tokens are signed with. */
  readonly secret: string;
  /** What runs with the writes of records, from each feature that has such. */
  writeHooks(records: () => Records): readonly HooksOfType[];
  /** So many matches of a search are counted and ranked; default: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** Default: `defaultWalk`. */
  readonly walk?: WalkBounds;
}

/** Service specification, section 8. */
const defaultPageSize = 20;

/** The records of all types, with the cache of their answers. */
export function openRecords(parts: RecordsParts): { readonly records: Records; readonly answers: AnswerCache } {
  const { settings, types, database, metrics, secret, mostMatches = defaultMostMatches, walk = defaultWalk } = parts;
  const answers = new AnswerCache(database.generations, {
    maxBytes: settings.cacheBytes,
    ttlSeconds: settings.cmsCacheTtlSecs,
  });
  metrics.watchCache(() => answers.stats);
  const { cmsMaxPageSize: maxPageSize, exactTotals } = settings;
  const limits = { pageSize: Math.min(defaultPageSize, maxPageSize), maxPageSize, exactTotals, mostMatches, walk };
  const layouts = new SchemaVersionGuard(database, types, parts.layouts);
  const budget = { included: settings.maxIncluded, bytes: settings.maxAnswer };
  const [hooks, ...others] = parts.writeHooks(() => records);
  if (others.length > 0) throw new Error('Two features have hooks of writes.');
  const records: Records = new Records({
    ...(hooks === undefined ? {} : { hooks }),
    database,
    types,
    changes: eventWriter,
    answers,
    limits,
    budget,
    layouts,
    cursors: new CursorSealer(secret),
  });
  return { records, answers };
}
