import type { ServiceOptions } from '../../support/service.ts';
import { TestService } from '../../support/service.ts';

const open = { access: 'public' };

/** Articles whose words each language has of its own, with a category that is localized too. */
export const article = {
  name: 'Article',
  singular: 'article',
  plural: 'articles',
  protocols: ['timestampable'],
  fields: [
    { name: 'title', field_type: 'text', max_length: 200, required: true, localized: true, indexed: true },
    { name: 'slug', field_type: 'uid', localized: true },
    { name: 'body', field_type: 'richtext', localized: true },
    { name: 'notes', field_type: 'text', localized: true, private: true },
    { name: 'seo', field_type: 'json', localized: true },
    { name: 'points', field_type: 'integer' },
    { name: 'category', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'category' } },
  ],
  api: { list: open, get: open, create: open, update: open, delete: open },
};

export const category = {
  name: 'Category',
  singular: 'category',
  plural: 'categories',
  fields: [
    { name: 'name', field_type: 'text', required: true, localized: true },
    {
      name: 'articles',
      field_type: 'relation',
      relation: { relation_type: 'one_to_many', target: 'article', mapped_by: 'category' },
    },
  ],
  api: { list: open, get: open },
};

/** Without words of any language. */
export const counter = {
  name: 'Counter',
  singular: 'counter',
  plural: 'counters',
  fields: [{ name: 'count', field_type: 'integer' }],
  api: { list: open, get: open },
};

/** English by default, German, and French of Canada, which falls back to French and then to English. */
export async function openMagazine(options: ServiceOptions = {}): Promise<TestService> {
  const service = await TestService.open([article, category, counter], {
    languages: 'en,de,fr,fr-CA',
    languageFallbacks: { 'fr-CA': ['fr', 'en'] },
    ...options,
  });
  await service.account('ann', 'admin');
  return service;
}

/** Creates an article in English and translates it. */
export async function translated(
  service: TestService,
  body: Readonly<Record<string, unknown>>,
  translations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Promise<string> {
  const { id } = await service.seed('articles', body);
  for (const [tag, words] of Object.entries(translations)) {
    const { status, text } = await service.send(`PUT /api/v1/admin/cms/articles/${id}?language=${tag}`, {
      as: 'ann',
      body: words,
    });
    if (status !== 200) throw new Error(`Translating failed: ${text}`);
  }
  return id;
}
