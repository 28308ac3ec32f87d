/** A type whose published records have drafts, with a preview. */
export const storyType = {
  name: 'Story',
  singular: 'story',
  plural: 'stories',
  protocols: [
    'timestampable',
    'ownable',
    'soft_deletable',
    { name: 'versionable', drafts: true },
    { name: 'statusable', schedule: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200 },
    { name: 'slug', field_type: 'uid', label: 'Slug', target_field: 'title' },
    { name: 'summary', field_type: 'text', label: 'Summary', max_length: 500 },
    { name: 'notes', field_type: 'text', label: 'Notes', private: true },
  ],
  admin: { title_field: 'title', preview_url: '/preview/{slug}' },
};

/** A type that is saved when somebody asks for it. */
export const noteType = {
  name: 'Note',
  singular: 'note',
  plural: 'notes',
  protocols: ['timestampable', { name: 'lockable', required: true }],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 40 },
    { name: 'text', field_type: 'text', label: 'Text' },
    { name: 'price', field_type: 'decimal', label: 'Price' },
    { name: 'pass', field_type: 'password', label: 'Pass' },
    { name: 'tags', field_type: 'list', label: 'Tags', item: { field_type: 'text' } },
  ],
};

/** A type with one record. */
export const imprintType = {
  name: 'Imprint',
  singular: 'imprint',
  plural: 'imprints',
  kind: 'single',
  fields: [{ name: 'text', field_type: 'text', label: 'Text', default: 'Ines Ferreira' }],
};
