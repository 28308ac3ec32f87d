import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitionsIn, definitionsOf } from '../../../../../test/support/definitions.ts';
import { readSettings } from '../../config/settings.ts';
import { checkDefinitions } from '../check-definitions.ts';
import { localizedFields } from '../stored-field.ts';
import { languagesOf } from './languages.ts';
import { shownFields } from './languages-table.ts';

const fromFile = (text: string, environment: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-languages-'));
  try {
    const file = join(folder, 'recto.toml');
    writeFileSync(file, text);
    return languagesOf(readSettings(environment, file));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('the settings of languages', () => {
  test('without any there is one language, and nothing is localized', () => {
    const languages = languagesOf(readSettings({}));
    expect(languages).toMatchObject({ several: false, others: [], default: { tag: 'und', isDefault: true } });
  });

  test('tags become canonical, and are found however they are written', () => {
    const languages = languagesOf(readSettings({ RECTO_LANGUAGES: 'EN, de, fr-ca,zh-hant' }));
    expect(languages.all.map(({ tag }) => tag)).toEqual(['en', 'de', 'fr-CA', 'zh-Hant']);
    expect(languages.default).toEqual({ tag: 'en', isDefault: true });
    expect(languages.find('FR-CA')?.tag).toBe('fr-CA');
    expect(languages.find('fr')).toBeUndefined();
    expect(languages.find('__proto__')).toBeUndefined();
  });

  test('a language falls back to the default, and to what its list says', () => {
    const languages = fromFile(`
[languages]
list = ["en", "de", "fr", "fr-CA", "it"]
[languages.fallbacks]
"fr-CA" = ["fr", "en"]
it = []
`);
    const chain = (tag: string) => {
      const language = languages.find(tag);
      return language && languages.fallbacksOf(language).map((each) => each.tag);
    };
    expect(['en', 'de', 'fr-CA', 'it'].map(chain)).toEqual([[], ['en'], ['fr', 'en'], []]);
  });

  test('the environment comes first, and the file may have the list alone', () => {
    expect(fromFile('languages = "en,de"').all).toHaveLength(2);
    expect(fromFile('languages = ["en", "de"]', { RECTO_LANGUAGES: 'fr,en' }).default.tag).toBe('fr');
    const fallbacks = { RECTO_LANGUAGES: 'en,de,fr', RECTO_LANGUAGE_FALLBACKS: '{"fr": ["de"]}' };
    expect(fromFile('', fallbacks).several).toBe(true);
  });

  test('a language may have an address, and the default has that of the site', () => {
    const file = '[languages]\nlist = ["en", "de", "fr"]\n[languages.urls]\nDE = "https://example.com/de/"';
    const urls = (environment: Record<string, string>) => fromFile(file, environment).all.map(({ url }) => url);
    expect(urls({})).toEqual([undefined, 'https://example.com/de', undefined]);
    const site = { RECTO_PUBLIC_URL: 'https://example.com' };
    expect(urls(site)).toEqual(['https://example.com', 'https://example.com/de', undefined]);
    const own = { ...site, RECTO_LANGUAGE_URLS: '{"en": "https://example.com/en"}' };
    expect(urls(own)).toEqual(['https://example.com/en', undefined, undefined]);
  });

  test.each([
    ['languages = "en,english language"', '"english language" is no language'],
    ['languages = "en,x-private"', '"x-private" is no language'],
    ['languages = "en,de-u-co-phonebk"', 'is no language'],
    ['languages = "en,EN"', 'en is in it twice'],
    ['languages = 3', 'must be a list of languages'],
    ['[languages]\nlist = ["en", "de"]\nfallback = {}', 'languages.fallback: there is no such setting'],
    ['[languages]\nlist = ["en", "de"]\nfallbacks = { fr = ["en"] }', 'fr is no language of this service'],
    ['[languages]\nlist = ["en", "de"]\nfallbacks = { de = ["fr"] }', 'fr is no language of this service'],
    ['[languages]\nlist = ["en", "de"]\nfallbacks = { de = ["de"] }', 'does not fall back to itself'],
    ['[languages]\nlist = ["en", "de"]\nfallbacks = { de = "en" }', 'there must be a list of languages'],
    ['[languages]\nlist = ["en", "de"]\nfallbacks = { en = ["de"] }', 'en is the default language'],
    ['[languages]\nlist = ["en", "de"]\nurls = { fr = "https://example.com" }', 'fr is no language of this service'],
    ['[languages]\nlist = ["en", "de"]\nurls = { de = "/de" }', 'there must be an address such as'],
    [
      '[languages]\nlist = ["en", "de"]\nurls = { de = "https://ann:word@example.com" }',
      'there must be an address such as',
    ],
    ['[languages.fallbacks]\nit = ["en"]', 'RECTO_LANGUAGES names none'],
  ])('%s is refused', (text, message) => {
    expect(() => fromFile(text)).toThrow(message);
  });
});

describe('localized fields', () => {
  const text = { name: 'title', field_type: 'text', max_length: 100, localized: true, indexed: true };
  const slug = { name: 'slug', field_type: 'uid', target_field: 'title', localized: true };
  const body = { name: 'body', field_type: 'richtext', localized: true };
  const note = (fields: readonly unknown[], rest: object = {}) => ({
    singular: 'note',
    plural: 'notes',
    fields,
    ...rest,
  });

  test('are those that say so, in a service with several languages', () => {
    const definition = note([text, slug, body, { name: 'views', field_type: 'integer' }]);
    const type = definitionsIn('en,de', definition).get('note');
    expect(localizedFields(type).map(({ name }) => name)).toEqual(['title', 'slug', 'body']);
    expect(shownFields(type).map(({ name }) => name)).toEqual(['title', 'slug']);
    expect(type.languages?.all.map(({ tag }) => tag)).toEqual(['en', 'de']);
    const alone = definitionsOf(definition).get('note');
    expect(localizedFields(alone)).toEqual([]);
    expect(alone.languages).toBeUndefined();
  });

  const wrong = (definition: unknown) =>
    (checkDefinitions([{ file: 'note.toml', definition }]).faults ?? []).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  test.each<[string, unknown, string]>([
    [
      'a number',
      note([{ name: 'views', field_type: 'integer', localized: true }]),
      'fields[0].localized: a field of type integer has one value for all languages',
    ],
    [
      'a password',
      note([{ name: 'word', field_type: 'password', localized: true }]),
      'fields[0].localized: a field of type password has one value for all languages',
    ],
    [
      'a relation to many',
      note([
        {
          name: 'next',
          field_type: 'relation',
          relation: { relation_type: 'many_to_many', target: 'notes' },
          localized: true,
        },
      ]),
      'fields[0].localized: a relation to many records has one value for all languages',
    ],
    [
      'a field inside another',
      note([{ name: 'card', field_type: 'group', fields: [{ name: 'text', field_type: 'text', localized: true }] }]),
      'fields[0].fields[0].localized: a field inside another cannot be localized by itself',
    ],
    [
      'a field with relations inside',
      note([
        {
          name: 'card',
          field_type: 'group',
          localized: true,
          fields: [
            { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'notes' } },
          ],
        },
      ]),
      'fields[0].localized: a field with relations or files inside has one value for all languages',
    ],
    [
      'a field with relations deep inside',
      note([
        {
          name: 'cards',
          field_type: 'blocks',
          localized: true,
          blocks: [
            {
              name: 'card',
              fields: [
                {
                  name: 'rows',
                  field_type: 'list',
                  item: {
                    field_type: 'group',
                    fields: [
                      {
                        name: 'next',
                        field_type: 'relation',
                        relation: { relation_type: 'many_to_one', target: 'notes' },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ]),
      'fields[0].localized: a field with relations or files inside has one value for all languages',
    ],
    [
      'an immutable field',
      note([{ ...body, immutable: true }]),
      'fields[0].localized: a localized field cannot be immutable',
    ],
    [
      'a field of a set that is unique',
      note([text, { name: 'kind', field_type: 'integer' }], { unique: [['title', 'kind']] }),
      'unique[0][0]: "title" is localized, and a set is unique in all languages',
    ],
    [
      'the field of an order',
      note([text], { protocols: [{ name: 'sortable', field: 'title' }] }),
      'protocols[0]: sortable goes by "title", which is localized',
    ],
    [
      'a slug within a tenant',
      note([text, slug], { protocols: ['tenantable'] }),
      'fields[1].localized: "slug" is unique within a tenant, not within a language',
    ],
    [
      'a field of the name of a parameter',
      note([text, { name: 'language', field_type: 'text' }]),
      'fields[1].name: the name "language" is taken: reads of a type with localized fields have such a parameter',
    ],
  ])('%s is refused, with one language too', (_, definition, message) => {
    expect(wrong(definition)).toContain(message);
  });
});
