/** The states of pages and posts. Any may follow any other. */
export const publicationStatuses = ['Draft', 'Published', 'Archived'] as const;

/** Metadata of all kinds, such as the custom fields of an imported site, some of which may not be for everyone. */
export const privateMeta = { name: 'metaable', private: true } as const;

/** The fields that pages and posts share, as a definition writes them. */
export const publicationFields = {
  title: { name: 'title', field_type: 'text', required: true, max_length: 500 },
  slug: { name: 'slug', field_type: 'uid', required: true, target_field: 'title' },
  content: { name: 'content', field_type: 'richtext' },
  excerpt: { name: 'excerpt', field_type: 'text' },
  /** An address where the file is elsewhere, as all were before the service kept files. */
  cover_image: { name: 'cover_image', field_type: 'media', external: true },
  meta_title: { name: 'meta_title', field_type: 'text', max_length: 500 },
  meta_description: { name: 'meta_description', field_type: 'text', max_length: 1000 },
} as const;

/** Those of them that each language can have for itself. */
export const publicationWords = [
  'title',
  'slug',
  'content',
  'excerpt',
  'cover_image',
  'meta_title',
  'meta_description',
] as const satisfies readonly (keyof typeof publicationFields)[];

/** Everyone reads what is published; any account writes drafts, an editor or admin whatever they please. */
export const publicationApi = {
  list: { access: 'public', filter: 'status = "Published"', cache: true },
  get: { access: 'public', filter: 'status = "Published"', cache: true },
  create: {
    access: 'member',
    filter_auth: 'status = "Draft" || @request.auth.role = "editor" || @request.auth.role = "admin"',
  },
  update: { access: 'none' },
  delete: { access: 'none' },
} as const;
