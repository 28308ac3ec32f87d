// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { article, openMagazine, translated } from './articles.ts';

/** Reads all but the notes. */
const reader = {
  name: 'reader',
  base: 'editor',
  types: { article: { list: true, get: true, update: true, read: { except: ['notes'] } } },
  may: { events: true },
};

let service: TestService;
beforeAll(async () => {
  service = await openMagazine({ roles: [reader] });
  await service.account('rita', 'reader');
});
afterAll(() => service[Symbol.asyncDispose]());

const one = (id: string, query = '') => `/api/v1/admin/cms/articles/${id}${query}`;
const read = async (id: string, query = '') => (await service.send(`GET ${one(id, query)}`, { as: 'ann' })).json;
const put = (id: string, query: string, body: unknown, headers: Record<string, string> = {}) =>
  service.send(`PUT ${one(id, query)}`, { as: 'ann', body, headers });

describe('a write in a language', () => {
  test('changes what that language says, and nothing of the others', async () => {
    const id = await translated(service, { title: 'Hello', body: 'World' }, { fr: { title: 'Bonjour' } });
    const { status, json, headers } = await put(id, '?language=de', { title: 'Hallo' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ title: 'Hallo', body: null, __language: 'de', __languages: ['en', 'de', 'fr'] });
    expect(headers.get('content-language')).toBe('de');
    expect(await read(id)).toMatchObject({ title: 'Hello', body: 'World' });
    expect(await read(id, '?language=fr')).toMatchObject({ title: 'Bonjour', body: null });
  });

  test('changes shared fields for all languages: there is one value of each', async () => {
    const id = await translated(service, { title: 'Hello', points: 1 }, { de: { title: 'Hallo', points: 7 } });
    for (const query of ['', '?language=de', '?language=fr'])
      expect(await read(id, query)).toMatchObject({ points: 7 });
  });

  test('takes null as no translation, and an empty text as one', async () => {
    const id = await translated(service, { title: 'Hello', body: 'World' }, { de: { title: 'Hallo', body: '' } });
    const german = async () => (await service.send(`GET /api/v1/cms/articles/${id}?language=de`)).json;
    expect(await german()).toMatchObject({ title: 'Hallo', body: '', __fallback: [] });
    expect((await put(id, '?language=de', { title: null, body: null })).status).toBe(200);
    expect(await german()).toMatchObject({ title: 'Hello', body: 'World', __languages: ['en'] });
  });

  test('keeps what is required in the default language alone', async () => {
    const id = await translated(service, { title: 'Hello' });
    const { status, json } = await put(id, '', { title: null });
    expect([status, json.errors[0].code]).toEqual([422, 'required']);
    expect((await put(id, '?language=de', { body: 'Nur der Text' })).status).toBe(200);
  });

  test('checks slugs within a language', async () => {
    await translated(service, { title: 'A', slug: 'same' }, { de: { slug: 'gleich' } });
    const other = await translated(service, { title: 'B', slug: 'other' }, { fr: { slug: 'gleich' } });
    const { status, json } = await put(other, '?language=de', { slug: 'gleich' });
    expect([status, json.errors[0]]).toMatchObject([422, { field: 'slug', code: 'taken' }]);
    expect((await put(other, '?language=de', { slug: 'same' })).status).toBe(200);
  });

  test('begins in the default language', async () => {
    const { status, json } = await service.send('POST /api/v1/admin/cms/articles?language=de', {
      as: 'ann',
      body: { title: 'Hallo' },
    });
    expect([status, json.errors[0].code]).toEqual([422, 'language_required']);
  });

  test('names a language that there is, and no fallback', async () => {
    const id = await translated(service, { title: 'Hello' });
    expect((await put(id, '?language=es', { title: 'Hola' })).json.code).toBe('unknown_language');
    expect((await put(id, '?language=de&fallback=true', { title: 'Hallo' })).json.code).toBe('unknown_parameter');
  });

  test('takes If-Match of what was read in the language, with and without values of others', async () => {
    const id = await translated(service, { title: 'Hello', body: 'World' }, { de: { title: 'Hallo' } });
    const tagOf = async (query: string) =>
      String((await service.send(`GET ${one(id, query)}`, { as: 'ann' })).headers.get('etag'));
    for (const query of ['?language=de', '?language=de&fallback=true']) {
      const headers = { 'If-Match': await tagOf(query) };
      expect((await put(id, '?language=de', { title: `Hallo ${query}` }, headers)).status).toBe(200);
      expect((await put(id, '?language=de', { title: 'Later' }, headers)).status).toBe(409);
    }
  });
});

describe('a record that was read with fallback and is put back whole', () => {
  test('is not changed: no value of another language becomes a translation', async () => {
    const id = await translated(service, { title: 'Hello', body: 'World', notes: 'n' }, { de: { title: 'Hallo' } });
    const before = await read(id, '?language=de');
    const whole = await read(id, '?language=de&fallback=true');
    expect(whole.__fallback).toEqual(['body', 'notes']);
    expect((await put(id, '?language=de', whole)).status).toBe(200);
    const after = await read(id, '?language=de');
    expect({ ...after, updated_at: null }).toEqual({ ...before, updated_at: null });
  });

  test('takes what was changed of a value of another language as a translation', async () => {
    const id = await translated(service, { title: 'Hello', body: 'World' });
    const whole = await read(id, '?language=de&fallback=true');
    await put(id, '?language=de', { ...whole, title: 'Hallo' });
    expect(await read(id, '?language=de')).toMatchObject({ title: 'Hallo', body: null });
  });

  test('takes the same words as a translation where the sender does not say that they are not', async () => {
    const id = await translated(service, { title: 'Hotel' });
    await put(id, '?language=de', { title: 'Hotel' });
    expect(await read(id, '?language=de')).toMatchObject({ title: 'Hotel', __languages: ['en', 'de'] });
  });
});

describe('the removal of a translation', () => {
  test('leaves nothing of that language, and all of the others', async () => {
    const id = await translated(
      service,
      { title: 'Hello' },
      { de: { title: 'Hallo', body: 'Welt' }, fr: { title: 'Bonjour' } },
    );
    const removed = await service.send(`DELETE ${one(id, '/languages/de')}`, { as: 'ann' });
    expect(removed.status).toBe(204);
    expect(await read(id, '?language=de')).toMatchObject({ title: null, body: null, __languages: ['en', 'fr'] });
    expect(await read(id)).toMatchObject({ title: 'Hello' });
    expect((await service.send(`DELETE ${one(id, '/languages/de')}`, { as: 'ann' })).status).toBe(404);
  });

  test('is not of the default language, nor of one that there is not', async () => {
    const id = await translated(service, { title: 'Hello' });
    const main = await service.send(`DELETE ${one(id, '/languages/en')}`, { as: 'ann' });
    expect([main.status, main.json.errors[0].code]).toEqual([422, 'language_required']);
    const none = await service.send(`DELETE ${one(id, '/languages/es')}`, { as: 'ann' });
    expect([none.status, none.json.code]).toEqual([400, 'unknown_language']);
  });

  test('leaves private values to a caller who does not see them', async () => {
    const id = await translated(service, { title: 'Hello' }, { de: { title: 'Hallo', notes: 'geheim' } });
    expect((await service.send(`DELETE /api/v1/cms/articles/${id}/languages/de`)).status).toBe(204);
    expect(await read(id, '?language=de')).toMatchObject({ title: null, notes: 'geheim' });
    // To the public, the language is not there.
    expect((await service.send(`GET /api/v1/cms/articles/${id}`)).json.__languages).toEqual(['en']);
    expect((await service.send(`DELETE /api/v1/cms/articles/${id}/languages/de`)).status).toBe(404);
  });

  test('of a whole record takes its translations along', async () => {
    const id = await translated(service, { title: 'Hello', slug: 'gone' }, { de: { slug: 'weg' } });
    expect((await service.send(`DELETE ${one(id)}`, { as: 'ann' })).status).toBe(204);
    const next = await translated(service, { title: 'Next', slug: 'gone' });
    expect((await put(next, '?language=de', { slug: 'weg' })).status).toBe(200);
  });
});

describe('versions and events', () => {
  test('hold all languages, differ by them and bring them back', async () => {
    await using versioned = await openVersioned();
    const id = await translated(versioned, { title: 'Hello' }, { de: { title: 'Hallo' }, fr: { title: 'Bonjour' } });
    const path = `/api/v1/admin/cms/articles/${id}`;
    const send = async (line: string, body?: unknown) =>
      versioned.send(line, { as: 'ann', ...(body === undefined ? {} : { body }) });
    await send(`PUT ${path}?language=de`, { title: 'Guten Tag' });
    const list = (await send(`GET ${path}/revisions`)).json;
    expect(list.items.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['title@de'],
      ['title@fr'],
      ['title@de'],
      [],
    ]);
    expect((await send(`GET ${path}/revisions/3/diff/4`)).json).toEqual([
      { op: 'replace', path: '/title/de', value: 'Guten Tag' },
    ]);
    expect((await send(`GET ${path}/revisions/1/diff/3`)).json).toEqual([
      { op: 'add', path: '/title/de', value: 'Hallo' },
      { op: 'add', path: '/title/fr', value: 'Bonjour' },
    ]);
    expect((await send(`GET ${path}/revisions/3`)).json.record.title).toBe('Hello');
    expect((await send(`GET ${path}/revisions/3?language=de`)).json.record.title).toBe('Hallo');
    await send(`PUT ${path}`, { title: 'Hi' });
    expect((await send(`POST ${path}/revisions/3/restore`)).status).toBe(200);
    expect((await send(`GET ${path}`)).json.title).toBe('Hello');
    expect((await send(`GET ${path}?language=de`)).json.title).toBe('Hallo');
    expect((await send(`GET ${path}/revisions`)).json.items[0]).toMatchObject({
      action: 'restore',
      changed: ['title', 'title@de'],
    });
    // The first version knows of no translation.
    await send(`POST ${path}/revisions/1/restore`);
    expect((await send(`GET ${path}?language=de`)).json).toMatchObject({ title: null, __languages: ['en'] });
  });

  test('name the fields with their languages', async () => {
    const id = await translated(service, { title: 'Hello' });
    const before = await service.lastEvent('ann');
    await put(id, '?language=de', { title: 'Hallo', points: 4 });
    await put(id, '?language=de', { title: 'Hallo' });
    const { json } = await service.send(`GET /api/v1/admin/events?after=${before}`, { as: 'ann' });
    const changed = json.items.map((event: { changed: string[] }) => event.changed.toSorted());
    expect(changed[0]).toEqual(['points', 'title@de']);
  });

  test('are shown to roles by the fields that they read', async () => {
    const id = await translated(service, { title: 'Hello' });
    const before = await service.lastEvent('ann');
    await put(id, '?language=de', { title: 'Hallo', notes: 'geheim' });
    await put(id, '?language=de', { notes: 'noch geheimer' });
    const { json } = await service.send(`GET /api/v1/admin/events?after=${before}`, { as: 'rita' });
    expect(json.items.map((event: { changed: string[] }) => event.changed)).toEqual([['title@de']]);
    const seen = await service.send(`GET ${one(id, '?language=de')}`, { as: 'rita' });
    expect(seen.json).toMatchObject({ title: 'Hallo', __languages: ['en', 'de'] });
    expect(seen.text).not.toContain('geheim');
    const hidden = await translated(service, { title: 'Hello' }, { de: { notes: 'geheim' } });
    expect((await service.send(`GET ${one(hidden, '?language=de')}`, { as: 'rita' })).json.__languages).toEqual(['en']);
    const sent = await service.send(`PUT ${one(id, '?language=de')}`, { as: 'rita', body: { notes: 'x' } });
    expect(sent.status).toBe(422);
  });
});

const openVersioned = async () => {
  const fields = article.fields.filter(({ name }) => name !== 'category');
  const versioned = await TestService.open([{ ...article, protocols: ['versionable'], fields }], {
    languages: 'en,de,fr',
  });
  await versioned.account('ann', 'admin');
  return versioned;
};

test('a translation is outdated when the words of the default language change, and not by its own', async () => {
  const id = await translated(service, { title: 'Hello', points: 1 }, { de: { title: 'Hallo' } });
  const german = async () => {
    const { json } = await service.send(`GET ${one(id, '/languages')}`, { as: 'ann' });
    return json.items.find(({ language }: { language: string }) => language === 'de').outdated;
  };
  expect(await german()).toBe(false);
  await put(id, '', { points: 2 });
  await put(id, '?language=fr', { title: 'Bonjour' });
  expect(await german()).toBe(false);
  await put(id, '', { title: 'Hello again' });
  expect(await german()).toBe(true);
  await put(id, '?language=de', { title: 'Hallo noch einmal' });
  expect(await german()).toBe(false);
});
