import type { ContentType } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type EntryLanguage, isOfLanguages, itemLanguage } from './entry-language.ts';
import { plainLine, plainText, shortened } from './html-text.ts';
import { mapMeta, metaValue, usefulMeta } from './meta-mapping.ts';
import { publicationOutcome } from './publication-status.ts';
import { wordpressInstant } from './wordpress-date.ts';
import { importedSlug } from './wordpress-slug.ts';
import type { WxrItem } from './wxr-entry.ts';

/** A page or post as a record, without what depends on other entries of the file: id, author, parent, image. */
export interface MappedPublication {
  readonly body: Readonly<Record<string, JsonValue>>;
  /** The login of its author. */
  readonly creator: string;
  /** The id of the attachment that is its featured image; empty: none. */
  readonly thumbnail: string;
  /** The categories of a post. */
  readonly categories: readonly CategoryReference[];
  /** The tags of a post, as it names them. */
  readonly tags: readonly CategoryReference[];
  /** What the file says of its language. */
  readonly language: EntryLanguage;
  /** How many custom fields were left out. */
  readonly omittedMeta: number;
  /** What was changed during the mapping. */
  readonly remarks: readonly string[];
}

/** A category or tag as an item names it. */
export interface CategoryReference {
  /** Its slug in WordPress; empty where only the name is known. */
  readonly key: string;
  readonly name: string;
}

const longest = {
  title: 500,
  metaTitle: 500,
  metaDescription: 1000,
  template: 200,
  tag: 100,
  tags: 100,
  made: 60,
} as const;

/** `now` is the time used for an item without one, in canonical form. */
export function mapPublication(item: WxrItem, type: ContentType, now: string): MappedPublication {
  const remarks: string[] = [];
  const { status, published, remark } = publicationOutcome(item.status, item.password);
  if (remark !== undefined) remarks.push(remark);
  const title = titleOf(item, remarks);
  const { fields, meta } = mapMeta(item, type);
  const date = wordpressInstant(item.dateGmt, item.date) ?? now;
  const modified = wordpressInstant(item.modifiedGmt, '');
  // The date of a scheduled item is in the future, so it is not the creation time.
  const created = item.status === 'future' ? (modified ?? now) : date;
  const slug = importedSlug(item.slug, plainLine(item.title));
  const language = itemLanguage(item);
  const body = {
    title,
    ...(slug === undefined ? {} : { slug }),
    content: item.content === '' ? null : item.content,
    excerpt: plainText(item.excerpt) || null,
    status,
    // A scheduled time that has passed since the export needs a person's decision: the item was never public.
    ...(item.status === 'future' && item.password === '' && date > now ? { scheduled_at: date } : {}),
    ...(item.type === 'page' ? pageFields(item) : postFields(item, remarks)),
    meta_title: seoText(item, usefulMeta.metaTitle, longest.metaTitle),
    meta_description: seoText(item, usefulMeta.metaDescription, longest.metaDescription),
    ...fields,
    published_at: published ? date : null,
    created_at: created,
    updated_at: modified !== undefined && modified > created ? modified : created,
    __meta: { ...meta, _wordpress: originOf(item, title, slug, date) },
  };
  const { creator, omittedMeta } = item;
  const [categories, tags] = item.type === 'post' ? [categoriesOf(item), tagsOf(item)] : [[], []];
  const thumbnail = metaValue(item, usefulMeta.thumbnail).trim();
  return { body, creator, thumbnail, categories, tags, language, omittedMeta, remarks };
}

/** Older exports name a category twice, once without its slug. */
function categoriesOf({ terms }: WxrItem): readonly CategoryReference[] {
  const named = terms
    .filter(({ taxonomy }) => taxonomy === 'category')
    .map(({ name, slug }) => ({ key: slug, name: plainLine(name) }))
    .filter(({ name }) => name !== '');
  const byKey = new Map(named.filter(({ key }) => key !== '').map((each) => [each.key, each]));
  const known = new Set([...byKey.values()].map(({ name }) => name));
  const byName = new Map(named.filter(({ name }) => !known.has(name)).map((each) => [each.name, each]));
  return [...byKey.values(), ...byName.values()];
}

function titleOf(item: WxrItem, remarks: string[]): string {
  const title = plainLine(item.title);
  if (title === '') {
    remarks.push('without a title: named by their first words');
    return firstWords(item) ?? 'Untitled';
  }
  if (title !== shortened(title, longest.title))
    remarks.push(`with a title of more than ${longest.title} characters: cut`);
  return shortened(title, longest.title);
}

/** Enough text to derive a title from. */
const searchedForTitle = 20_000;

function firstWords({ content, excerpt }: WxrItem): string | undefined {
  for (const html of [excerpt, content]) {
    const text = plainLine(html.slice(0, searchedForTitle).toWellFormed())
      .replace(/\[[^\]]*\]/g, '')
      .trim();
    if (text === '') continue;
    if ([...text].length <= longest.made) return text;
    const begin = [...text].slice(0, longest.made).join('');
    return `${begin.replace(/\s+\S*$/, '')}…`;
  }
  return undefined;
}

function pageFields(item: WxrItem): Readonly<Record<string, JsonValue>> {
  const template = metaValue(item, usefulMeta.template).trim();
  const order = Number(item.menuOrder);
  return {
    template: template === '' || template === 'default' ? null : shortened(template, longest.template),
    sort_order: Number.isSafeInteger(order) ? order : 0,
  };
}

function postFields(item: WxrItem, remarks: string[]): Readonly<Record<string, JsonValue>> {
  const tags = tagNames(tagsOf(item), remarks);
  return { tags, comments_open: item.commentStatus !== 'closed' };
}

const tagsOf = ({ terms }: WxrItem): readonly CategoryReference[] =>
  terms
    .filter(({ taxonomy }) => tagTaxonomies.has(taxonomy))
    .map(({ name, slug }) => ({ key: slug, name: shortened(plainLine(name), longest.tag) }))
    .filter(({ name }) => name !== '');

/** The names of tags, each once and as many as a post can have. */
export function tagNames(tags: readonly Pick<CategoryReference, 'name'>[], remarks: string[]): string[] {
  const names = [...new Set(tags.map(({ name }) => shortened(name, longest.tag)))];
  if (names.length > longest.tags) remarks.push(`with more than ${longest.tags} tags: the rest left out`);
  return names.slice(0, longest.tags);
}

const tagTaxonomies: ReadonlySet<string> = new Set(['post_tag', 'tag']);

/** Texts of the SEO plugin, except those with its variables (`%%title%%`). */
function seoText(item: WxrItem, key: string, most: number): string | null {
  const text = plainLine(metaValue(item, key));
  return text === '' || text.includes('%%') ? null : shortened(text, most);
}

/** WordPress data that the record does not contain, for redirects and to find the item again. */
function originOf(
  item: WxrItem,
  title: string,
  slug: string | undefined,
  date: string,
): Readonly<Record<string, JsonValue>> {
  const format = item.terms.find(({ taxonomy }) => taxonomy === 'post_format')?.name;
  const others = otherTerms(item);
  const { code: language } = itemLanguage(item);
  return {
    id: item.id,
    ...(item.link === '' ? {} : { link: item.link }),
    ...(language === '' ? {} : { language }),
    ...(item.status === 'publish' && item.password === '' ? {} : { status: item.status }),
    ...(item.status === 'future' ? { scheduled_for: date } : {}),
    ...(item.password === '' ? {} : { protected: true }),
    ...(item.slug === '' || item.slug === slug ? {} : { slug: item.slug }),
    ...(item.title === '' || item.title === title ? {} : { title: item.title }),
    ...(format === undefined ? {} : { format }),
    ...(item.sticky === '1' ? { sticky: true } : {}),
    ...(Object.keys(others).length === 0 ? {} : { terms: others }),
  };
}

/** The terms of taxonomies from plugins, by taxonomy. */
function otherTerms(item: WxrItem): Readonly<Record<string, JsonValue>> {
  const terms = new Map<string, string[]>();
  for (const { taxonomy, name } of item.terms) {
    const isTag = item.type === 'post' && (tagTaxonomies.has(taxonomy) || taxonomy === 'category');
    if (!isTag && taxonomy !== 'post_format' && !isOfLanguages(taxonomy))
      terms.set(taxonomy, [...(terms.get(taxonomy) ?? []), plainLine(name)]);
  }
  return Object.fromEntries(terms);
}
