import { defineContentType } from '../definition/definition-file.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { Protocol, StoredRecord, StoredRecords, WriteMoment } from '../definition/protocol.ts';
import { authored } from './authored.ts';
import { publicationApi, publicationFields } from './publication.ts';
import { publishable } from './publishable.ts';

const fields = publicationFields;

/** Pages (decisions, section 3): a tree of texts with an order that editors set. */
const definition = defineContentType({
  name: 'Page',
  singular: 'page',
  plural: 'pages',
  description: 'A page of the site.',
  protocols: ['timestampable'],
  fields: [
    fields.title,
    fields.slug,
    fields.content,
    fields.excerpt,
    fields.status,
    { name: 'template', field_type: 'text', max_length: 200 },
    {
      name: 'parent_id',
      field_type: 'relation',
      relation: { relation_type: 'many_to_one', target: 'pages' },
      description: 'The page that this one stands below.',
    },
    { name: 'sort_order', field_type: 'integer', default: 0 },
    fields.cover_image,
    fields.meta_title,
    fields.meta_description,
  ],
  api: publicationApi,
});

/** Pages are told in the order that editors set, then by title, and form a tree: no page is its own ancestor. */
const pageTree: Protocol = {
  name: 'page-tree',
  fields: () => [],
  reservedSlugs: ['sitemap'],
  defaultSort: () => [
    { column: 'sort_order', direction: 'asc' },
    { column: 'title', direction: 'asc' },
  ],
  async storedFaults(moment, _current, stored) {
    if (!(await isOwnAncestor(moment, stored))) return [];
    return [{ field: 'parent_id', code: 'circular', message: 'A page cannot stand below itself.' }];
  },
};

async function isOwnAncestor({ type, id, changed }: WriteMoment, stored: StoredRecords): Promise<boolean> {
  let parent: StoredRecord[string] | undefined = changed.parent_id;
  while (typeof parent === 'string') {
    if (parent === id) return true;
    parent = (await stored.find(type, parent))?.parent_id;
  }
  return false;
}

export const pageType: DefinitionSource = {
  file: 'page (built in)',
  definition,
  builtIn: { protocols: [authored, publishable, pageTree] },
};
