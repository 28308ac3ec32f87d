import { type RawBuilder, sql } from 'kysely';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { isFoundBySlug, slugFieldOf } from '../../definition/slug-field.ts';
import { type Answer, followedTag } from '../answers/answer.ts';
import { linkedRecords, withSlugs } from '../answers/record-links.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable, type PlanContext } from '../plans/visibility.ts';
import type { ReadContext } from './read-context.ts';

/** The most records that the links of one answer are followed to. Further links keep the address that is stored. */
export const mostFollowed = 256;

interface SlugPlan {
  readonly select: Plan;
  readonly reads: PlanReads;
}

const row = 't0';

/**
 * The answer of a public read with the present slugs of the records that links in it lead to, of those that `get` shows the caller:
 * any other link keeps the address that is stored, and so says nothing of its record. To be called for each request, and not for an
 * answer that is remembered for several callers. One statement for each type of such records.
 */
export function followLinks(context: ReadContext, answer: Answer, caller: Caller): MaybePromise<Answer> {
  return answer.linked === true ? followed(context, answer, caller) : answer;
}

async function followed(context: ReadContext, answer: Answer, caller: Caller): Promise<Answer> {
  const text = typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body);
  const slugs = await presentSlugs(context, text, caller);
  const body = slugs.size === 0 ? text : withSlugs(text, slugs);
  if (body === text) return answer;
  const { etag, cacheStatus } = answer;
  return { body, etag: followedTag(etag, body), ...(cacheStatus === undefined ? {} : { cacheStatus }) };
}

/** By `plural/id`. */
async function presentSlugs(context: ReadContext, text: string, caller: Caller): Promise<ReadonlyMap<string, string>> {
  const byPlural = Map.groupBy(linkedRecords(text, mostFollowed), ({ plural }) => plural);
  const slugs = new Map<string, string>();
  for (const type of context.types.all) {
    const linked = byPlural.get(type.plural);
    if (linked === undefined || !isFoundBySlug(type)) continue;
    const ids = linked.map(({ id }) => id);
    const { select, reads } = slugPlan(context, type, caller, ids.length);
    const reader = context.database.reader([type.singular, ...reads.types], 'records');
    const rows = await reader.rows<{ id: string; slug: string | null }>(
      select.bind(new RequestBindings(caller, filled(ids))),
    );
    for (const { id, slug } of rows) if (slug !== null) slugs.set(`${type.plural}/${id}`, slug);
  }
  return slugs;
}

/** Few plans for any number of ids. */
const sizeFor = (count: number): number => 2 ** Math.ceil(Math.log2(count));

const filled = (ids: readonly string[]): readonly string[] =>
  Array.from({ length: sizeFor(ids.length) }, (_, place) => ids[place] ?? ids.at(-1) ?? '');

/** Rows `id`, `slug`: of the records with so many ids, those that `get` shows the caller. */
function slugPlan({ plans, database }: ReadContext, type: ContentType, caller: Caller, count: number): SlugPlan {
  const authenticated = isAuthenticated(caller);
  const size = sizeFor(count);
  return plans.get(`link-slugs|${type.singular}|${authenticated}|${size}`, () => {
    const { dialect } = database;
    const reads = new ReadsCollector();
    return { select: new Plan(slugsOf(type, size, { dialect, authenticated, reads }), dialect), reads: reads.done() };
  });
}

function slugsOf(type: ContentType, size: number, context: PlanContext): RawBuilder<unknown> {
  const slug = slugFieldOf(type);
  if (slug === undefined) throw new Error(`Records of "${type.singular}" have no slugs.`);
  const places = new ValuePlaces();
  const named = sql.join(Array.from({ length: size }, () => places.take()));
  const conditions = [sql<boolean>`${column(row, 'id')} in (${named})`, gettable(type, row, context)];
  return sql`select ${column(row, 'id')} as "id", ${fieldValue(slug, row)} as "slug"
    from ${tableAs(type.table, row)} where ${allOf(conditions)}`;
}
