import { defineContentType } from '../definition/define-content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';

const isEditor = '@request.auth.role = "editor" || @request.auth.role = "admin"';
const forEditors = { access: 'member', filter: isEditor } as const;

/** Categories of posts (decisions, section 12): a tree in an order that editors set. */
const definition = defineContentType({
  name: 'Category',
  singular: 'category',
  plural: 'categories',
  description: 'A category of posts.',
  protocols: ['timestampable', 'nestable', 'sortable'],
  fields: [
    { name: 'name', field_type: 'text', required: true, max_length: 200 },
    { name: 'slug', field_type: 'uid', required: true, target_field: 'name' },
    { name: 'description', field_type: 'text', max_length: 5000 },
  ],
  api: {
    list: { access: 'public', cache: true },
    get: { access: 'public', cache: true },
    create: forEditors,
    update: forEditors,
    delete: forEditors,
  },
});

export const categoryType: DefinitionSource = {
  file: 'category (built in)',
  definition,
  builtIn: { protocols: [], generatedRoutes: true, localizable: ['name', 'slug', 'description'] },
};
