// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Receiver } from '../../../packages/recto/src/webhooks/receiver.fixture.ts';
import { EventSource } from '../../support/event-source.ts';
import { TestService } from '../../support/service.ts';

// A change of what one language says reaches who asks for that language.

const open = { access: 'public' };
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', max_length: 100, ...more });
const article = {
  singular: 'article',
  plural: 'articles',
  protocols: ['timestampable'],
  fields: [text('title', { localized: true }), text('note', { localized: true, private: true }), text('code')],
  api: { list: open, get: open },
};
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [{ name: 'statusable', by_language: true }],
  fields: [text('title', { localized: true })],
  api: { get: open },
};
const guide = {
  singular: 'guide',
  plural: 'guides',
  fields: [text('title', { localized: true })],
  api: { get: { access: 'public', filter: 'languages ?= "de" || @request.language = "fr"' } },
};
const mark = { singular: 'mark', plural: 'marks', fields: [text('title')], api: { get: open } };

let service: TestService;
let receiver: Receiver;
let now = Date.now();
beforeAll(async () => {
  receiver = new Receiver();
  service = await TestService.open([article, story, guide, mark], {
    languages: 'en,de,fr',
    now: () => now,
    roles: [{ name: 'reader', base: 'editor', types: { article: { create: false, read: { except: ['title'] } } } }],
  });
  await service.account('ada', 'admin');
  await service.account('rita', 'reader');
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const send = async (line: string, body?: object) => {
  const { status, json, text: answer } = await service.send(line, { as: 'ada', ...(body && { body }) });
  expect(status, answer).toBeLessThan(300);
  return json;
};
const put = (path: string, body: object) => send(`PUT /api/v1/admin/cms/${path}`, body);
const create = async (plural: string, body: object): Promise<string> =>
  (await send(`POST /api/v1/admin/cms/${plural}`, body)).id;
const listen = (search: string) => EventSource.open(service.app, `/api/v1/events?${search}`);

/** What has arrived, up to a change that every stream is sent. */
async function heard(source: EventSource): Promise<readonly unknown[]> {
  const id = await create('marks', { title: 'Mark' });
  await source.until((events) => events.some(({ data }) => data.id === id));
  return source.events.flatMap(({ event, data }) =>
    data.type === 'mark' ? [] : [[event, data.language ?? null, data.record?.title ?? null]],
  );
}

describe('the audit view', () => {
  test('says which language a change is of, to those who read what changed', async () => {
    const id = await create('articles', { title: 'Hello', code: 'a' });
    await put(`articles/${id}?language=de`, { title: 'Hallo' });
    await put(`articles/${id}`, { title: 'Hi' });
    await put(`articles/${id}`, { code: 'b' });
    await put(`articles/${id}?language=fr`, { title: 'Salut', code: 'c' });
    const events = async (as: string) =>
      (await service.send(`GET /api/v1/admin/events?record=${id}`, { as })).json.items.map(
        ({ changed, language }: { changed: readonly string[]; language: string | null }) => [changed, language],
      );
    expect(await events('ada')).toEqual([
      [['code', 'title@fr'], 'fr'],
      [['code'], null],
      [['title'], 'en'],
      [['title@de'], 'de'],
      [[], null],
    ]);
    expect(await events('rita')).toEqual([
      [['code'], null],
      [['code'], null],
      [[], null],
    ]);
  });
});

describe('a stream', () => {
  test('hears of the languages that it shows, and shows the record in its language', async () => {
    const id = await create('articles', { title: 'One', code: 'a' });
    await using plain = await listen('types=articles,marks');
    await using german = await listen('types=articles,marks&language=de');
    await using strict = await listen('types=articles,marks&language=de&fallback=false');
    await using french = await listen('types=articles,marks&languages=FR');
    await put(`articles/${id}?language=de`, { title: 'Eins' });
    await put(`articles/${id}?language=fr`, { title: 'Un' });
    await put(`articles/${id}`, { title: 'First' });
    await put(`articles/${id}`, { code: 'b' });
    expect(await heard(plain)).toEqual([
      ['update', 'en', 'First'],
      ['update', null, 'First'],
    ]);
    expect(await heard(german)).toEqual([
      ['update', 'de', 'Eins'],
      ['update', 'en', 'Eins'],
      ['update', null, 'Eins'],
    ]);
    expect(await heard(strict)).toEqual([
      ['update', 'de', 'Eins'],
      ['update', null, 'Eins'],
    ]);
    expect(await heard(french)).toEqual([
      ['update', 'fr', expect.any(String)],
      ['update', null, 'First'],
    ]);
  });

  test('of languages that are published one by one hears of what its language shows', async () => {
    const id = await create('stories', { title: 'Tale', status: 'draft' });
    await using plain = await listen('types=stories,marks');
    await using german = await listen('types=stories,marks&language=de&fallback=false');
    await put(`stories/${id}?language=de`, { title: 'Geschichte' });
    // A record is shown as it is when it is sent: not before it is published.
    expect(await heard(german)).toEqual([]);
    await put(`stories/${id}?language=de`, { status: 'published' });
    await put(`stories/${id}`, { title: 'A tale' });
    expect(await heard(plain)).toEqual([]);
    expect(await heard(german)).toEqual([['update', 'de', 'Geschichte']]);
    await put(`stories/${id}?language=de`, { status: 'draft' });
    expect(await heard(plain)).toEqual([]);
    expect((await heard(german)).at(-1)).toEqual(['delete', null, null]);
  });

  test('goes by rules that read languages', async () => {
    await using plain = await listen('types=guides,marks');
    await using french = await listen('types=guides,marks&language=fr');
    const id = await create('guides', { title: 'Guide' });
    expect(await heard(plain)).toEqual([]);
    expect(await heard(french)).toEqual([['create', null, 'Guide']]);
    // It comes into sight by what another language says.
    await put(`guides/${id}?language=de`, { title: 'Reiseführer' });
    expect(await heard(plain)).toEqual([['update', 'de', 'Guide']]);
  });

  test('of a language that the service does not have is 400', async () => {
    for (const search of ['language=xx', 'languages=de,xx', 'languages='])
      expect((await service.send(`GET /api/v1/events?${search}`)).json.code).toBe('unknown_language');
  });
});

describe('a webhook', () => {
  const root = '/api/v1/admin/webhooks';
  const settle = (): Promise<void> => {
    now += 1_000;
    return service.runJobs();
  };

  test('hears of its languages, and of what all of them share', async () => {
    const made = await send(`POST ${root}`, { url: receiver.url, types: ['articles'], languages: ['DE', 'de'] });
    expect(made.languages).toEqual(['de']);
    const id = await create('articles', { title: 'One', code: 'a' });
    await put(`articles/${id}?language=de`, { title: 'Eins' });
    await put(`articles/${id}?language=fr`, { title: 'Un' });
    await put(`articles/${id}`, { title: 'First' });
    await put(`articles/${id}`, { code: 'b' });
    await settle();
    const of = () =>
      receiver.received
        .map(({ json }) => json.data)
        .toSorted((a, b) => a.seq - b.seq)
        .map(({ action, changed, language }) => [action, changed, language]);
    expect(of()).toEqual([
      ['create', [], undefined],
      ['update', ['title@de'], 'de'],
      ['update', ['code'], undefined],
    ]);
    receiver.received.splice(0);
    expect((await send(`PUT ${root}/${made.id}`, { languages: [] })).languages).toEqual([]);
    await put(`articles/${id}?language=fr`, { title: 'Une' });
    await settle();
    expect(of()).toEqual([['update', ['title@fr'], 'fr']]);
    const { status, json } = await service.send(`PUT ${root}/${made.id}`, { as: 'ada', body: { languages: ['xx'] } });
    expect([status, json.errors[0]]).toEqual([
      422,
      expect.objectContaining({ field: 'languages[0]', code: 'unknown_language' }),
    ]);
    await send(`DELETE ${root}/${made.id}`);
  });
});
