import type { Table } from '../../values/json-table.ts';
import type { ForeignType, LeftOut } from '../importers/importer.ts';
import { type PostParts, postRecord } from './ghost-post.ts';
import type { GhostTables } from './ghost-tables.ts';
import { tagRecord } from './ghost-tag.ts';

/** What posts, pages and tags are read with. */
export interface TypesParts extends PostParts {
  readonly file: string;
}

/** A field that is added to a type of the product where any row has a value in a column. */
interface AddedField {
  /** The columns that hold it; of a post also in `posts_meta`. */
  readonly from: string;
  readonly field: Table;
}

const address: Table = { field_type: 'text', max_length: 2048 };
const image: Table = { field_type: 'media', external: true };

const addedToPosts: readonly AddedField[] = [
  { from: 'featured', field: { name: 'featured', field_type: 'boolean', default: false } },
  { from: 'canonical_url', field: { name: 'canonical_url', ...address } },
  { from: 'og_title', field: { name: 'og_title', field_type: 'text', max_length: 500 } },
  { from: 'og_description', field: { name: 'og_description', field_type: 'text', max_length: 1000 } },
  { from: 'og_image', field: { name: 'og_image', ...image } },
  { from: 'twitter_title', field: { name: 'twitter_title', field_type: 'text', max_length: 500 } },
  { from: 'twitter_description', field: { name: 'twitter_description', field_type: 'text', max_length: 1000 } },
  { from: 'twitter_image', field: { name: 'twitter_image', ...image } },
];

const addedToTags: readonly AddedField[] = [
  { from: 'feature_image', field: { name: 'image', ...image } },
  { from: 'meta_title', field: { name: 'meta_title', field_type: 'text', max_length: 500 } },
  { from: 'meta_description', field: { name: 'meta_description', field_type: 'text', max_length: 1000 } },
  { from: 'accent_color', field: { name: 'accent_color', field_type: 'text', max_length: 50 } },
];

/** Authors beside the first one, and words that only people of the site see. */
const authorsField: Table = {
  ...{ name: 'authors', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'users' } },
  help: 'All authors, the first one included.',
};
const internalField: Table = {
  ...{ name: 'internal_tags', field_type: 'list', item: { field_type: 'text', max_length: 200 }, private: true },
  help: 'Tags of Ghost that begin with #.',
};

/** What posts and pages have in common, by the names of Ghost. */
const ofBoth: Readonly<Record<string, string>> = {
  ...{ title: 'title', slug: 'slug', html: 'content', custom_excerpt: 'excerpt', feature_image: 'cover_image' },
  ...{ meta_title: 'meta_title', meta_description: 'meta_description', status: 'status', author: 'author_id' },
  ...{ published_at: 'published_at', created_at: 'created_at', updated_at: 'updated_at', scheduled_at: 'scheduled_at' },
};

export function ghostTypes(parts: TypesParts): readonly ForeignType[] {
  return [tagsType(parts), postsType(parts, 'post'), postsType(parts, 'page')].filter(({ total }) => total > 0);
}

function postsType(parts: TypesParts, kind: 'post' | 'page'): ForeignType {
  const { tables, file } = parts;
  const isUsed = (column: string): boolean =>
    tables.isUsed('posts', column, kind) || (column !== 'featured' && tables.isUsed('posts_meta', column));
  const used = addedToPosts.filter(({ from }) => isUsed(from));
  const hasAuthors = tables.hasSeveral('posts_authors');
  const hasInternal = tables.hasInternalTags();
  const own = kind === 'post' ? { tags: 'categories', comments: 'comments_open' } : { custom_template: 'template' };
  return {
    ...{ from: `${kind}s`, file: `${file} posts`, total: tables.total('posts', kind), to: kind },
    ...extensionOf([
      ...used.map(({ field }) => field),
      ...(hasAuthors ? [authorsField] : []),
      ...(hasInternal ? [internalField] : []),
    ]),
    fields: [
      ...Object.entries({ ...ofBoth, ...own }).map(([from, to]) => ({ from, to })),
      ...used.map(({ from, field }) => ({ from, to: String(field.name) })),
      ...(hasAuthors ? [{ from: 'authors', to: 'authors' }] : []),
      ...(hasInternal ? [{ from: 'internal_tags', to: 'internal_tags' }] : []),
    ],
    leftOut: leftOutOf(tables, kind),
    *records() {
      for (const row of tables.each('posts', kind)) yield postRecord(row, kind, parts);
    },
  };
}

function tagsType(parts: TypesParts): ForeignType {
  const { tables, file } = parts;
  const used = addedToTags.filter(({ from }) => tables.isUsed('tags', from));
  return {
    ...{ from: 'tags', file: `${file} tags`, total: tables.total('tags', 'public'), to: 'category' },
    ...extensionOf(used.map(({ field }) => field)),
    fields: [
      ...['name', 'slug', 'description', 'created_at', 'updated_at'].map((name) => ({ from: name, to: name })),
      ...used.map(({ from, field }) => ({ from, to: String(field.name) })),
    ],
    leftOut: tables.isUsed('tags', 'codeinjection_head')
      ? [{ place: 'tags.codeinjection_head', why: 'Code for pages of the site is for its front end.' }]
      : [],
    *records() {
      for (const row of tables.each('tags', 'public')) yield tagRecord(row, parts);
    },
  };
}

const extensionOf = (fields: readonly Table[]): { readonly extension?: Table } =>
  fields.length === 0 ? {} : { extension: { fields } };

function leftOutOf(tables: GhostTables, kind: 'post' | 'page'): readonly LeftOut[] {
  const code = ['codeinjection_head', 'codeinjection_foot'].filter((column) => tables.isUsed('posts', column, kind));
  return [
    ...code.map((column) => ({ place: `${kind}s.${column}`, why: 'Code for pages of the site is for its front end.' })),
    ...(kind === 'page' && tables.hasTaggedPages()
      ? [{ place: 'pages.tags', why: 'Pages have no categories. Their names are kept in __meta._ghost.tags.' }]
      : []),
  ];
}
