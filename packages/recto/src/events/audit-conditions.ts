import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../base/caller.ts';
import type { ContentTypes } from '../definition/content-type.ts';

/** What an audit asks for. */
export interface AuditFilter {
  /** Singular or plural. */
  readonly type?: string | undefined;
  readonly record?: string | undefined;
  /** An id, or `system`. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Canonical times: from then on, and before then. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * The rows that the caller may see of those that are asked for. Editors see those of records; who belongs to a tenant, or asks
 * about one, sees that tenant's alone. `among`: the only types whose events they see.
 */
export function auditConditions(
  { type, record, actor, action, since, until }: AuditFilter,
  caller: Caller,
  types: ContentTypes,
  among?: readonly string[],
): readonly RawBuilder<boolean>[] {
  // What the service makes of other events, for their receivers.
  const conditions: RawBuilder<boolean>[] = [sql`"type" <> 'recto:notification'`];
  if (among?.length === 0) conditions.push(sql`1 = 0`);
  else if (among !== undefined) conditions.push(sql`"type" in (${sql.join(among)})`);
  if (caller.kind === 'anonymous' || caller.role !== 'admin') conditions.push(sql`"type" not like ${`${ownPrefix}%`}`);
  const tenant = caller.tenant ?? caller.visited;
  if (tenant !== undefined) conditions.push(sql`"tenant" = ${tenant}`);
  if (type !== undefined) conditions.push(sql`"type" = ${loggedName(type, types)}`);
  if (record !== undefined) conditions.push(sql`"record" = ${record}`);
  if (actor !== undefined) {
    conditions.push(actor === 'system' ? sql`"actor_kind" = ${actor}` : sql`"actor" = ${actor}`);
  }
  if (action !== undefined) conditions.push(sql`"action" = ${action}`);
  if (since !== undefined) conditions.push(sql`"at" >= ${since}`);
  if (until !== undefined) conditions.push(sql`"at" < ${until}`);
  return conditions;
}

/** What begins the types of events that are not about records. */
const ownPrefix = 'recto:';

/** Types that are no longer served are found by their singular names; accounts, definitions and the like also without the prefix. */
function loggedName(name: string, types: ContentTypes): string {
  const type = types.all.find(({ singular, plural }) => singular === name || plural === name);
  return type?.singular ?? others.get(name) ?? name;
}

const others = new Map([
  ['account', 'recto:account'],
  ['accounts', 'recto:account'],
  ['user', 'recto:account'],
  ['users', 'recto:account'],
  ['saved-view', 'recto:saved_view'],
  ['saved-views', 'recto:saved_view'],
  ['api-token', 'recto:api_token'],
  ['api-tokens', 'recto:api_token'],
  ['content-type', 'recto:content_type'],
  ['content-types', 'recto:content_type'],
  ['note', 'recto:note'],
  ['notes', 'recto:note'],
  ['release', 'recto:release'],
  ['releases', 'recto:release'],
  ['role', 'recto:role'],
  ['roles', 'recto:role'],
  ['webhook', 'recto:webhook'],
  ['webhooks', 'recto:webhook'],
]);
