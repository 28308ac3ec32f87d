import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { ForeignRef, type ForeignValue } from '../importers/foreign-value.ts';
import type { ForeignRecord } from '../importers/importer.ts';
import { plainText, shortened } from '../wordpress/html-text.ts';
import { importedSlug } from '../wordpress/wordpress-slug.ts';
import { htmlWithFiles, imageAt, publicAddress, type SiteAddress } from './ghost-files.ts';
import { ghostText } from './ghost-html.ts';
import { type GhostRow, type GhostTables, isInternal, textOf, timeOf } from './ghost-tables.ts';
import { times } from './ghost-tag.ts';

/** What a post is read with. */
export interface PostParts extends SiteAddress {
  readonly tables: GhostTables;
  /** Whether Ghost shows the site to nobody without its password. */
  readonly isPrivateSite: boolean;
  readonly commentsOpen: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const longest = { title: 500, metaTitle: 500, metaDescription: 1000, template: 200 } as const;

/** A post or page, with the rows of other tables that belong to it. */
export function postRecord({ number, row }: GhostRow, kind: 'post' | 'page', parts: PostParts): ForeignRecord {
  const { tables } = parts;
  const id = textOf(row.id);
  // Before version 3, a post had them itself.
  const [own = {}] = tables.ownedBy('posts_meta', id);
  const whole: Table = { ...row, ...withValues(own) };
  const createdAt = timeOf(row.created_at);
  const remarks: string[] = [];
  const title = titleOf(whole, remarks);
  const slug = importedSlug(textOf(row.slug), title);
  const text = ghostText(row);
  const tags = tagsOf(tables, id);
  const state = stateOf(whole, parts, remarks);
  remarks.push(...text.remarks);
  if (textOf(whole.codeinjection_head) !== '' || textOf(whole.codeinjection_foot) !== '')
    remarks.push('with code for the head or the foot of their page: left out');
  const image = { alt: textOf(whole.feature_image_alt) || null, caption: captionOf(whole) };
  const text_ = (name: string, most: number): string | null => shortened(textOf(whole[name]), most) || null;
  return {
    ...{ id, line: number, createdAt, remarks },
    values: {
      ...{ title, ...(slug === undefined ? {} : { slug }), html: htmlWithFiles(text.html, parts), ...state.values },
      custom_excerpt: textOf(whole.custom_excerpt) || null,
      feature_image: imageAt(textOf(whole.feature_image) || textOf(whole.image), parts, aboutImage(image, createdAt)),
      meta_title: text_('meta_title', longest.metaTitle),
      meta_description: text_('meta_description', longest.metaDescription),
      ...times(createdAt, timeOf(row.updated_at)),
      ...authorsOf(tables, row),
      ...(kind === 'post'
        ? { tags: tags.filter((tag) => !isInternal(tag)).map((tag) => new ForeignRef('tags', textOf(tag.id))) }
        : { custom_template: text_('custom_template', longest.template) }),
      ...(kind === 'post' ? { comments: parts.commentsOpen } : {}),
      internal_tags: tags.filter(isInternal).map(({ name }) => shortened(textOf(name), 200)),
      featured: whole.featured === true || whole.featured === 1,
      canonical_url: publicAddress(textOf(whole.canonical_url), parts).slice(0, 2048) || null,
      og_title: text_('og_title', longest.metaTitle),
      og_description: text_('og_description', longest.metaDescription),
      og_image: imageAt(textOf(whole.og_image), parts),
      twitter_title: text_('twitter_title', longest.metaTitle),
      twitter_description: text_('twitter_description', longest.metaDescription),
      twitter_image: imageAt(textOf(whole.twitter_image), parts),
    },
    meta: {
      ...(slug === textOf(row.slug) ? {} : { slug: textOf(row.slug) }),
      ...state.meta,
      ...(textOf(row.uuid) === '' ? {} : { uuid: textOf(row.uuid) }),
      ...(kind === 'page' && tags.length > 0 ? { tags: tags.map(({ name }) => textOf(name)) } : {}),
      ...(kind === 'post' && textOf(whole.custom_template) !== '' ? { template: textOf(whole.custom_template) } : {}),
    },
  };
}

function tagsOf(tables: GhostTables, post: string): readonly Table[] {
  const found = tables.ownedBy('posts_tags', post).map(({ tag_id: tag }) => tables.find('tags', textOf(tag)));
  return found.filter((tag) => tag !== undefined);
}

/** The columns of `posts_meta` that have a value: they go before those of older posts. */
const withValues = (row: Table): Table =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null && value !== '' && !/^(?:id|post_id)$/.test(name)),
  );

function aboutImage(image: { readonly alt: string | null; readonly caption: string | null }, createdAt?: string) {
  return createdAt === undefined ? image : { ...image, createdAt };
}

const captionOf = ({ feature_image_caption: caption }: Table): string | null => plainText(textOf(caption)) || null;

function titleOf({ title, plaintext }: Table, remarks: string[]): string {
  const text = textOf(title).trim();
  if (text === '' || text === '(Untitled)') {
    const words = textOf(plaintext).trim().split(/\s+/).slice(0, 8).join(' ');
    if (text !== '' || words === '') return text === '' ? 'Untitled' : text;
    remarks.push('without a title: named by their first words');
    return shortened(words, 60);
  }
  if ([...text].length > longest.title) remarks.push(`with a title of more than ${longest.title} characters: cut`);
  return shortened(text, longest.title);
}

interface State {
  readonly values: Readonly<Record<string, ForeignValue>>;
  readonly meta: Readonly<Record<string, JsonValue>>;
}

/** What was public there is public here, and nothing else. */
function stateOf(row: Table, parts: PostParts, remarks: string[]): State {
  const [status, visibility] = [textOf(row.status), textOf(row.visibility) || 'public'];
  const date = timeOf(row.published_at);
  const why = closedBecause(row, visibility, parts);
  const meta = {
    ...(status === 'published' ? {} : { status }),
    ...(visibility === 'public' ? {} : { visibility }),
  };
  const published = date === undefined ? {} : { published_at: date };
  switch (status) {
    case 'published':
      if (why === undefined) return { values: { status: 'Published', ...published }, meta };
      remarks.push(`${why}: drafts`);
      return { values: { status: 'Draft', ...published }, meta };
    case 'sent':
      remarks.push('sent as an e-mail alone, and on no page: drafts');
      return { values: { status: 'Draft', ...published }, meta };
    case 'scheduled': {
      const isComing = date !== undefined && Date.parse(date) > parts.now;
      if (isComing && why === undefined) return { values: { status: 'Draft', scheduled_at: date }, meta };
      remarks.push(
        why === undefined ? 'scheduled for a time that has passed since: drafts' : `scheduled, ${why}: drafts`,
      );
      return { values: { status: 'Draft' }, meta: { ...meta, ...(date === undefined ? {} : { scheduled_for: date }) } };
    }
    case 'draft':
      return { values: { status: 'Draft' }, meta: { ...meta, status } };
    default:
      remarks.push(`of the status “${status.slice(0, 40)}”, which is not known here: drafts`);
      return { values: { status: 'Draft' }, meta };
  }
}

function closedBecause(row: Table, visibility: string, { isPrivateSite }: PostParts): string | undefined {
  if (visibility !== 'public') return `for ${visibility === 'tiers' ? 'some tiers' : visibility.slice(0, 40)} alone`;
  if (row.email_only === true || row.email_only === 1) return 'sent as an e-mail alone';
  return isPrivateSite ? 'of a site that is private' : undefined;
}

/** The authors in their order. Before version 2, a post had one. */
function authorsOf(tables: GhostTables, row: Table): Readonly<Record<string, ForeignValue>> {
  const ids = tables.ownedBy('posts_authors', textOf(row.id)).map(({ author_id: author }) => textOf(author));
  const all = ids.length > 0 ? ids : [textOf(row.author_id)].filter((each) => each !== '');
  const refs = [...new Set(all)].map((each) => new ForeignRef('users', each));
  return { author: refs[0] ?? null, authors: refs };
}

/** Whether a setting of the export is on. */
export function isSet(tables: GhostTables, key: string): boolean {
  const [row] = tables.ownedBy('settings', key);
  return row !== undefined && isTable(row) && /^(?:true|1|"true")$/.test(String(row.value));
}
