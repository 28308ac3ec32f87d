import { sql } from 'kysely';
import { anonymous } from '../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { tagKey, tagSlug } from '../definition/fields/tags-field.ts';
import { type Answer, answerOf } from '../records/answer.ts';
import { Plan } from '../records/plan.ts';
import { type PlanReads, ReadsCollector } from '../records/plan-reads.ts';
import type { Records } from '../records/records.ts';
import { RequestBindings } from '../records/request-bindings.ts';
import { column, tableAs, ValuePlaces } from '../records/sql-parts.ts';
import { gettable } from '../records/visibility.ts';

/** A tag and how many posts that everyone sees have it. */
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

/** A page of the tags of published posts, the most used first. The same for everyone who asks. */
export function listTags(records: Records, { page, pageSize, offset }: TagsPage): MaybePromise<Answer> {
  const plan = records.plan('tags', buildTagsPlan);
  const make = () =>
    mapMaybe(countTags(records, plan), (tags) => {
      const items = tags.slice(offset, offset + pageSize);
      return answerOf(JSON.stringify({ items, total: tags.length, page, page_size: pageSize }));
    });
  return records.remembered(`tags|${page}|${pageSize}`, plan.reads.types, make);
}

interface TagsPlan {
  /** Rows `name`, as posts spell it, and `count`. */
  readonly counts: Plan;
  /** Value: a JSON array of names. Rows `tags`: of the posts that have two of them or more. */
  readonly several: Plan;
  readonly reads: PlanReads;
}

function buildTagsPlan(types: ContentTypes, dialect: Dialect): TagsPlan {
  const reads = new ReadsCollector();
  const type = types.get('post');
  reads.type(type.singular);
  const post = tableAs(type.table, 'p');
  const shown = gettable(type, 'p', { dialect, authenticated: false, reads });
  const tag = column('t', 'value');
  const tags = column('p', 'tags');
  const counts = sql`select ${tag} as "name", count(*) as "count" from ${post}, ${dialect.jsonTexts(tags, 't')}
    where ${shown} group by ${tag}`;
  const wanted = sql`select "w"."value" from ${dialect.jsonTexts(sql`cast(${new ValuePlaces().take()} as text)`, 'w')}`;
  const among = sql`select count(*) from ${dialect.jsonTexts(tags, 't')} where ${tag} in (${wanted})`;
  const several = sql`select ${tags} as "tags" from ${post} where ${shown} and (${among}) > 1`;
  return { counts: new Plan(counts, dialect), several: new Plan(several, dialect), reads: reads.done() };
}

async function countTags(records: Records, plan: TagsPlan): Promise<readonly TagCount[]> {
  const { database } = records;
  const reader = database.reader(plan.reads.types, 'search');
  const bindings = new RequestBindings(anonymous, []);
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

  /** How often posts were counted more than once, because they have one tag in several spellings. */
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
