// databases: sqlite, postgres:rest
import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { uploadRaw } from '../../http/media/media-calls.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

const profile = {
  display_name: 'Ada Lovelace',
  avatar: 'https://pictures.example/ada.png',
  bio: 'Writes programs.\nAnd letters.',
  website: 'https://ada.example/',
};

let service: TestService;

beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, commentsAutoApprove: 'all' });
  await service.account('root', 'admin');
  for (const name of ['ada', 'bob']) await service.account(name, 'member');
  return async () => service[Symbol.asyncDispose]();
});

async function post(as: string, body: Readonly<Record<string, unknown>>, status = 'Published') {
  const { json } = await service.send('POST /api/v1/posts', { as, body });
  await service.send(`PUT /api/v1/admin/posts/${json.id}/status`, { as: 'root', body: { status } });
  return json;
}

describe('a profile', () => {
  test('is set by the account, and by admins', async () => {
    const { status, json } = await service.send('PUT /api/v1/auth/me', { as: 'ada', body: profile });
    expect([status, json]).toMatchObject([200, { ...profile, profile_public: false }]);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ada' })).json).toMatchObject(profile);
    const user = `/api/v1/admin/users/${service.idOf('bob')}`;
    const changed = await service.send(`PUT ${user}`, { as: 'root', body: { display_name: '  Bob  ', bio: '' } });
    expect(changed.json).toMatchObject({ display_name: 'Bob', bio: null, website: null });
    const [found] = (
      await service.send(`GET ${user.replace(/\/[^/]*$/, '')}?filter=display_name%3D"Bob"`, { as: 'root' })
    ).json.items;
    expect(found.id).toBe(service.idOf('bob'));
    // A fetched account can be sent back.
    expect((await service.send(`PUT ${user}`, { as: 'root', body: changed.json })).status).toBe(200);
  });

  const wrong: readonly (readonly [name: keyof typeof profile, value: unknown])[] = [
    ['display_name', 'a\nb'],
    ['display_name', 'a\u2028b'],
    ['display_name', 'Ada\u200b'],
    ['display_name', '\u202eadA'],
    ['display_name', 'x'.repeat(101)],
    ['display_name', 7],
    ['bio', 'a\u0007'],
    ['bio', 'x'.repeat(2001)],
    ['website', 'javascript:alert(1)'],
    ['website', 'ftp://a.example'],
    ['website', '/about'],
    ['website', 'https://'],
    ['website', 'https://bank.example@other.example'],
    ['website', 'https://a.example/ b'],
    ['website', 'https:\\\\a.example'],
    ['website', `https://a.example/${'x'.repeat(2048)}`],
    ['avatar', 'data:image/png;base64,AA=='],
    ['avatar', '//a.example/a.png'],
    ['avatar', 'a.png'],
  ];
  test.each(wrong)('takes no %s such as %p', async (name, value) => {
    const before = (await service.send('GET /api/v1/auth/me', { as: 'ada' })).json;
    const { status, json } = await service.send('PUT /api/v1/auth/me', { as: 'ada', body: { [name]: value } });
    expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([422, [name]]);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ada' })).json).toEqual(before);
  });

  test('is not there until something is published or it is shared', async () => {
    await using own = await TestService.open([], { builtIn: true, commentsAutoApprove: 'all' });
    await own.account('root', 'admin');
    for (const name of ['shy', 'writer', 'commenter', 'paged']) await own.account(name, 'member');
    const status = async (name: string) => (await own.send(`GET /api/v1/users/${own.idOf(name)}`)).status;
    const unknown = await own.send('GET /api/v1/users/01a1fc4d-4e39-75e9-b87c-fc2731e697d2');
    const hidden = await own.send(`GET /api/v1/users/${own.idOf('shy')}`);
    expect([unknown.status, hidden.status, hidden.json.detail]).toEqual([404, 404, unknown.json.detail]);

    const draft = (await own.send('POST /api/v1/posts', { as: 'writer', body: { title: 'A' } })).json;
    expect(await status('writer')).toBe(404);
    const set = (value: string) =>
      own.send(`PUT /api/v1/admin/posts/${draft.id}/status`, { as: 'root', body: { status: value } });
    await set('Published');
    expect(await status('writer')).toBe(200);
    await own.send('POST /api/v1/posts/a/comments/authed', { as: 'commenter', body: { content: 'Yes.' } });
    expect(await status('commenter')).toBe(200);
    // The comment goes with the post.
    await set('Archived');
    expect([await status('writer'), await status('commenter')]).toEqual([404, 404]);
    const page = (await own.send('POST /api/v1/pages', { as: 'paged', body: { title: 'P' } })).json;
    await own.send('POST /api/v1/admin/pages/batch', { as: 'root', body: { action: 'publish', ids: [page.id] } });
    expect(await status('paged')).toBe(200);

    await own.send('PUT /api/v1/auth/me', { as: 'shy', body: { profile_public: true } });
    expect(await status('shy')).toBe(200);
    // Whether an account is disabled is its own affair.
    await own.send(`PUT /api/v1/admin/users/${own.idOf('shy')}`, { as: 'root', body: { disabled: true } });
    expect(await status('shy')).toBe(200);
    await own.send(`PUT /api/v1/admin/users/${own.idOf('shy')}`, { as: 'root', body: { profile_public: false } });
    expect(await status('shy')).toBe(404);
  });

  test('of a tenant is for requests about that tenant', async () => {
    await using own = await TestService.open([], { builtIn: true });
    await own.account('acme', 'member', 'acme');
    await own.account('other', 'member', 'other');
    await own.account('nobody', 'member');
    for (const as of ['acme', 'nobody']) {
      await own.send('PUT /api/v1/auth/me', { as, body: { display_name: as, profile_public: true } });
    }
    const seen = async (name: string, sent: { as?: string; headers?: Record<string, string> }) =>
      (await own.send(`GET /api/v1/users/${own.idOf(name)}`, sent)).status;
    const visits = { headers: { 'Recto-Tenant': 'acme' } };
    expect([await seen('acme', {}), await seen('acme', visits), await seen('acme', { as: 'acme' })]).toEqual([
      404, 200, 200,
    ]);
    expect([await seen('acme', { as: 'other' }), await seen('acme', { as: 'nobody' })]).toEqual([404, 404]);
    expect([await seen('nobody', {}), await seen('nobody', { as: 'other' })]).toEqual([200, 200]);
    // Twice, so that a remembered answer is not for the wrong tenant.
    expect([await seen('acme', visits), await seen('acme', {})]).toEqual([200, 404]);
  });
});

describe('include=author', () => {
  test('adds the profile on lists, single records, comments, threads and admin routes', async () => {
    const made = await post('ada', { title: 'A byline' });
    const id = service.idOf('ada');
    const shown = { id, ...profile };
    expect((await service.send(`GET /api/v1/users/${id}`)).json).toEqual(shown);
    const first = (json: { items: readonly object[] }) => json.items[0];
    expect(first((await service.send('GET /api/v1/posts?include=author')).json)).toMatchObject({ author: shown });
    expect(first((await service.send('GET /api/v1/posts')).json)).not.toHaveProperty('author');
    expect((await service.send(`GET /api/v1/posts/${made.slug}?include=author`)).json).toMatchObject({
      author_id: id,
      author: shown,
    });
    const one = `/api/v1/admin/posts/${made.id}?include=author`;
    expect((await service.send(`GET ${one}`, { as: 'root' })).json.author).toEqual(shown);

    const comments = `/api/v1/posts/${made.slug}/comments`;
    const top = (await service.send(`POST ${comments}/authed`, { as: 'bob', body: { content: 'One.' } })).json;
    const reply = { content: 'Two.', parent_id: top.id };
    await service.send(`POST ${comments}`, { body: { ...reply, nickname: 'Guest' } });
    await service.send(`POST ${comments}/authed`, { as: 'ada', body: { content: 'Three.', parent_id: top.id } });
    const { json } = await service.send(`GET ${comments}?include=author`);
    expect(json.items).toMatchObject([
      { author: { display_name: 'Bob' }, replies: [{ nickname: 'Guest', author: null }, { author: shown }] },
    ]);
    expect((await service.send(`GET ${comments}`)).text).not.toContain('"author"');
    expect((await service.send(`GET ${comments}?include=nothing`)).status).toBe(400);
    const own = await service.send('GET /api/v1/comments?include=author', { as: 'bob' });
    expect(own.json.items).toMatchObject([{ author: { display_name: 'Bob' } }]);
    const all = await service.send('GET /api/v1/admin/comments?include=author,post_id.author', { as: 'root' });
    expect(all.json.items).toContainEqual(
      expect.objectContaining({ content: 'One.', post_id: expect.objectContaining({ author: shown }) }),
    );
  });

  test('shows nothing of an account but its profile', async () => {
    const made = await post('ada', { title: 'Nothing more' });
    for (const line of [`/api/v1/posts/${made.slug}?include=author`, `/api/v1/users/${service.idOf('ada')}`]) {
      const { json, text } = await service.send(`GET ${line}`);
      expect(Object.keys(json.author ?? json)).toEqual(['id', 'display_name', 'avatar', 'bio', 'website']);
      expect(text).not.toContain('ada@example.com');
    }
    // Nor does an order or a filter show any of the others.
    for (const search of ['sort=author:asc', 'filter=author.email%20~%20"a%25"', 'include=author.email', 'author=x']) {
      expect([search, (await service.send(`GET /api/v1/posts?${search}`)).status]).toEqual([search, 400]);
    }
  });

  test('follows changes of the profile and the end of the account, also in remembered responses', async () => {
    await using own = await TestService.open([], { builtIn: true, commentsAutoApprove: 'all' });
    await own.account('root', 'admin');
    await own.account('eve', 'editor');
    const body = { title: 'Changing', status: 'Published' };
    await own.send('POST /api/v1/posts', { as: 'eve', body });
    await own.send('POST /api/v1/posts/changing/comments/authed', { as: 'eve', body: { content: 'Mine.' } });
    const names = async () => {
      const list = (await own.send('GET /api/v1/posts?include=author')).json.items[0];
      const one = (await own.send('GET /api/v1/posts/changing?include=author')).json;
      const [thread] = (await own.send('GET /api/v1/posts/changing/comments?include=author')).json.items;
      const feed = (await own.send('GET /api/v1/posts/feed.json')).json.items[0];
      return [list.author, one.author, thread.author]
        .map((author) => author?.display_name)
        .concat(feed.authors?.[0].name);
    };
    expect(await names()).toEqual([null, null, null, undefined]);
    await own.send('PUT /api/v1/auth/me', { as: 'eve', body: { display_name: 'Eve' } });
    expect(await names()).toEqual(['Eve', 'Eve', 'Eve', 'Eve']);
    const id = own.idOf('eve');
    await own.send(`PUT /api/v1/admin/users/${id}`, { as: 'root', body: { display_name: 'Evelyn' } });
    expect(await names()).toEqual(['Evelyn', 'Evelyn', 'Evelyn', 'Evelyn']);
    expect((await own.send(`DELETE /api/v1/admin/users/${id}`, { as: 'root' })).status).toBe(204);
    expect(await names()).toEqual([undefined, undefined, undefined, undefined]);
    const left = (await own.send('GET /api/v1/posts/changing?include=author')).json;
    expect([left.author_id, left.author]).toEqual([id, null]);
    expect((await own.send(`GET /api/v1/users/${id}`)).status).toBe(404);
  });

  test('is not shown where a type has a field of that name', async () => {
    const fields = [{ name: 'author', field_type: 'text' }];
    await using own = await TestService.open([{ extends: 'post', fields }], { builtIn: true });
    const made = await own.seed('posts', { title: 'Own', author: 'Somebody', status: 'Published' });
    expect((await own.send(`GET /api/v1/posts/${made.slug}`)).json.author).toBe('Somebody');
    expect((await own.send('GET /api/v1/posts?include=author')).status).toBe(400);
    expect((await own.send('GET /api/v1/posts/feed.json')).json.items[0]).not.toHaveProperty('authors');
  });
});

describe('categories', () => {
  test('have the generated routes, for editors to write', async () => {
    const body = { name: 'Long reads' };
    expect((await service.send('POST /api/v1/cms/categories', { as: 'bob', body })).status).toBe(403);
    const made = await service.send('POST /api/v1/cms/categories', { as: 'root', body });
    expect([made.status, made.json]).toMatchObject([201, { slug: 'long-reads', parent_id: null, depth: 0 }]);
    const parts = { name: 'Series', parent_id: made.json.id, description: 'In parts.' };
    const below = await service.send('POST /api/v1/admin/cms/categories', { as: 'root', body: parts });
    expect(below.json).toMatchObject({ ...parts, depth: 1 });
    const written = await post('ada', { title: 'In a category', categories: [below.json.id] });
    const posts = async (search: string): Promise<readonly unknown[]> =>
      (await service.send(`GET /api/v1/posts?${search}`)).json.items.map(({ id }: { id: string }) => id);
    for (const search of [`category=${below.json.id}`, 'category=series', `categories=${below.json.id}`])
      expect([search, await posts(search)]).toEqual([search, [written.id]]);
    expect(await posts('category=long-reads')).toEqual([]);
    expect(await posts('category=no-such-one')).toEqual([]);
    const [shown] = (await service.send('GET /api/v1/posts?category=series&include=categories,author')).json.items;
    expect(shown).toMatchObject({ categories: [{ slug: 'series' }], author: { display_name: 'Ada Lovelace' } });
  });
});

describe('tags', () => {
  test('are listed with how many published posts have them, and filter in any spelling', async () => {
    await using own = await TestService.open([], { builtIn: true });
    const [first, second, third, fourth] = [
      ['News', 'C++', 'Crème brûlée'],
      ['news', 'News', 'C#'],
      ['news', 'c'],
      ['NEWS', 'Hidden'],
    ].map((tags, index) => ({ title: `Tagged ${index}`, tags, status: index === 3 ? 'Draft' : 'Published' }));
    for (const body of [first, second, third, fourth]) await own.seed('posts', body ?? {});
    const { status, json } = await own.send('GET /api/v1/tags');
    expect(status).toBe(200);
    expect(json).toEqual({
      items: [
        { name: 'News', slug: 'news', count: 3 },
        { name: 'C#', slug: 'c', count: 1 },
        { name: 'C++', slug: 'c', count: 1 },
        { name: 'Crème brûlée', slug: 'creme-brulee', count: 1 },
        { name: 'c', slug: 'c', count: 1 },
      ],
      total: 5,
      page: 1,
      page_size: 20,
    });
    const totals = async (tag: string): Promise<readonly number[]> => {
      const { json: list } = await own.send(`GET /api/v1/posts?${new URLSearchParams({ tag })}`);
      return [list.total, list.items.length];
    };
    const wanted = { News: 3, nEwS: 3, 'c++': 1, 'C#': 1, c: 3, 'creme-brulee': 1, 'CRÈME BRÛLÉE': 1, hidden: 0, x: 0 };
    for (const [tag, count] of Object.entries(wanted)) expect([tag, await totals(tag)]).toEqual([tag, [count, count]]);
    const { json: counted } = await own.send('GET /api/v1/posts/aggregate?count=true&tag=NEWS');
    expect(counted.items).toEqual([{ count: 3 }]);
    expect((await own.send('GET /api/v1/tags?page_size=2&page=3')).json).toMatchObject({
      items: [{ name: 'c' }],
      total: 5,
    });
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** What a strict parser reads; throws for what is no well-formed XML with namespaces. */
function parseXml(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const texts = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element: Element = { name, attributes: Object.fromEntries(texts), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  return top;
}

const all = ({ children }: Element, name: string): readonly Element[] => children.filter((each) => each.name === name);
const textIn = (element: Element, name: string): string | undefined => all(element, name)[0]?.text;
const channelOf = (xml: string): Element => {
  const [channel] = parseXml(xml).children[0]?.children ?? [];
  if (channel === undefined) throw new Error('The feed has no channel.');
  return channel;
};

describe('feeds', () => {
  const publicUrl = 'https://www.example.com';

  test('have the address of the image of a post, where everyone may read it', async () => {
    await using own = await TestService.open([], { builtIn: true, publicUrl });
    await own.account('ada', 'admin');
    const bytes = new TextEncoder().encode('an image');
    const [shown, hidden] = await Promise.all(
      ['public', 'private'].map(
        async (visibility) => (await uploadRaw(own, bytes, { as: 'ada', name: 'a.txt', fields: { visibility } })).json,
      ),
    );
    const elsewhere = 'https://images.example/b.png';
    for (const cover_image of [shown.id, hidden.id, elsewhere, '/c.png', null]) {
      const body = { title: String(cover_image), status: 'Published', cover_image };
      expect((await own.send('POST /api/v1/posts', { as: 'ada', body })).status).toBe(201);
    }
    const feed = (await own.send('GET /api/v1/posts/feed.json', { as: 'ada' })).json;
    const { origin } = new URL(feed.feed_url);
    expect(new Map(feed.items.map(({ title, image }: { title: string; image?: string }) => [title, image]))).toEqual(
      new Map([
        [shown.id, `${origin}${shown.url}`],
        [hidden.id, undefined],
        [elsewhere, elsewhere],
        ['/c.png', undefined],
        ['null', undefined],
      ]),
    );
  });

  test('have the newest published posts, with authors, categories and tags', async () => {
    await using own = await TestService.open([], { builtIn: true, publicUrl });
    await own.account('ada', 'admin');
    await own.send('PUT /api/v1/auth/me', {
      as: 'ada',
      body: { display_name: 'Ada & Co', website: 'https://a.example/' },
    });
    const category = await own.seed('categories', { name: 'Essays' });
    const make = async (body: Readonly<Record<string, unknown>>) =>
      (await own.send('POST /api/v1/posts', { as: 'ada', body: { status: 'Published', ...body } })).json;
    const first = await make({ title: 'First', content: '<p>a &amp; b</p>', excerpt: 'In <short>', tags: ['News'] });
    const second = await make({ title: 'Second', categories: [category.id], tags: ['news', 'Essays'] });
    await make({ title: 'Draft', status: 'Draft', categories: [category.id] });

    const rss = await own.send('GET /api/v1/posts/feed.xml');
    expect([rss.status, rss.headers.get('content-type')]).toEqual([200, 'application/rss+xml']);
    const channel = channelOf(rss.text);
    const [link] = all(channel, 'atom:link');
    expect(link?.attributes).toMatchObject({
      rel: 'self',
      href: expect.stringMatching(/^http.*\/api\/v1\/posts\/feed\.xml$/),
    });
    expect([textIn(channel, 'title'), textIn(channel, 'link')]).toEqual(['www.example.com', publicUrl]);
    const items = all(channel, 'item');
    expect(items.map((item) => textIn(item, 'link'))).toEqual([
      `${publicUrl}/posts/second`,
      `${publicUrl}/posts/first`,
    ]);
    const [newer, older] = items;
    if (newer === undefined || older === undefined) throw new Error('There are no items.');
    expect(all(newer, 'category').map(({ text }) => text)).toEqual(['Essays', 'news']);
    expect(
      ['guid', 'dc:creator', 'description', 'content:encoded', 'pubDate'].map((name) => textIn(older, name)),
    ).toEqual([
      `urn:uuid:${first.id}`,
      'Ada & Co',
      'In <short>',
      '<p>a &amp; b</p>',
      new Date(first.published_at).toUTCString(),
    ]);

    const json = await own.send('GET /api/v1/posts/feed.json');
    expect(json.headers.get('content-type')).toBe('application/feed+json');
    expect(json.json).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: publicUrl,
      items: [
        { id: `urn:uuid:${second.id}`, url: `${publicUrl}/posts/second`, content_text: '', tags: ['Essays', 'news'] },
        {
          content_html: '<p>a &amp; b</p>',
          summary: 'In <short>',
          authors: [{ name: 'Ada & Co', url: 'https://a.example/' }],
        },
      ],
    });

    const titles = async (search: string): Promise<readonly string[]> =>
      (await own.send(`GET /api/v1/posts/feed.json?${search}`)).json.items.map(({ title }: { title: string }) => title);
    expect(await titles('category=essays')).toEqual(['Second']);
    expect(await titles(`category=${category.id}`)).toEqual(['Second']);
    expect(await titles('tag=NEWS')).toEqual(['Second', 'First']);
    expect(await titles('tag=news&category=essays')).toEqual(['Second']);
    expect(await titles('category=none')).toEqual([]);
    expect((await own.send('GET /api/v1/posts/feed.json?author=x')).status).toBe(400);
    expect(channelOf((await own.send('GET /api/v1/posts/feed.xml?category=none')).text).name).toBe('channel');

    const etag = rss.headers.get('etag') ?? '';
    const again = (): Promise<{ readonly status: number }> =>
      own.send('GET /api/v1/posts/feed.xml', { headers: { 'If-None-Match': etag } });
    expect((await again()).status).toBe(304);
    await own.send('PUT /api/v1/auth/me', { as: 'ada', body: { display_name: 'Ada' } });
    expect((await again()).status).toBe(200);
  });

  test('are well-formed, whatever posts hold', async () => {
    await using own = await TestService.open([], { builtIn: true, publicUrl });
    await own.account('ada', 'admin');
    const awkward = fc.array(
      fc.oneof(
        fc.constantFrom(
          '&',
          '<',
          '>',
          '"',
          "'",
          ']]>',
          '<![CDATA[',
          '&amp;',
          '<!--',
          '-->',
          '<?x?>',
          '\u0001',
          '\u000b',
          '\u001f',
        ),
        fc.constantFrom(
          '\u007f',
          '\u0085',
          '\u2028',
          '\ufffe',
          '\uffff',
          '\u{1fffe}',
          '😀',
          'ß',
          '\t',
          '\n',
          '\r',
          ' ',
        ),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
      ),
      { minLength: 1, maxLength: 20 },
    );
    const word = awkward.map((parts) => parts.join('').replaceAll('\0', ''));
    const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
    // A parser turns line breaks into line feeds.
    const readable = (text: string): string => text.replace(impossible, '').replace(/\r\n?/g, '\n');
    await fc.assert(
      fc.asyncProperty(word, word, word, word, async (title, content, excerpt, tag) => {
        const body = {
          title: `t${title}`,
          content,
          excerpt,
          tags: [`g${tag}`.slice(0, 50).toWellFormed()],
          status: 'Published',
        };
        const made = await own.send('POST /api/v1/posts', { as: 'ada', body });
        expect([made.status, made.text]).toEqual([201, made.text]);
        const [item] = all(channelOf((await own.send('GET /api/v1/posts/feed.xml')).text), 'item');
        if (item === undefined) throw new Error('There is no item.');
        expect(textIn(item, 'title')).toBe(readable(body.title));
        expect(textIn(item, 'content:encoded') ?? '').toBe(readable(made.json.content ?? ''));
        expect(textIn(item, 'description') ?? '').toBe(readable(excerpt));
        expect(all(item, 'category').map(({ text }) => text)).toEqual(body.tags.map(readable));
        const [entry] = (await own.send('GET /api/v1/posts/feed.json')).json.items;
        expect(entry).toMatchObject({ title: body.title, tags: body.tags });
        await own.send(`DELETE /api/v1/admin/posts/${made.json.id}`, { as: 'ada' });
      }),
      { numRuns: randomCases(60) },
    );
  });
});
