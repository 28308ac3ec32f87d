// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Whatever a type is made of, what one language says is its own, and what all share exists once.

const open = { access: 'public' };
const api = { list: open, get: open, create: open, update: open, delete: open };

const page = {
  singular: 'leaflet',
  plural: 'leaflets',
  protocols: ['versionable', 'soft_deletable'],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    {
      name: 'intro',
      field_type: 'group',
      localized: true,
      fields: [
        { name: 'text', field_type: 'text' },
        { name: 'hint', field_type: 'text', private: true },
      ],
    },
    {
      name: 'sections',
      field_type: 'list',
      localized: true,
      fields: [{ name: 'heading', field_type: 'text' }],
    },
    { name: 'facts', field_type: 'list', fields: [{ name: 'value', field_type: 'integer' }] },
    { name: 'state', field_type: 'enum', enum_values: ['open', 'shut'], localized: true, default: 'open' },
    { name: 'why', field_type: 'text', localized: true, required: true, show_if: 'state = "shut"' },
  ],
  api,
};
const home = {
  singular: 'home',
  plural: 'homes',
  kind: 'single',
  fields: [
    { name: 'welcome', field_type: 'text', localized: true },
    { name: 'visits', field_type: 'integer', default: 0 },
  ],
  api: { get: open, update: open },
};
const guarded = {
  singular: 'sign',
  plural: 'signs',
  fields: [{ name: 'text', field_type: 'text', localized: true }],
  api: {
    list: { access: 'public', filter: 'text != "hidden"' },
    get: { access: 'public', filter: 'text != "hidden"' },
    update: { access: 'public', filter: 'text != "locked"' },
  },
};
const kept = {
  singular: 'memo',
  plural: 'memos',
  protocols: ['tenantable'],
  fields: [{ name: 'text', field_type: 'text', localized: true }],
  api,
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([page, home, guarded, kept], { languages: 'en,de' });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = (line: string, body?: unknown) =>
  service.send(line.replace(' ', ' /api/v1/admin/cms/'), { as: 'ann', ...(body === undefined ? {} : { body }) });

describe('structured fields', () => {
  test('are localized whole: a change in one language leaves those of the others, and shared ones are the same in all', async () => {
    const { id } = await service.seed('leaflets', {
      title: 'Hello',
      intro: { text: 'Once', hint: 'h' },
      sections: [{ heading: 'One' }, { heading: 'Two' }],
      facts: [{ value: 1 }],
    });
    const german = { sections: [{ heading: 'Eins' }], facts: [{ value: 1 }, { value: 2 }] };
    expect((await admin(`PUT leaflets/${id}?language=de`, german)).status).toBe(200);
    expect((await admin(`GET leaflets/${id}`)).json).toMatchObject({
      intro: { text: 'Once', hint: 'h' },
      sections: [{ heading: 'One' }, { heading: 'Two' }],
      facts: [{ value: 1 }, { value: 2 }],
    });
    const { json } = await service.send(`GET /api/v1/cms/leaflets/${id}?language=de`);
    expect(json).toMatchObject({ sections: [{ heading: 'Eins' }], facts: [{ value: 1 }, { value: 2 }] });
    expect(json.intro).toEqual({ text: 'Once' });
    expect(json.__fallback).toEqual(['title', 'intro', 'state']);
  });

  test('that are read publicly and put back whole change nothing, and lose nothing that was not shown', async () => {
    const { id } = await service.seed('leaflets', { title: 'Hello', intro: { text: 'Once', hint: 'h' } });
    const whole = (await service.send(`GET /api/v1/cms/leaflets/${id}?language=de`)).json;
    const put = await service.send(`PUT /api/v1/cms/leaflets/${id}?language=de`, { body: whole });
    expect([put.status, put.json.__languages]).toEqual([200, ['en']]);
    expect((await admin(`GET leaflets/${id}?language=de`)).json).toMatchObject({ title: null, intro: null });
    expect((await admin(`GET leaflets/${id}`)).json.intro).toEqual({ text: 'Once', hint: 'h' });
  });

  test('an enum is filtered by what each language shows', async () => {
    const { id } = await service.seed('leaflets', { title: 'Open here', state: 'open' });
    await admin(`PUT leaflets/${id}?language=de`, { state: 'shut' });
    const ids = async (query: string) =>
      (await admin(`GET leaflets?${query}`)).json.items.map((item: { id: string }) => item.id);
    expect(await ids('state=shut&language=de')).toEqual([id]);
    expect(await ids('state=shut')).toEqual([]);
  });
});

test('what a condition requires is required in the default language', async () => {
  const { id } = await service.seed('leaflets', { title: 'Hello' });
  const { status, json } = await admin(`PUT leaflets/${id}`, { state: 'shut' });
  expect([status, json.errors[0]]).toMatchObject([422, { field: 'why', code: 'required' }]);
  expect((await admin(`PUT leaflets/${id}?language=de`, { state: 'shut' })).status).toBe(200);
});

test('what is saved by itself while somebody writes does not take values of other languages along', async () => {
  const { id } = await service.seed('leaflets', { title: 'Hello' });
  const whole = (await admin(`GET leaflets/${id}?language=de&fallback=true`)).json;
  for (const heading of ['A', 'AB']) {
    const sent = { ...whole, sections: [{ heading }] };
    expect((await admin(`PUT leaflets/${id}?language=de&autosave=true`, sent)).status).toBe(200);
  }
  expect((await admin(`GET leaflets/${id}?language=de`)).json).toMatchObject({
    title: null,
    sections: [{ heading: 'AB' }],
    __languages: ['en', 'de'],
  });
  const { items } = (await admin(`GET leaflets/${id}/revisions`)).json;
  expect(items.map(({ changed }: { changed: string[] }) => changed)).toEqual([['sections@de'], []]);
});

test('a record comes back from the trash with its translations', async () => {
  const { id } = await service.seed('leaflets', { title: 'Hello' });
  await admin(`PUT leaflets/${id}?language=de`, { title: 'Hallo' });
  expect((await admin(`DELETE leaflets/${id}`)).status).toBe(204);
  expect((await admin(`GET leaflets/${id}?language=de`)).status).toBe(404);
  expect((await admin(`PUT leaflets/${id}?language=de`, { title: 'Da' })).status).toBe(404);
  expect((await admin(`POST leaflets/${id}/restore`)).status).toBe(200);
  expect((await admin(`GET leaflets/${id}?language=de`)).json.title).toBe('Hallo');
});

test('the one record of a single type has languages, whichever is asked for first', async () => {
  const path = '/api/v1/cms/home';
  const first = await service.send(`GET ${path}?language=de`);
  expect([first.status, first.json.__language, first.json.__languages]).toEqual([200, 'de', ['en']]);
  const put = await service.send(`PUT ${path}?language=de`, { body: { welcome: 'Willkommen', visits: 2 } });
  expect([put.status, put.json.welcome]).toEqual([200, 'Willkommen']);
  expect((await service.send(`GET ${path}`)).json).toMatchObject({
    welcome: null,
    visits: 2,
    __languages: ['en', 'de'],
  });
});

test('rules read what the request shows', async () => {
  const { id } = await service.seed('signs', { text: 'shown' });
  await admin(`PUT signs/${id}?language=de`, { text: 'hidden' });
  expect((await service.send(`GET /api/v1/cms/signs/${id}`)).status).toBe(200);
  expect((await service.send(`GET /api/v1/cms/signs/${id}?language=de`)).status).toBe(404);
  expect((await service.send('GET /api/v1/cms/signs?language=de')).json.total).toBe(0);
  await admin(`PUT signs/${id}?language=de`, { text: 'locked' });
  const locked = await service.send(`PUT /api/v1/cms/signs/${id}?language=de`, { body: { text: 'mine' } });
  expect([locked.status, locked.json.code]).toEqual([403, 'rule_refused']);
  expect((await service.send(`PUT /api/v1/cms/signs/${id}`, { body: { text: 'yours' } })).status).toBe(200);
});

test('records of a tenant are those of the tenant in every language', async () => {
  await service.account('tina', 'admin', 't1');
  await service.account('tom', 'admin', 't2');
  const made = await service.send('POST /api/v1/admin/cms/memos', { as: 'tina', body: { text: 'Hello' } });
  const one = `/api/v1/admin/cms/memos/${made.json.id}?language=de`;
  expect((await service.send(`PUT ${one}`, { as: 'tina', body: { text: 'Hallo' } })).status).toBe(200);
  expect((await service.send(`PUT ${one}`, { as: 'tom', body: { text: 'Meins' } })).status).toBe(404);
  expect((await service.send(`GET ${one}`, { as: 'tom' })).status).toBe(404);
  expect((await service.send(`GET ${one}`, { as: 'tina' })).json.text).toBe('Hallo');
});

test('what is not built for other languages is refused, and never done in the default one instead', async () => {
  const { id } = await service.seed('leaflets', { title: 'Hello' });
  const refused = [
    await admin('GET leaflets?language=*&format=csv'),
    await admin(`POST leaflets/${id}/revisions/1/restore?language=de`),
    await admin(`DELETE leaflets/${id}?language=de`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect((await admin('POST leaflets?language=de', { title: 'Hallo' })).status).toBe(422);
  expect((await admin(`GET leaflets/${id}`)).json.title).toBe('Hello');
});
