// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// A batch changes what records say in the language that it names, and its filter reads that language.

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    'timestampable',
    'soft_deletable',
    { name: 'statusable', values: ['draft', 'published'], default: 'draft', by_language: true },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true, max_length: 20 },
    { name: 'text', field_type: 'text', localized: true },
    { name: 'code', field_type: 'text' },
  ],
};
const tale = {
  singular: 'tale',
  plural: 'tales',
  protocols: ['statusable', { name: 'versionable', drafts: true }],
  fields: [{ name: 'title', field_type: 'text', required: true, localized: true }],
};
const plain = { singular: 'plain', plural: 'plains', fields: [{ name: 'text', field_type: 'text' }] };
const german = { name: 'german', base: 'editor', types: { article: { create: false, languages: ['de'] } } };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([article, tale, plain], { languages: 'en,de,fr', roles: [german] });
  await service.account('ada', 'admin');
  await service.account('gerd', 'german');
});
afterAll(() => service[Symbol.asyncDispose]());

const root = '/api/v1/admin/cms';
const send = (line: string, body?: unknown, as = 'ada') =>
  service.send(line.replace(' ', ` ${root}/`), { as, ...(body === undefined ? {} : { body }) });
const read = async (id: string, language: string, type = 'articles') =>
  (await send(`GET ${type}/${id}?language=${language}`)).json;

/** An article with a German title. */
async function made(title: string, german?: object): Promise<string> {
  const { id } = await service.seed('articles', { title, text: 'Text', code: 'a' });
  if (german !== undefined) expect((await send(`PUT articles/${id}?language=de`, german)).status).toBe(200);
  return id;
}

describe('in a language', () => {
  test('updates say it in that language, and leave the others as they are', async () => {
    const ids = [await made('One', { title: 'Eins' }), await made('Two')];
    const reply = await send('POST articles/batch?language=de', { action: 'update', ids, set: { text: 'Deutsch' } });
    expect([reply.status, reply.json]).toEqual([200, { action: 'update', affected: 2 }]);
    for (const id of ids) {
      expect(await read(id, 'de')).toMatchObject({ text: 'Deutsch' });
      expect(await read(id, 'en')).toMatchObject({ text: 'Text' });
      expect(await read(id, 'fr')).toMatchObject({ text: null });
    }
    // Shared fields belong to the record, whatever language is named.
    await send('POST articles/batch?language=de', { action: 'update', ids, set: { code: 'b' } });
    expect((await read(ids[0] ?? '', 'fr')).code).toBe('b');
  });

  test('the filter and the search read that language', async () => {
    const [first, second] = [await made('Alpha', { title: 'Apfel' }), await made('Apfel')];
    const set = { text: 'found' };
    await send('POST articles/batch?language=de', { action: 'update', filter: 'title = "Apfel"', set });
    expect((await read(first, 'de')).text).toBe('found');
    expect((await read(second, 'de')).text).toBeNull();
    // With fallbacks, the filter sees what a list with fallbacks shows; what stands in is written nowhere.
    const reply = await send('POST articles/batch?language=de&fallback=true', {
      ...{ action: 'update', filter: 'title = "Apfel"', search: 'apfel', set: { text: 'both' } },
    });
    expect(reply.json).toEqual({ action: 'update', affected: 2 });
    expect(await read(second, 'de')).toMatchObject({ text: 'both', title: null });
  });

  test('each language is published alone', async () => {
    const id = await made('Public', { title: 'Öffentlich' });
    expect((await send('POST articles/batch?language=de', { action: 'publish', ids: [id] })).status).toBe(200);
    expect((await read(id, 'de')).status).toBe('published');
    expect((await read(id, 'en')).status).toBe('draft');
    const lacking = await made('Lacking');
    const refused = await send('POST articles/batch?language=de', { action: 'publish', ids: [id, lacking] });
    expect([refused.status, refused.json.errors?.[0]?.code]).toEqual([422, 'language_required']);
  });

  test('drafts of a language are published, and no others', async () => {
    const { id } = await service.seed('tales', { title: 'Tale', status: 'published' });
    await send(`PUT tales/${id}?language=de`, { title: 'Märchen' });
    await send(`PUT tales/${id}?draft=true&language=de`, { title: 'Neues Märchen' });
    await send(`PUT tales/${id}?draft=true`, { title: 'New tale' });
    expect((await send('POST tales/batch?language=de', { action: 'publish', ids: [id] })).status).toBe(200);
    expect((await read(id, 'de', 'tales')).title).toBe('Neues Märchen');
    expect((await read(id, 'en', 'tales')).title).toBe('Tale');
  });

  test('records are deleted and restored as a whole', async () => {
    const id = await made('Gone', { title: 'Fort' });
    const filter = 'title = "Fort"';
    expect((await send('POST articles/batch?language=de', { action: 'delete', filter })).json.affected).toBe(1);
    expect((await send(`GET articles/${id}`)).status).toBe(404);
    expect((await send('POST articles/batch?language=de', { action: 'restore', filter })).json.affected).toBe(1);
    expect((await read(id, 'en')).title).toBe('Gone');
  });

  test('errors name the record, and change none', async () => {
    const ids = [await made('Good', { title: 'Gut' }), await made('Better', { title: 'Besser' })];
    const set = { title: 'x'.repeat(21) };
    const { status, json } = await send('POST articles/batch?language=de', { action: 'update', ids, set });
    expect([status, json.errors?.[0]?.field]).toEqual([422, 'set.title']);
    expect((await read(ids[0] ?? '', 'de')).title).toBe('Gut');
  });

  test('what is sent back as another language stood in for it is not written', async () => {
    const id = await made('Stand-in', { text: 'Eigenes' });
    await send('POST articles/batch?language=de', { action: 'update', ids: [id], set: { title: 'Stand-in' } });
    expect(await read(id, 'de')).toMatchObject({ text: 'Eigenes', __languages: ['en', 'de'] });
  });

  test('a role is bounded to its languages', async () => {
    const id = await made('Mine', { title: 'Meins' });
    const set = { title: 'Deins' };
    const batch = (language: string) =>
      send(`POST articles/batch?language=${language}`, { action: 'update', ids: [id], set }, 'gerd');
    expect((await batch('de')).status).toBe(200);
    for (const language of ['en', 'fr']) expect((await batch(language)).json.code).toBe('insufficient_role');
    expect((await read(id, 'fr')).title).toBeNull();
    expect((await read(id, 'en')).title).toBe('Mine');
  });

  test('a language that there is not, and other parameters, are 400', async () => {
    const ids = [await made('Any')];
    const code = async (query: string) =>
      (await send(`POST articles/batch?${query}`, { action: 'delete', ids })).json.code;
    expect(await code('language=nl')).toBe('unknown_language');
    expect(await code('language=*')).toBe('unknown_language');
    expect(await code('language=de&draft=true')).toBe('unknown_parameter');
    expect((await read(ids[0] ?? '', 'en')).title).toBe('Any');
  });

  test('more than one transaction changes are changed by a job, in the language', async () => {
    const ids: string[] = [];
    // Some at a time, which share a commit.
    for (let from = 0; from < 1_002; from += 167) {
      const numbers = Array.from({ length: 167 }, (_, index) => from + index);
      const made = await Promise.all(numbers.map((number) => service.seed('articles', { title: `M ${number}` })));
      ids.push(...made.map(({ id }) => id));
    }
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    await send(`PUT articles/${first}?language=de`, { title: 'Zuerst' });
    const body = { action: 'update', filter: 'title ~ "M %"', set: { text: 'im Auftrag' } };
    // Without fallbacks, German says nothing in all but one.
    expect((await send('POST articles/batch?language=de', body)).json).toEqual({ action: 'update', affected: 0 });
    const { status, json } = await send('POST articles/batch?language=de&fallback=true', body);
    expect([status, json]).toEqual([202, { action: 'update', job: expect.any(String) }]);
    await service.runJobs();
    const job = (await service.send(`GET /api/v1/admin/jobs/${json.job}`, { as: 'ada' })).json;
    // The first has a German title, which the filter does not find.
    expect([job.state, job.result?.affected]).toEqual(['done', 1_001]);
    expect(await read(first, 'de')).toMatchObject({ text: null });
    expect(await read(last, 'de')).toMatchObject({ text: 'im Auftrag', title: null });
    expect((await read(last, 'en')).text).toBeNull();
  });
});
