// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reply, TestService } from '../../support/service.ts';

// What users of other systems complain about their languages, each by its public issue: it does not happen here.

/** Those that another test is about, by its file and name. */
const elsewhere = [
  [
    'strapi/strapi#24780',
    'drafts.test.ts',
    'is its own: the other languages have no draft, and nothing that is published changes',
  ],
  [
    'strapi/strapi#24298',
    'statuses.test.ts',
    'one language leaves the others as they are, and a change of one does too',
  ],
  ['strapi/strapi#25802', 'kinds.test.ts', 'are localized whole: a change in one language leaves those of the others'],
  [
    'strapi/strapi#24600',
    'reads.test.ts',
    'has the same records whatever the language: none is lost for want of a translation',
  ],
  [
    'strapi/strapi#10806',
    'reads.test.ts',
    'is shown in another one, with the values of a fallback where it lacks some',
  ],
  ['strapi/strapi#12799', 'reads.test.ts', 'falls back along the chain of its language'],
  [
    'payloadcms/payload#15664',
    'drafts.test.ts',
    'saved by itself with what other languages stand in with makes none of it its own',
  ],
  ['payloadcms/payload#3294', 'reads.test.ts', 'filters by what it shows, with and without values of others'],
  ['payloadcms/payload#8443', 'reads.test.ts', 'shows what it has of its own with fallback=false'],
  [
    'payloadcms/payload#11212',
    'every-language.test.ts',
    'lists have it too, and a filter finds what any language says',
  ],
  ['directus/directus#22881', 'writes.test.ts', 'hold all languages, differ by them and bring them back'],
] as const;

test.each(elsewhere)('%s: %s, "%s"', (_, file, name) => {
  expect(readFileSync(join(import.meta.dir, file), 'utf8')).toContain(name);
});

const open = { access: 'public' };
const blocks = [{ name: 'quote', fields: [{ name: 'text', field_type: 'text' }] }];
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', by_language: true },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'parts', field_type: 'blocks', blocks, localized: true },
    { name: 'points', field_type: 'integer' },
    { name: 'facts', field_type: 'list', fields: [{ name: 'value', field_type: 'integer' }] },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'story' } },
  ],
  api: { list: open, get: open },
};
const home = {
  singular: 'home',
  plural: 'homes',
  kind: 'single',
  fields: [{ name: 'welcome', field_type: 'text', localized: true }],
  api: { get: open },
};
/** All that it takes to translate a type: see the last test. */
const note = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'text', field_type: 'text', localized: true }],
  api: { get: open },
};

type Json = Reply['json'];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story, home, note], { languages: 'en,de,fr' });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = async (line: string, body?: unknown, status = 200): Promise<Json> => {
  const sent = { as: 'ann', ...(body === undefined ? {} : { body }) };
  const reply = await service.send(line.replace(' ', ' /api/v1/admin/cms/'), sent);
  expect({ line, status: reply.status, text: reply.text }).toEqual({ line, status, text: reply.text });
  return reply.json;
};
const publicly = async (path: string) => service.send(`GET /api/v1/cms/${path}`);
const states = async (id: string): Promise<Json> => {
  const { items } = await admin(`GET stories/${id}/languages`);
  return Object.fromEntries(
    items.map(({ language, status, draft }: Json) => [language, `${status}${draft ? ', draft' : ''}`]),
  );
};

describe('strapi/strapi', () => {
  test('#22080, #21850: a new translation has the shared fields of the record', async () => {
    const { id: other } = await service.seed('stories', { title: 'Other', status: 'published' });
    const { id } = await service.seed('stories', {
      ...{ title: 'One', points: 7, facts: [{ value: 1 }], next: other, status: 'published' },
    });
    await admin(`PUT stories/${id}?language=de`, { title: 'Eins', status: 'published' });
    const { json } = await publicly(`stories/${id}?language=de`);
    expect(json).toMatchObject({ title: 'Eins', points: 7, facts: [{ value: 1 }], next: other });
  });

  test('#24598: a translation is published beside one that is published already', async () => {
    const { id } = await service.seed('stories', { title: 'Two', status: 'published' });
    await admin(`PUT stories/${id}?language=de`, { title: 'Zwei' });
    await admin(`POST stories/${id}/publish?language=de`);
    await admin(`PUT stories/${id}?language=fr`, { title: 'Deux' });
    expect(await states(id)).toEqual({ en: 'published', de: 'published', fr: 'draft' });
    await admin(`POST stories/${id}/publish?language=fr`);
    expect(await states(id)).toEqual({ en: 'published', de: 'published', fr: 'published' });
  });

  test('#12638: the one record of a single type is read in all languages at once', async () => {
    const { id } = (await publicly('home')).json;
    await admin(`PUT homes/${id}`, { welcome: 'Welcome' });
    await admin(`PUT homes/${id}?language=de`, { welcome: 'Willkommen' });
    const both = { en: 'Welcome', de: 'Willkommen' };
    expect((await admin(`GET homes/${id}?language=*`)).welcome).toEqual(both);
    expect((await admin('GET homes?language=*')).items.map(({ welcome }: Json) => welcome)).toEqual([both]);
  });
});

describe('payloadcms/payload', () => {
  test('#16303: what stands in for a language is not its own after a publication', async () => {
    const parts = [{ block: 'quote', text: 'Words' }];
    const { id } = await service.seed('stories', { title: 'Three', parts, status: 'published' });
    await admin(`PUT stories/${id}?language=de`, { title: 'Drei', status: 'published' });
    const shown = await admin(`GET stories/${id}?draft=true&language=de&fallback=true`, undefined, 200);
    expect(shown.__fallback).toEqual(['parts']);
    await admin(`PUT stories/${id}?draft=true&language=de`, { ...shown, title: 'Drei!' });
    await admin(`POST stories/${id}/publish?language=de`);
    expect(await admin(`GET stories/${id}?language=de`)).toMatchObject({ title: 'Drei!', parts: null });
    const { json } = await publicly(`stories/${id}?language=de`);
    expect([json.title, json.parts[0].text, json.__fallback]).toEqual(['Drei!', 'Words', ['parts']]);
  });

  test('#14672: one language is published, and taken back, alone', async () => {
    const { id } = await service.seed('stories', { title: 'Four', status: 'draft' });
    await admin(`PUT stories/${id}?language=de`, { title: 'Vier' });
    await admin(`POST stories/${id}/publish?language=de`);
    expect(await states(id)).toEqual({ en: 'draft', de: 'published', fr: 'draft' });
    expect((await publicly(`stories/${id}`)).status).toBe(404);
    expect((await publicly(`stories/${id}?language=de`)).json.title).toBe('Vier');
    await admin(`PUT stories/${id}?language=de`, { status: 'draft' });
    expect((await publicly(`stories/${id}?language=de`)).status).toBe(404);
  });

  test('#9060: fallback=false holds for lists and included records', async () => {
    const parts = [{ block: 'quote', text: 'Words' }];
    const { id: next } = await service.seed('stories', { title: 'Six', parts, status: 'published' });
    const { id } = await service.seed('stories', { title: 'Five', parts, next, status: 'published' });
    for (const each of [next, id])
      await admin(`PUT stories/${each}?language=de`, { title: 'Titel', status: 'published' });
    const read = async (query: string) => {
      const { json } = await publicly(`stories?language=de&include=next&filter=id="${id}"${query}`);
      const [{ title, parts: own, next: included }] = json.items;
      return [title, own?.[0].text, included.title, included.parts?.[0].text];
    };
    expect(await read('')).toEqual(['Titel', 'Words', 'Titel', 'Words']);
    expect(await read('&fallback=false')).toEqual(['Titel', undefined, 'Titel', undefined]);
  });

  test('#15847: a copy of a record has the blocks of every language', async () => {
    const words = (text: string) => [{ block: 'quote', text }];
    const { id } = await service.seed('stories', { title: 'Seven', parts: words('Seven') });
    await admin(`PUT stories/${id}?language=de`, { title: 'Sieben', parts: words('Sieben') });
    const every = await admin(`GET stories/${id}?language=*&fields=title,parts`);
    const { id: copy } = await service.seed('stories', { title: every.title.en, parts: every.parts.en });
    await admin(`PUT stories/${copy}?language=de`, { title: every.title.de, parts: every.parts.de });
    const copied = await admin(`GET stories/${copy}?language=*&fields=title,parts`);
    expect(copied.title).toEqual(every.title);
    const texts = ({ parts }: Json) => [parts.en[0].text, parts.de[0].text];
    expect(texts(copied)).toEqual(['Seven', 'Sieben']);
    expect(texts(await admin(`GET stories/${id}?language=*`))).toEqual(['Seven', 'Sieben']);
  });
});

describe('directus/app', () => {
  test('#1629: a word in the definition is all that it takes to translate a field', async () => {
    const { id } = await service.seed('notes', { text: 'Hello' });
    await admin(`PUT notes/${id}?language=de`, { text: 'Hallo' });
    expect((await publicly(`notes/${id}?language=de`)).json.text).toBe('Hallo');
  });
});
