import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentTypesModule } from '../../packages/recto/src/typegen/content-types-module.ts';
import { withBuiltInsIn } from '../../test/support/definitions.ts';
import { TestService } from '../../test/support/service.ts';

// The blog as it is built, in a process of its own, against a service that listens. It needs no scripts: what its pages say is in them.

const entry = join(import.meta.dir, 'dist/server/entry.mjs');
const isBuilt = existsSync(entry);
const reason = isBuilt ? '' : ' (skipped: npm ci --ignore-scripts && npm run build in examples/blog-astro)';

/** Posts and categories in two languages; in a service with one, this does nothing. */
const localized = [
  { extends: 'post', localized: ['title', 'slug', 'content', 'excerpt'] },
  { extends: 'category', localized: ['name'] },
];

test('its types are those that `recto types --client` writes', () => {
  const written = readFileSync(join(import.meta.dir, 'src/content.ts'), 'utf8');
  expect(written).toBe(contentTypesModule(withBuiltInsIn('en,de', ...localized), { forClient: true }));
});

describe.skipIf(!isBuilt)(`the blog with Astro${reason}`, () => {
  let service: TestService;
  let server: ReturnType<typeof Bun.serve>;
  let blog: Blog;
  let address: string;

  beforeAll(async () => {
    service = await TestService.open([], { builtIn: true, commentsAutoApprove: 'members' });
    await service.account('edith', 'editor');
    await service.account('max');
    const category = await service.seed('categories', { name: 'Travel' });
    const margins = {
      title: 'On margins',
      content: '<p><em>White</em> is part of it.</p>',
      tags: ['R&D <b>', 'Paper'],
    };
    await service.seed('posts', { ...margins, status: 'Published' });
    await service.seed('posts', { title: 'Night trains', categories: [category.id], status: 'Published' });
    await service.seed('posts', { title: 'Not yet', content: '<p>Soon.</p>' });
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.app.fetch(request) });
    address = `http://localhost:${freePort()}`;
    blog = await startBlog(address, { CMS_URL: server.url.href });
  }, 600_000);
  afterAll(async () => {
    blog?.kill();
    await blog?.exited;
    await server?.stop(true);
    await service?.[Symbol.asyncDispose]();
  });

  const visit = (): Visitor => new Visitor(address);

  async function signedIn(name: string): Promise<Visitor> {
    const visitor = visit();
    const shown = await visitor.post('/sign-in', { email: `${name}@example.com`, password: 'correct horse' });
    expect(shown.text).toContain('Sign out');
    return visitor;
  }

  test('posts are listed by tag, category and words', async () => {
    const visitor = visit();
    const first = await visitor.get('/');
    expect(first.headings).toEqual(['Posts', 'Night trains', 'On margins']);
    const byTag = await visitor.get(first.link('R&D <b>'));
    expect(byTag.headings).toEqual(['Posts', 'On margins']);
    expect((await visitor.get(byTag.link('R&D <b>'))).headings).toEqual(first.headings);
    const travel = await visitor.get(first.link('Travel'));
    expect(travel.headings).toEqual(['Posts', 'Night trains']);
    expect((await visitor.get(travel.link('Paper'))).text).toContain('There are no such posts.');
    expect((await visitor.get('/?search=margins')).headings).toEqual(['Posts', 'On margins']);
    expect((await visitor.get('/?search=nothing')).text).toContain('There are no such posts.');
    expect(await visitor.get('/?page=x')).toMatchObject({ status: 200, headings: first.headings });
  }, 600_000);

  test('a post is read and commented on, by guests and accounts', async () => {
    const guest = visit();
    const path = (await guest.get('/')).link('On margins');
    expect((await guest.get(path)).html).toContain('<em>White</em>');
    const comment = { nickname: 'Bo <i>', content: 'I print <script>alert(1)</script> wide.' };
    const sent = await guest.post(path, comment);
    expect(sent.text).toContain('Your comment waits for approval.');
    expect(sent.text).not.toContain(comment.content);
    const { items } = (await service.send('GET /api/v1/admin/comments', { as: 'edith' })).json;
    const line = `PUT /api/v1/admin/comments/${items[0].id}/status`;
    await service.send(line, { as: 'edith', body: { status: 'Approved' } });
    const approved = await guest.get(path);
    expect(approved.text).toContain(comment.content);
    expect(approved.text).toContain(comment.nickname);
    const member = await signedIn('max');
    const own = await member.post(path, { content: 'So do I.' });
    expect(own.text).toContain('So do I.');
    expect(own.text).toContain('Thank you.');
    const refused = await guest.post(path, { content: '' });
    expect(refused.status).toBe(422);
    expect(refused.text).not.toContain('Thank you.');
  }, 600_000);

  test('a wrong password is named, and editors see drafts', async () => {
    const visitor = visit();
    const wrong = await visitor.post('/sign-in', { email: 'edith@example.com', password: 'a wrong password' });
    expect(wrong).toMatchObject({ status: 401 });
    expect(wrong.text).toContain('Sign in');
    const editor = await signedIn('edith');
    const preview = (await editor.get('/')).link('Not yet');
    expect(await editor.get(preview)).toMatchObject({ status: 200, headings: ['Not yet'] });
    for (const other of [visitor, await signedIn('max')]) {
      expect((await other.get('/')).text).not.toContain('Not yet');
      const hidden = await other.get(preview);
      expect([401, 403]).toContain(hidden.status);
      expect(hidden.html).not.toContain('Soon.');
    }
    expect((await editor.post('/sign-out', {})).text).toContain('Sign in');
    expect((await editor.get(preview)).status).toBe(401);
  }, 600_000);

  test('no page takes a form of another site, or has a script', async () => {
    const editor = await signedIn('edith');
    expect((await editor.post('/sign-out', {}, 'https://evil.example')).status).toBe(403);
    const shown = await editor.get('/');
    expect(shown.text).toContain('Sign out');
    expect(shown.policy).toContain("script-src 'none'");
    expect(shown.html).not.toContain('<script');
    expect((await editor.get('/posts/there-is-none')).status).toBe(404);
  }, 600_000);

  test('a preview token shows a draft as readers will see it, with what connects the page with the form', async () => {
    const { items } = (await service.send('GET /api/v1/admin/posts?search=soon', { as: 'edith' })).json;
    const [{ id, slug }] = items;
    const path = `/posts/${slug}`;
    expect((await visit().get(path)).status).toBe(404);
    const made = await service.send('POST /api/v1/admin/preview', { as: 'edith', body: { type: 'post', id } });
    const guest = visit();
    const entry = await guest.get(`/preview/enter?slug=${slug}`);
    expect(entry.html).toContain('location.hash.slice(1)');
    const shown = await guest.enter(`/preview/enter?slug=${slug}`, made.json.token);
    expect(shown.headings).toEqual(['Not yet']);
    expect(shown.html).toContain('Soon.');
    expect(shown.html).toContain(`data-recto="${id}#title"`);
    expect(shown.html).toContain(`${server.url.origin}/preview.js`);
    expect(shown.policy).toContain(`script-src ${server.url.origin}`);
    expect(shown.policy).toContain(`frame-ancestors 'self' ${server.url.origin}`);
    // A token that has ended shows what everybody sees.
    expect((await guest.enter('/preview/enter?slug=on-margins', 'rpt_ended')).headings).toEqual(['On margins']);
    expect((await visit().get(path)).status).toBe(404);
  }, 600_000);

  test('a service that cannot be reached is reported', async () => {
    await server.stop(true);
    const shown = await visit().get('/');
    expect(shown).toMatchObject({ status: 503 });
    expect(shown.text).toContain('The blog cannot be reached at the moment.');
  }, 600_000);
});

describe.skipIf(!isBuilt)(`the blog in two languages${reason}`, () => {
  let service: TestService;
  let server: ReturnType<typeof Bun.serve>;
  let blog: Blog;
  let address: string;
  let id: string;
  const visit = (): Visitor => new Visitor(address);

  beforeAll(async () => {
    service = await TestService.open(localized, { builtIn: true, languages: 'en,de', commentsAutoApprove: 'all' });
    await service.account('edith', 'editor');
    const { id: category } = await service.seed('categories', { name: 'Travel' });
    const trains = {
      title: 'Night trains',
      content: '<p>To the south.</p>',
      excerpt: 'Asleep',
      categories: [category],
    };
    ({ id } = await service.seed('posts', { ...trains, status: 'Published' }));
    const german = { title: 'Nachtzüge', slug: 'nachtzuege', content: '<p>In den Süden.</p>' };
    for (const [path, body] of [
      [`posts/${id}`, german],
      [`cms/categories/${category}`, { name: 'Reisen' }],
    ] as const) {
      const changed = await service.send(`PUT /api/v1/admin/${path}?language=de`, { as: 'edith', body });
      expect([path, changed.status]).toEqual([path, 200]);
    }
    await service.seed('posts', { title: 'On margins', content: '<p>White.</p>', status: 'Published' });
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.app.fetch(request) });
    address = `http://localhost:${freePort()}`;
    blog = await startBlog(address, { CMS_URL: server.url.href, LANGUAGES: 'en,de', BLOG_URL: address });
  }, 600_000);
  afterAll(async () => {
    blog?.kill();
    await blog?.exited;
    await server?.stop(true);
    await service?.[Symbol.asyncDispose]();
  });

  test('has each page in both, which name each other and lead to each other', async () => {
    const visitor = visit();
    const first = await visitor.get('/');
    expect(first.html).toContain('<html lang="en"');
    expect(first.headings).toEqual(['Posts', 'On margins', 'Night trains']);
    const german = await visitor.get(first.link('Deutsch'));
    expect(german.html).toContain('<html lang="de"');
    expect(german.headings).toEqual(['Beiträge', 'On margins', 'Nachtzüge']);
    // What the language lacks stands there in the default one, and says so.
    expect(german.html).toMatch(/<h2 lang="en">\s*<a href="\/de\/posts\/on-margins"/);
    expect(german.html).toContain('<p lang="en">Asleep</p>');
    expect((await visitor.get(german.link('Reisen'))).headings).toEqual(['Beiträge', 'Nachtzüge']);
    expect((await visitor.get('/de/?search=nachtzüge')).headings).toEqual(['Beiträge', 'Nachtzüge']);
    expect((await visitor.get('/?search=nachtzüge')).headings).toEqual(['Posts']);

    const post = await visitor.get(german.link('Nachtzüge'));
    expect(post.headings.slice(0, 1)).toEqual(['Nachtzüge']);
    expect(post.html).toContain('In den Süden.');
    for (const [tag, path] of [
      ['en', '/posts/night-trains'],
      ['de', '/de/posts/nachtzuege'],
      ['x-default', '/posts/night-trains'],
    ])
      expect(post.html).toContain(`<link rel="alternate" hreflang="${tag}" href="${address}${path}">`);
    const english = await visitor.get(post.link('English'));
    expect(english.headings.slice(0, 1)).toEqual(['Night trains']);
    expect(english.link('Deutsch')).toBe('/de/posts/nachtzuege');
    expect((await visitor.get('/de/posts/there-is-none')).status).toBe(404);
    expect((await visitor.get('/fr/')).status).toBe(404);
  }, 600_000);

  test('says what is not translated, and names no other language of it', async () => {
    const shown = await visit().get('/de/posts/on-margins');
    expect(shown.text).toContain('Dieser Beitrag ist noch nicht übersetzt.');
    expect(shown.html).toMatch(/<h1 [^>]*lang="en"/);
    expect(shown.html).not.toContain('rel="alternate"');
    expect((await visit().get('/posts/on-margins')).text).not.toContain('not been translated');
  }, 600_000);

  test('has the same comments in both, and stays in the language of a form', async () => {
    const guest = visit();
    const sent = await guest.post('/de/posts/nachtzuege', { nickname: 'Bo', content: 'Gute Nacht.' });
    expect(sent.text).toContain('Danke.');
    expect(sent.text).toContain('Gute Nacht.');
    expect(sent.html).toContain('<html lang="de"');
    expect((await guest.get('/posts/night-trains')).text).toContain('Gute Nacht.');
    const signedIn = await guest.post('/de/sign-in', { email: 'edith@example.com', password: 'correct horse' });
    expect(signedIn.headings[0]).toBe('Beiträge');
    expect(signedIn.text).toContain('Abmelden');
    expect((await guest.post('/de/sign-out', {})).text).toContain('Anmelden');
  }, 600_000);

  test('a preview shows a draft in its language', async () => {
    await service.send(`PUT /api/v1/admin/posts/${id}?language=de`, { as: 'edith', body: { excerpt: 'Im Schlaf' } });
    const made = await service.send('POST /api/v1/admin/preview', {
      ...{ as: 'edith', body: { type: 'post', id, language: 'de' } },
    });
    const guest = visit();
    const shown = await guest.enter('/preview/enter?slug=nachtzuege&language=de', made.json.token);
    expect(shown.headings).toEqual(['Nachtzüge']);
    expect(shown.html).toContain('<html lang="de"');
  }, 600_000);
});

type Blog = Bun.Subprocess<'ignore', 'pipe', 'inherit'>;

/** Starts the blog as it is built, and waits until it listens at the address. */
async function startBlog(address: string, settings: Readonly<Record<string, string>>): Promise<Blog> {
  const blog = Bun.spawn(['node', entry], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(address).port, ...settings },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  await untilListening(blog.stdout);
  return blog;
}

/** A browser, as far as the pages need one: cookies, links, forms and redirections. */
class Visitor {
  readonly #address: string;
  #cookie = '';

  constructor(address: string) {
    this.#address = address;
  }

  get(path: string): Promise<Shown> {
    return this.#load(path, { method: 'GET' });
  }

  /** Sends a form of the page at the path. */
  post(path: string, fields: Readonly<Record<string, string>>, origin = this.#address): Promise<Shown> {
    return this.#load(path, { method: 'POST', headers: { Origin: origin }, body: new URLSearchParams(fields) });
  }

  /** What the page of a preview sends. */
  enter(path: string, token: string): Promise<Shown> {
    return this.#load(path, {
      method: 'POST',
      headers: { Origin: this.#address, 'Content-Type': 'text/plain' },
      body: token,
    });
  }

  async #load(path: string, init: RequestInit & { readonly headers?: Readonly<Record<string, string>> }) {
    const headers = { ...init.headers, Cookie: this.#cookie };
    const response = await fetch(new URL(path, this.#address), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#cookie = line.split(';')[0] ?? '';
    const to = response.headers.get('location');
    if (to !== null) return this.get(to);
    return shownIn(response, await response.text());
  }
}

interface Shown {
  readonly status: number;
  readonly policy: string | null;
  readonly html: string;
  /** Without its markup. */
  readonly text: string;
  readonly headings: readonly string[];
  link(text: string): string;
}

function shownIn(response: Response, html: string): Shown {
  const links = new Map(
    [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, to = '', text = '']) => [
      textOf(text),
      textOf(to),
    ]),
  );
  return {
    status: response.status,
    policy: response.headers.get('content-security-policy'),
    html,
    text: textOf(html),
    headings: [...html.matchAll(/<h[12]\b[^>]*>(.*?)<\/h[12]>/gs)]
      .map(([, text = '']) => textOf(text))
      .filter((text) => text !== 'Comments' && text !== 'Kommentare'),
    link(text) {
      const to = links.get(text);
      if (to === undefined) throw new Error(`No link ${text} among ${[...links.keys()].join(', ')}.`);
      return to;
    },
  };
}

const characters: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#39': "'",
  amp: '&',
  '#38': '&',
};

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&([a-z]+|#\d+);/g, (all, name) => characters[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim();

/** Resolves when the server says that it listens. The pipe stays open: it may write more. */
async function untilListening(output: ReadableStream<Uint8Array>): Promise<void> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; !/listening/i.test(text); ) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The blog did not start: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
}

function freePort(): number {
  using server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  return server.port;
}
