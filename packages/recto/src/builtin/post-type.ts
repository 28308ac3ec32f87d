import { defineContentType } from '../definition/define-content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { relationField } from '../definition/fields/relation-field.ts';
import { tagsField } from '../definition/fields/tags-field.ts';
import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';
import { junctionName } from '../definition/relation-resolution.ts';
import { tableName } from '../definition/type-names.ts';
import { authored } from './authored.ts';
import {
  privateMeta,
  publicationApi,
  publicationFields,
  publicationStatuses,
  publicationWords,
} from './publication.ts';
import { publishable } from './publishable.ts';
import { stated } from './stated.ts';

const fields = publicationFields;

/** Posts (decisions, section 3): dated texts with tags and comments. */
const definition = defineContentType({
  name: 'Post',
  singular: 'post',
  plural: 'posts',
  description: 'A post of the site.',
  protocols: ['timestampable', privateMeta, { name: 'versionable', drafts: true }],
  fields: [
    fields.title,
    fields.slug,
    fields.content,
    fields.excerpt,
    fields.cover_image,
    fields.meta_title,
    fields.meta_description,
    {
      name: 'comments_open',
      field_type: 'boolean',
      required: true,
      default: true,
      description: 'Whether comments are taken.',
    },
  ],
  api: publicationApi,
});

/** Newest first, and filtered by tags and categories. */
const tagged: Protocol = {
  name: 'tagged',
  fields: () => [
    protocolField('tags', tagsField, { writable: true, default: [] }),
    protocolField('categories', relationField, {
      place: { shape: 'to_many', junction: junctionName(tableName('post'), 'categories'), target: 'category' },
      writable: true,
      required: false,
      description: 'The categories that it belongs to.',
      filteredAs: { name: 'category', slug: 'slug' },
    }),
  ],
  // Its routes. No slug has a dot.
  reservedSlugs: ['sitemap', 'aggregate', 'feed.xml', 'feed.json'],
  defaultSort: () => [
    { column: 'published_at', direction: 'desc' },
    { column: 'created_at', direction: 'desc' },
  ],
};

export const postType: DefinitionSource = {
  file: 'post (built in)',
  definition,
  builtIn: {
    protocols: [stated(publicationStatuses, 'Published'), authored, publishable, tagged],
    byLanguage: [stated(publicationStatuses, 'Published', { byLanguage: true }), authored, publishable, tagged],
    localizable: publicationWords,
  },
};
