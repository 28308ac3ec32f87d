import { defineContentType } from '../definition/define-content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { Protocol, StoredRecord } from '../definition/protocol.ts';
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

/** Pages (decisions, section 3): a tree of texts with an order that editors set. */
const definition = defineContentType({
  name: 'Page',
  singular: 'page',
  plural: 'pages',
  description: 'A page of the site.',
  protocols: ['timestampable', privateMeta, { name: 'versionable', drafts: true }],
  fields: [
    fields.title,
    fields.slug,
    fields.content,
    fields.excerpt,
    { name: 'template', field_type: 'text', max_length: 200 },
    {
      name: 'parent_id',
      field_type: 'relation',
      relation: { relation_type: 'many_to_one', target: 'pages' },
      description: 'The page that this one stands below.',
    },
    { name: 'sort_order', field_type: 'integer', required: true, default: 0 },
    fields.cover_image,
    fields.meta_title,
    fields.meta_description,
  ],
  api: publicationApi,
});

/** Pages are listed in the order that editors set, then by title, and form a tree: no page is its own ancestor. */
const pageTree: Protocol = {
  name: 'page-tree',
  fields: () => [],
  reservedSlugs: ['sitemap', 'aggregate'],
  defaultSort: () => [
    { column: 'sort_order', direction: 'asc' },
    { column: 'title', direction: 'asc' },
  ],
  async storedFaults({ id, changed }, current, stored) {
    const { parent_id: parent } = changed;
    // A fetched page can be sent back complete, however deep it is.
    if (typeof parent !== 'string' || parent === current?.parent_id) return [];
    let above: StoredRecord[string] | undefined = parent;
    for (let level = 1; typeof above === 'string'; level += 1) {
      if (above === id) return [circular];
      if (level === deepest) return [tooDeep];
      above = (await stored.find(above))?.parent_id;
    }
    return [];
  },
};

/** Levels of pages above one another: what moving or making a page looks through. */
const deepest = 100;

const circular = { field: 'parent_id', code: 'circular', message: 'A page cannot stand below itself.' };
const tooDeep = {
  field: 'parent_id',
  code: 'too_deep',
  message: `Pages can stand at most ${deepest} levels deep.`,
};

export const pageType: DefinitionSource = {
  file: 'page (built in)',
  definition,
  builtIn: {
    protocols: [stated(publicationStatuses, 'Published'), authored, publishable, pageTree],
    byLanguage: [stated(publicationStatuses, 'Published', { byLanguage: true }), authored, publishable, pageTree],
    localizable: publicationWords,
  },
};
