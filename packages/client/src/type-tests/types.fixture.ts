/** Content types with cyclic relations and every kind of field that the client types differently. */
export const definitions = [
  {
    singular: 'page-text',
    plural: 'page-texts',
    fields: [
      { name: 'title', field_type: 'text', required: true, localized: true },
      { name: 'place', field_type: 'integer' },
      {
        name: 'source',
        field_type: 'relation',
        localized: true,
        relation: { relation_type: 'many_to_one', target: 'topics' },
      },
    ],
  },
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['timestampable', 'ownable', 'lockable'],
    fields: [
      { name: 'title', field_type: 'text', required: true },
      { name: 'body', field_type: 'richtext' },
      { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'], default: 'draft' },
      { name: 'views', field_type: 'integer' },
      { name: 'price', field_type: 'decimal' },
      { name: 'featured', field_type: 'boolean' },
      { name: 'published_at', field_type: 'datetime' },
      { name: 'data', field_type: 'json' },
      { name: 'note', field_type: 'text', private: true },
      { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
      { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'topics' } },
    ],
    api: { list: { fields: ['title', 'status', 'views', 'published_at', 'author', 'topics'] } },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [
      { name: 'name', field_type: 'text', required: true },
      { name: 'email', field_type: 'email', private: true },
      {
        name: 'articles',
        field_type: 'relation',
        relation: { relation_type: 'one_to_many', target: 'articles', mapped_by: 'author' },
      },
      { name: 'mentor', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
    ],
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      { name: 'name', field_type: 'text', required: true },
      { name: 'best', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'articles' } },
    ],
  },
  {
    singular: 'blog-post',
    plural: 'blog-posts',
    fields: [{ name: 'headline', field_type: 'text', required: true }],
  },
  {
    singular: 'site-settings',
    plural: 'site-settings',
    kind: 'single',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'lead', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'articles' } },
    ],
  },
];
