// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// A role that is bounded to languages says nothing in any other, whatever way it takes.

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    'timestampable',
    { name: 'statusable', values: ['draft', 'published'], default: 'draft', by_language: true },
    { name: 'versionable', drafts: true },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'text', field_type: 'text', localized: true },
    { name: 'code', field_type: 'text' },
  ],
};
const note = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text', localized: true }] };

const german = {
  name: 'german',
  base: 'editor',
  types: { article: { create: false, languages: ['DE'] }, note: { languages: ['en', 'de'] } },
};

const reader = { name: 'reader', base: 'editor', types: { article: { create: false, read: { except: ['text'] } } } };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([article, note], { languages: 'en,de,fr', roles: [german, reader] });
  await service.account('ada', 'admin');
  await service.account('gerd', 'german');
  await service.account('rita', 'reader');
});
afterAll(() => service[Symbol.asyncDispose]());

const root = '/api/v1/admin/cms/articles';
const send = (line: string, as: string, body?: unknown) =>
  service.send(line.replace(' ', ` ${root}`), { as, ...(body === undefined ? {} : { body }) });
const refused = [403, 'insufficient_role'];

async function made(status = 'draft'): Promise<string> {
  const { id } = await service.seed('articles', { title: 'Hello', text: 'World', code: 'a', status });
  for (const tag of ['de', 'fr']) {
    const { status: code } = await send(`PUT /${id}?language=${tag}`, 'ada', { title: `Hello ${tag}`, status });
    expect(code).toBe(200);
  }
  return id;
}

describe('a role that writes in German alone', () => {
  test('changes what a record says in German, and what all languages share', async () => {
    const id = await made();
    expect((await send(`PUT /${id}?language=de`, 'gerd', { title: 'Hallo', code: 'b' })).status).toBe(200);
    expect((await send(`PUT /${id}`, 'gerd', { title: 'Hello', code: 'c' })).json.code).toBe('c');
    for (const query of ['', '?language=fr']) {
      const { status, json } = await send(`PUT /${id}${query}`, 'gerd', { title: 'Other', code: 'd' });
      expect([status, json.code, json.detail]).toEqual([
        ...refused,
        expect.stringContaining(query === '' ? '"en"' : '"fr"'),
      ]);
    }
    const { status, json } = await send('POST /batch', 'gerd', {
      ids: [id],
      action: 'update',
      set: { title: 'Other' },
    });
    expect([status, JSON.stringify(json)]).toEqual([expect.any(Number), expect.stringContaining('insufficient_role')]);
    expect((await send(`GET /${id}`, 'ada')).json).toMatchObject({ title: 'Hello', code: 'c' });
    expect((await send(`GET /${id}?language=fr`, 'gerd')).json.title).toBe('Hello fr');
  });

  test('publishes German alone', async () => {
    const id = await made();
    for (const query of ['', '?language=fr', '?language=*']) {
      const { status, json } = await send(`POST /${id}/publish${query}`, 'gerd');
      expect([query, status, json.code]).toEqual([query, ...refused]);
    }
    expect((await send(`PUT /${id}?language=fr`, 'gerd', { status: 'published' })).status).toBe(403);
    expect((await send(`POST /${id}/publish?language=de`, 'gerd')).status).toBe(200);
    const { items } = (await send(`GET /${id}/languages`, 'ada')).json;
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['draft', 'published', 'draft']);
  });

  test('drafts, discards and publishes drafts of German alone', async () => {
    const id = await made('published');
    for (const query of ['', '&language=fr', '&language=de'])
      expect((await send(`PUT /${id}?draft=true${query}`, 'ada', { text: 'drafted' })).status).toBe(200);
    for (const query of ['', '?language=fr']) {
      const draft = `/${id}?draft=true${query.replace('?', '&')}`;
      expect((await send(`PUT ${draft}`, 'gerd', { text: 'mine' })).json.code).toBe('insufficient_role');
      expect((await send(`DELETE /${id}/draft${query}`, 'gerd')).json.code).toBe('insufficient_role');
      expect((await send(`POST /${id}/publish${query}`, 'gerd')).json.code).toBe('insufficient_role');
    }
    expect((await send(`PUT /${id}?draft=true&language=de`, 'gerd', { text: 'meins' })).status).toBe(200);
    expect((await send(`POST /${id}/publish?language=de`, 'gerd')).json.text).toBe('meins');
    expect((await send(`GET /${id}?draft=true&language=fr`, 'ada')).json.text).toBe('drafted');
  });

  test('takes German away, and no other language', async () => {
    const id = await made();
    expect((await send(`DELETE /${id}/languages/fr`, 'gerd')).json.code).toBe('insufficient_role');
    expect((await send(`DELETE /${id}/languages/de`, 'gerd')).status).toBe(204);
    expect((await send(`GET /${id}`, 'ada')).json.__languages).toEqual(['en', 'fr']);
  });

  test('brings back what a version says in German', async () => {
    const id = await made();
    const { revision } = (await send(`GET /${id}/revisions`, 'ada')).json.items[0];
    await send(`PUT /${id}?language=de`, 'ada', { title: 'Anders' });
    await send(`PUT /${id}?language=fr`, 'ada', { title: 'Autre' });
    expect((await send(`POST /${id}/revisions/${revision}/restore`, 'gerd')).status).toBe(200);
    expect((await send(`GET /${id}?language=de`, 'ada')).json.title).toBe('Hello de');
    expect((await send(`GET /${id}?language=fr`, 'ada')).json.title).toBe('Autre');
    await send(`PUT /${id}`, 'ada', { title: 'Else' });
    expect((await send(`POST /${id}/revisions/${revision}/restore`, 'gerd')).json.code).toBe('insufficient_role');
  });

  test('reads it in its permissions', async () => {
    const { json } = await service.send('GET /api/v1/auth/me/permissions', { as: 'gerd' });
    expect([json.types.article.languages, json.types.note.languages]).toEqual([['de'], ['en', 'de']]);
    expect(json.types.note.create).toBe('all');
    const all = await service.send('GET /api/v1/auth/me/permissions', { as: 'ada' });
    expect(all.json.types.article.languages).toEqual(['en', 'de', 'fr']);
  });
});

test('a role that does not read all that languages say does not learn when they were written', async () => {
  const id = await made();
  await send(`PUT /${id}`, 'ada', { text: 'Changed since' });
  const states = async (as: string) => (await send(`GET /${id}/languages`, as)).json.items[1];
  expect(await states('ada')).toMatchObject({ exists: true, outdated: true, changed_at: expect.any(String) });
  expect(await states('rita')).toMatchObject({ exists: true, outdated: false, changed_at: null });
});

test('a role that names what is no language, or creates what it cannot say, is an error', async () => {
  const put = (types: unknown) => service.send('PUT /api/v1/admin/roles/other', { as: 'ada', body: { types } });
  await service.send('POST /api/v1/admin/roles', { as: 'ada', body: { name: 'other' } });
  for (const [types, field] of [
    [{ article: { languages: ['de', 'xx'] } }, 'types.article.languages[1]'],
    [{ article: { create: true, languages: ['de'] } }, 'types.article.languages'],
    [{ '*': { create: true, languages: ['de'] } }, 'types["*"].languages'],
  ] as const) {
    const { status, json } = await put(types);
    expect([status, json.errors?.[0]?.field]).toEqual([422, field]);
  }
  expect((await put({ note: { create: true, languages: ['de'] } })).status).toBe(200);
});
