// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { SaxesParser } from 'saxes';
import { TestService } from '../../support/service.ts';

// A sitemap has an entry for each language of a record, and each of them names all others.

const extensions = [
  { extends: 'post', localized: ['title', 'slug', 'meta_title'] },
  { extends: 'page', localized: ['title'] },
];
const urls = { de: 'https://example.com/de', fr: 'https://fr.example.com' };

async function opened(publicUrl: string | undefined, languages = 'en,de,fr,it'): Promise<TestService> {
  const service = await TestService.open(extensions, {
    ...{ builtIn: true, languages, settings: { languageUrls: languages.includes(',') ? urls : {} } },
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  await service.account('ann', 'admin');
  return service;
}

async function publish(
  service: TestService,
  plural: string,
  body: object,
  others: Readonly<Record<string, object>> = {},
): Promise<string> {
  const made = await service.send(`POST /api/v1/${plural}`, { as: 'ann', body: { status: 'Published', ...body } });
  expect(made.status).toBe(201);
  for (const [language, translated] of Object.entries(others)) {
    const put = await service.send(`PUT /api/v1/admin/${plural}/${made.json.id}?language=${language}`, {
      as: 'ann',
      body: translated,
    });
    expect(put.status).toBe(200);
  }
  return made.json.id;
}

const xml = { Accept: 'application/xml' };

/** What a reader of XML with namespaces finds: the addresses, each with its links by their languages. */
function entriesIn(
  text: string,
): readonly { readonly loc: string; readonly links: Readonly<Record<string, string>> }[] {
  const entries: { loc: string; links: Record<string, string> }[] = [];
  let isLoc = false;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (uri === 'http://www.sitemaps.org/schemas/sitemap/0.9') {
      isLoc = local === 'loc';
      if (local === 'url') entries.push({ loc: '', links: {} });
      return;
    }
    expect([uri, local, attributes.rel?.value]).toEqual(['http://www.w3.org/1999/xhtml', 'link', 'alternate']);
    const last = entries.at(-1);
    if (last !== undefined) last.links[attributes.hreflang?.value ?? ''] = attributes.href?.value ?? '';
  });
  parser.on('closetag', () => {
    isLoc = false;
  });
  parser.on('text', (found) => {
    const last = entries.at(-1);
    if (isLoc && last !== undefined) last.loc += found;
  });
  parser.write(text).close();
  return entries;
}

test('each language of a record is an entry that names all of them', async () => {
  await using service = await opened('https://example.com');
  await publish(
    service,
    'posts',
    { title: 'Hello' },
    {
      de: { title: 'Hallo', slug: 'hallo' },
      // Without a slug: the English one stands in, as on the site.
      fr: { meta_title: 'Bonjour' },
      // Without an address.
      it: { title: 'Ciao', slug: 'ciao' },
    },
  );
  await publish(service, 'posts', { title: 'Alone' });
  const draft = await publish(service, 'posts', { title: 'Hidden' }, { de: { title: 'Verborgen', slug: 'verborgen' } });
  await service.send(`PUT /api/v1/admin/posts/${draft}/status`, { as: 'ann', body: { status: 'Draft' } });
  const links = {
    en: 'https://example.com/posts/hello',
    de: 'https://example.com/de/posts/hallo',
    fr: 'https://fr.example.com/posts/hello',
    'x-default': 'https://example.com/posts/hello',
  };
  const reply = await service.send('GET /api/v1/posts/sitemap', { headers: xml });
  expect(entriesIn(reply.text)).toEqual([
    { loc: links.en, links },
    { loc: links.de, links },
    { loc: links.fr, links },
    { loc: 'https://example.com/posts/alone', links: {} },
  ]);
  const { json } = await service.send('GET /api/v1/posts/sitemap');
  expect(json.items.map(({ slug, language }: Record<string, string>) => [slug, language])).toEqual([
    ['hello', 'en'],
    ['hallo', 'de'],
    ['hello', 'fr'],
    ['alone', 'en'],
  ]);
  expect(json.items[1]).toMatchObject({ loc: links.de, alternates: links });
  expect(json.items[3]).not.toHaveProperty('alternates');
});

test('follows what is written and taken away, and a slug that is the same in all languages', async () => {
  await using service = await opened('https://example.com');
  const id = await publish(service, 'pages', { title: 'About' }, { de: { title: 'Über uns' } });
  const read = async () =>
    entriesIn((await service.send('GET /api/v1/pages/sitemap', { headers: xml })).text).map(({ loc }) => loc);
  expect(await read()).toEqual(['https://example.com/pages/about', 'https://example.com/de/pages/about']);
  expect((await service.send(`DELETE /api/v1/admin/pages/${id}/languages/de`, { as: 'ann' })).status).toBe(204);
  expect(await read()).toEqual(['https://example.com/pages/about']);
  await service.send(`PUT /api/v1/admin/pages/${id}?language=fr`, { as: 'ann', body: { title: 'À propos' } });
  expect(await read()).toEqual(['https://example.com/pages/about', 'https://fr.example.com/pages/about']);
});

test('without the address of the site, its entries have that of the request in every place', async () => {
  await using service = await opened(undefined);
  await publish(service, 'posts', { title: 'Hello' }, { de: { title: 'Hallo', slug: 'hallo' } });
  const reply = await service.send('GET /api/v1/posts/sitemap', { headers: xml });
  expect(reply.text).not.toContain('.invalid');
  const [first] = entriesIn(reply.text);
  expect(first?.loc).toEndWith('/api/v1/posts/hello');
  expect(first?.links['x-default']).toBe(first?.loc ?? '');
  expect(reply.headers.get('cache-control')).toContain('private');
});

test('a service with one language has the sitemap that it had', async () => {
  await using service = await opened('https://example.com', 'en');
  await publish(service, 'posts', { title: 'Hello' });
  const { text } = await service.send('GET /api/v1/posts/sitemap', { headers: xml });
  expect(text).not.toContain('xhtml');
  const { json } = await service.send('GET /api/v1/posts/sitemap');
  expect(Object.keys(json.items[0])).toEqual(['slug', 'loc', 'updated_at']);
});
