import { sql } from 'kysely';
import type { Caller } from '../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType } from '../definition/content-type.ts';
import { tagKey, tagSlug } from '../definition/fields/tags-field.ts';
import { fullView, type ReadView, viewFor } from '../definition/rights/read-view.ts';
import { type Answer, answerOf } from '../records/answers/answer.ts';
import { Plan, RequestBindings } from '../records/plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../records/plans/plan-reads.ts';
import { column, tableAs, ValuePlaces } from '../records/plans/sql-parts.ts';
import { relatedRows } from '../records/plans/visibility.ts';
import type { Records } from '../records/records.ts';

/** A tag and how many records have it. */
interface TagCount {
  readonly name: string;
  readonly slug: string;
  readonly count: number;
}

export interface TagsPage {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/** Whose tags are counted: records that everyone sees, or those of the admin routes. */
export interface TaggedRecords {
  readonly type: ContentType;
  readonly audience: 'admin' | 'public';
  /** Whose tenant's they are, of a type that keeps them apart. */
  readonly caller: Caller;
}

/** A page of the tags of a type's records, the most used first. The same for everyone who may ask. */
export function listTags(
  records: Records,
  tagged: TaggedRecords,
  { page, pageSize, offset }: TagsPage,
): MaybePromise<Answer> {
  const { type, audience, caller } = tagged;
  const view = viewFor(audience === 'admin' ? 'admin' : 'get', caller, records.types);
  const key = `tags|${type.singular}|${view.key}`;
  const plan = records.plan(key, (_, dialect) => buildTagsPlan(type, view, dialect));
  const make = () =>
    mapMaybe(countTags(records, plan, tagged.caller), (tags) => {
      const items = tags.slice(offset, offset + pageSize);
      return answerOf(JSON.stringify({ items, total: tags.length, page, page_size: pageSize }));
    });
  // Where callers differ by their tenants or by what their role shows them, there is no answer for all.
  if (plan.reads.tenant || (view.audience === 'admin' && view.key !== fullView.key)) return make();
  return records.remembered(`${key}|${page}|${pageSize}`, plan.reads.types, make);
}

interface TagsPlan {
  /** Rows `name`, as records spell it, and `count`. */
  readonly counts: Plan;
  /** Value: a JSON array of names. Rows `tags`: of the records that have two of them or more. */
  readonly several: Plan;
  readonly reads: PlanReads;
}

function buildTagsPlan(type: ContentType, view: ReadView, dialect: Dialect): TagsPlan {
  const reads = new ReadsCollector();
  reads.type(type.singular);
  const post = tableAs(type.table, 'p');
  const context = { dialect, authenticated: view.audience === 'admin', reads };
  const shown = relatedRows(type, view, 'p', context);
  const tag = column('t', 'value');
  const tags = column('p', 'tags');
  const counts = sql`select ${tag} as "name", count(*) as "count" from ${post}, ${dialect.jsonTexts(tags, 't')}
    where ${shown} group by ${tag}`;
  const wanted = sql`select "w"."value" from ${dialect.jsonTexts(sql`cast(${new ValuePlaces().take()} as text)`, 'w')}`;
  const among = sql`select count(*) from ${dialect.jsonTexts(tags, 't')} where ${tag} in (${wanted})`;
  const several = sql`select ${tags} as "tags" from ${post} where ${shown} and (${among}) > 1`;
  return { counts: new Plan(counts, dialect), several: new Plan(several, dialect), reads: reads.done() };
}

async function countTags(records: Records, plan: TagsPlan, caller: Caller): Promise<readonly TagCount[]> {
  const { database } = records;
  const reader = database.reader(plan.reads.types, 'search');
  const bindings = new RequestBindings(caller, []);
  const rows = await reader.rows<{ name: string; count: number | bigint }>(plan.counts.bind(bindings));
  const spellings = Map.groupBy(rows, ({ name }) => tagKey(name));
  const several = [...spellings.values()].filter((same) => same.length > 1).flat();
  const twice = several.length === 0 ? new Map<string, number>() : await surplus();
  const tags = [...spellings].map(([key, same]): TagCount => {
    const [usual] = same.toSorted((a, b) => Number(b.count) - Number(a.count) || byText(a.name, b.name));
    const total = same.reduce((sum, { count }) => sum + Number(count), 0);
    return { name: usual?.name ?? key, slug: tagSlug(key), count: total - (twice.get(key) ?? 0) };
  });
  return tags.toSorted((a, b) => b.count - a.count || byText(a.name, b.name));

  /** How often records were counted more than once, because they have one tag in several spellings. */
  async function surplus(): Promise<Map<string, number>> {
    const names = JSON.stringify(several.map(({ name }) => name));
    const posts = await reader.rows<{ tags: string }>(plan.several.bind(bindings.with([names])));
    const extra = new Map<string, number>();
    for (const { tags } of posts) {
      // What the type accepts: a list of texts.
      const own = Map.groupBy(JSON.parse(tags) as readonly string[], tagKey);
      for (const [key, { length }] of own) extra.set(key, (extra.get(key) ?? 0) + length - 1);
    }
    return extra;
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
