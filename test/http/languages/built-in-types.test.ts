// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from '../media/media-calls.ts';

// The types of the product are localized by a file that extends them, and their own routes know languages.

const words = ['title', 'slug', 'content', 'excerpt', 'cover_image', 'meta_title', 'meta_description'];
const extensions = [
  { extends: 'post', localized: words, fields: [{ name: 'teaser', field_type: 'text', localized: true }] },
  { extends: 'page', localized: ['title', 'slug', 'content'] },
  { extends: 'category', localized: ['name', 'slug'] },
  { extends: 'media', localized: ['alt', 'caption'] },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(extensions, { languages: 'en,de', builtIn: true });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = async (line: string, body?: unknown) => {
  const reply = await service.send(line.replace(' ', ' /api/v1/'), {
    as: 'ann',
    ...(body === undefined ? {} : { body }),
  });
  if (reply.status >= 300) throw new Error(`${line}: ${reply.text}`);
  return reply;
};
const read = async (path: string) => service.send(`GET /api/v1/${path}`);

async function seedPost(body: object, german: object): Promise<string> {
  const { json } = await send('POST posts', { status: 'Published', ...body });
  await send(`PUT admin/posts/${json.id}?language=de`, german);
  return json.id;
}

describe('posts and pages', () => {
  test('are read by the slug of a language, and say what it says', async () => {
    const id = await seedPost(
      { title: 'Hello', content: '<p>One</p>' },
      { title: 'Hallo', slug: 'hallo', teaser: 'Kurz' },
    );
    const german = await read('posts/hallo?language=de');
    expect(german.json).toMatchObject({ id, title: 'Hallo', teaser: 'Kurz', content: '<p>One</p>', __language: 'de' });
    expect(german.headers.get('content-language')).toBe('de');
    expect((await read('posts/hello')).json.title).toBe('Hello');
    expect((await read('posts/hallo')).status).toBe(404);
    const listed = await read('posts?language=de');
    expect(listed.json.items.find((post: { id: string }) => post.id === id).slug).toBe('hallo');
    const { json: page } = await send('POST pages', { title: 'About', status: 'Published' });
    await send(`PUT admin/pages/${page.id}?language=de`, { title: 'Über uns', slug: 'ueber-uns' });
    expect((await read('pages/ueber-uns?language=de')).json.title).toBe('Über uns');
  });

  test('have drafts, versions and states of each language', async () => {
    const id = await seedPost({ title: 'Draft me' }, { title: 'Entwurf' });
    await send(`PUT admin/posts/${id}?draft=true&language=de`, { title: 'Neuer Entwurf' });
    const { json: states } = await send(`GET admin/posts/${id}/languages`);
    expect(states.items).toMatchObject([
      { language: 'en', exists: true },
      { language: 'de', exists: true, draft: true },
    ]);
    expect((await send(`POST admin/posts/${id}/publish?language=de`)).json.title).toBe('Neuer Entwurf');
    const { json: versions } = await send(`GET admin/posts/${id}/revisions`);
    expect(versions.items[0].changed).toContain('title@de');
    expect((await send(`DELETE admin/posts/${id}/languages/de`)).status).toBe(204);
    expect((await read('posts/draft-me?language=de')).json).toMatchObject({ title: 'Draft me', __languages: ['en'] });
  });

  test('are in categories that say their names in the language, and are found by their slugs', async () => {
    const { json: news } = await send('POST admin/cms/categories', { name: 'News' });
    await send(`PUT admin/cms/categories/${news.id}?language=de`, { name: 'Neues', slug: 'neues' });
    const id = await seedPost({ title: 'In a category', categories: [news.id] }, { title: 'In einer Kategorie' });
    const german = await read('posts?language=de&category=neues&include=categories');
    expect(german.json.items).toMatchObject([{ id, categories: [{ name: 'Neues' }] }]);
    expect((await read('posts?category=neues')).json.items).toEqual([]);
  });

  test('are in a feed of the language', async () => {
    await seedPost({ title: 'Feed me' }, { title: 'Füttere mich', slug: 'fuettere-mich' });
    const german = await read('posts/feed.json?language=de');
    expect(german.json.language).toBe('de');
    expect(german.headers.get('content-language')).toBe('de');
    const entry = german.json.items.find(({ title }: { title: string }) => title === 'Füttere mich');
    expect(entry.url).toEndWith('/posts/fuettere-mich');
    expect(german.json.feed_url).toEndWith('/posts/feed.json?language=de');
    const xml = (await read('posts/feed.xml?language=de')).text;
    expect(xml).toContain('<language>de</language>');
    expect(xml).toContain('Füttere mich');
    expect((await read('posts/feed.xml')).text).toContain('<language>en</language>');
    expect((await read('posts/feed.xml?language=it')).json.code).toBe('unknown_language');
  });
});

test('a file has an alternative text in each language, also where other records show it', async () => {
  const { json: file } = await uploadRaw(service, await quarters(6, 6), {
    as: 'ann',
    name: 'cat.png',
    type: 'image/png',
  });
  await send(`PUT admin/media/${file.id}`, { alt: 'A cat', caption: 'Ours' });
  await send(`PUT admin/media/${file.id}?language=de`, { alt: 'Eine Katze' });
  expect((await read(`media/${file.id}?language=de`)).json).toMatchObject({
    alt: 'Eine Katze',
    caption: 'Ours',
    __fallback: ['caption'],
  });
  await seedPost({ title: 'With a cat', cover_image: file.id }, { title: 'Mit Katze' });
  expect((await read('posts/with-a-cat?language=de')).json.cover_image).toMatchObject({
    id: file.id,
    alt: 'Eine Katze',
  });
  expect((await read('posts/with-a-cat')).json.cover_image.alt).toBe('A cat');
  const included = await read('posts/with-a-cat?language=de&include=cover_image');
  expect(included.json.cover_image).toMatchObject({ alt: 'Eine Katze', caption: 'Ours' });
  const { json: states } = await send(`GET admin/media/${file.id}/languages`);
  expect(states.items[1]).toMatchObject({ language: 'de', exists: true });
  expect((await send(`DELETE media/${file.id}/languages/de`)).status).toBe(204);
  expect((await read('posts/with-a-cat?language=de')).json.cover_image.alt).toBe('A cat');
});

test('a service with one language has none of it', async () => {
  await using alone = await TestService.open(extensions, { builtIn: true });
  await alone.account('ann', 'admin');
  const made = await alone.send('POST /api/v1/posts', { as: 'ann', body: { title: 'Hello', status: 'Published' } });
  expect(made.json).not.toHaveProperty('__language');
  const { text, json } = await alone.send('GET /api/v1/posts/feed.json');
  expect(text).not.toContain('"language"');
  expect(json.items).toHaveLength(1);
});
