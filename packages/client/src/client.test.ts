// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { magazine } from '../../../test/support/magazine.ts';
import { randomCases } from '../../../test/support/random-cases.ts';
import { TestService } from '../../../test/support/service.ts';
import { createAdminClient } from './create-admin-client.ts';
import { createClient, createReader, filterText, inStorage, RectoError } from './index.ts';

let service: TestService;
beforeAll(async () => {
  const order = {
    singular: 'order',
    plural: 'orders',
    api_restful: false,
    fields: [{ name: 'code', field_type: 'text' }],
  };
  const writer = {
    name: 'writer',
    types: {
      article: {
        ...{ list: true, get: true, create: true, update: 'created_by = @request.auth.id' },
        ...{ read: { except: ['featured'] }, write: { only: ['title'] } },
      },
    },
  };
  service = await TestService.open([...(await magazine()), order], { builtIn: true, roles: [writer] });
  await service.account('ada', 'admin');
  await service.account('wim', 'writer');
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'http://recto.test/';
const through = (request: Request): Promise<Response> => Promise.resolve(service.app.fetch(request));
const credentials = { email: 'ada@example.com', password: 'correct horse' };

interface Settings {
  title: string | null;
}
interface SettingsEntry {
  kind: 'single';
  plural: 'site-settings';
  get: Settings;
  list: Settings;
  created: Settings;
  updated: Settings;
  admin: Settings;
  create: Settings;
  update: Partial<Settings>;
  relations: Record<never, never>;
}

/** A client that is signed in as an admin. */
async function admin(fetch = through) {
  const recto = createAdminClient({ url, fetch });
  await recto.auth.login(credentials);
  return recto;
}

/** What the calls of a test send, and how each is answered: by the service, unless `answer` does. */
function watched(
  answer: (request: Request, count: number) => Response | Promise<Response> | undefined = () => undefined,
) {
  const sent: Pick<Request, 'url' | 'method' | 'headers'>[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push({ url: request.url, method: request.method, headers: request.headers });
    return (await answer(request, sent.length)) ?? (await through(request));
  };
  return { sent, fetch };
}

const failure = async (promise: Promise<unknown>): Promise<RectoError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RectoError)) throw new Error(`This is no RectoError: ${error}`);
  return error;
};

test('saved views and preferences of the caller', async () => {
  const { savedViews, myPreferences } = (await admin()).admin;
  const made = await savedViews.create({ type: 'articles', name: 'Drafts', filter: 'status = "draft"' });
  expect(made).toMatchObject({ type: 'articles', shared: false, columns: [], may_change: true });
  expect(await savedViews.update(made.id, { shared: true })).toMatchObject({ id: made.id, shared: true });
  expect((await savedViews.list({ query: { type: 'articles' } })).items.map(({ name }) => name)).toEqual(['Drafts']);
  expect((await savedViews.get(made.id)).filter).toBe('status = "draft"');
  await savedViews.delete(made.id);
  expect((await failure(savedViews.get(made.id))).code).toBe('not_found');
  await myPreferences.update('list:articles', { value: { columns: ['title'] } });
  const [only] = (await myPreferences.list()).items;
  expect(only).toMatchObject({ name: 'list:articles', value: { columns: ['title'] } });
  await myPreferences.delete('list:articles');
  expect((await myPreferences.list()).items).toEqual([]);
});

/** Proves that it is her, as changes of roles and tokens ask for. */
async function provenAdmin() {
  const recto = await admin();
  await recto.auth.stepUp({ current_password: credentials.password });
  return recto;
}

describe('rights', () => {
  test('are those of the role, and of each record with `may`', async () => {
    const recto = createAdminClient({ url, fetch: through });
    await recto.auth.login({ ...credentials, email: 'wim@example.com' });
    const { role, types, may } = await recto.admin.permissions();
    expect({ role, names: Object.keys(types), may: may.media }).toEqual({
      role: 'writer',
      names: ['article'],
      may: 'none',
    });
    expect(types.article).toMatchObject({ list: 'all', update: 'some', delete: 'none', write: ['title'] });
    expect(types.article?.read).not.toContain('featured');
    const own = await recto.admin.collection('articles').create({ title: 'Mine' });
    const others = await (await admin()).admin.collection('articles').create({ title: 'Hers' });
    const articles = recto.admin.collection('articles');
    const { items } = await articles.list({ may: true, filter: { id: [own.id, others.id] }, sort: 'title:desc' });
    expect(items.map(({ title, __may }) => [title, __may])).toEqual([
      ['Mine', ['update']],
      ['Hers', []],
    ]);
    expect((await articles.get(own.id, { may: true })).__may).toEqual(['update']);
    // The tag of such a read is not that of the record, and is not sent with the change.
    expect(await articles.update(own.id, { title: 'Mine still' })).toMatchObject({ title: 'Mine still' });
    for await (const { __may } of articles.all({ may: true, filter: { id: own.id } }))
      expect(__may).toEqual(['update']);
    await (await admin()).admin.collection('articles').batch({ action: 'delete', ids: [own.id, others.id] });
  });

  test('roles are created, read, replaced and deleted', async () => {
    const { roles } = (await provenAdmin()).admin;
    const made = await roles.create({ name: 'proofreader', types: { article: { list: true, get: true } } });
    expect(made).toMatchObject({ name: 'proofreader', source: 'api', revision: 1 });
    expect((await roles.get('writer')).source).toBe('file');
    expect(await roles.update('proofreader', { label: 'Proofs', base: 'editor' })).toMatchObject({ label: 'Proofs' });
    // Once more, after the tag of the first change: roles are replaced whatever they were.
    expect(await roles.update('proofreader', { label: 'Proof' })).toMatchObject({ label: 'Proof', base: 'member' });
    expect((await roles.list({ page_size: 10 })).items.map(({ name }) => name)).toEqual(['proofreader', 'writer']);
    await roles.delete('proofreader');
    expect((await failure(roles.get('proofreader'))).code).toBe('not_found');
    expect((await failure(roles.delete('writer'))).code).toBe('belongs_to_deployment');
  });

  test('API tokens are narrowed by scopes', async () => {
    const { apiTokens } = (await provenAdmin()).admin;
    const { id, token, scopes } = await apiTokens.create({ name: 'Shop', role: 'editor', scopes: ['articles:read'] });
    expect(scopes).toEqual(['articles:read']);
    const shop = createAdminClient({ url, fetch: through, token });
    expect((await shop.admin.permissions()).types).toMatchObject({ article: { list: 'all', update: 'none' } });
    expect((await failure(shop.admin.collection('authors').list())).code).toBe('insufficient_scope');
    expect((await apiTokens.list()).items.map((each) => each.id)).toContain(id);
    expect(await apiTokens.get(id)).toMatchObject({ name: 'Shop', role: 'editor' });
    await apiTokens.delete(id);
    expect((await failure(shop.admin.permissions())).status).toBe(401);
  });
});

describe('records', () => {
  test('are created, read, changed and deleted, with what is related', async () => {
    const recto = await admin();
    const author = await recto.collection('authors').create({ name: 'Ines Ferreira' });
    const made = await recto.admin
      .collection('articles')
      .create({ title: 'On margins', status: 'published', author: author.id });
    const read = await recto.collection('articles').get(made.id, { include: ['author'] as never[] });
    expect(read).toMatchObject({ title: 'On margins', author: { name: 'Ines Ferreira' } });
    const changed = await recto.admin.collection('articles').update(made.id, { title: 'On wide margins' });
    expect(changed.title).toBe('On wide margins');
    const page = await recto.collection('articles').list({ filter: { author: { name: { like: 'ines%' } } } });
    expect(page).toMatchObject({ total: 1, items: [{ title: 'On wide margins' }] });
    await recto.admin.collection('articles').delete(made.id);
    expect(await failure(recto.collection('articles').get(made.id))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('of a single type have no id, and names in camelCase are the same', async () => {
    const recto = createClient<{ 'site-settings': SettingsEntry }>({ url, fetch: through });
    await recto.auth.login(credentials);
    expect(await recto.siteSettings.update({ title: 'The Review' })).toMatchObject({ title: 'The Review' });
    expect(await recto['site-settings'].get()).toEqual(await recto.siteSettings.get());
  });

  test('of the simple mode are written at its addresses', async () => {
    const recto = createClient({ url, fetch: through, simple_mode: ['orders'] });
    await recto.auth.login(credentials);
    const orders = recto.collection('orders');
    const { id } = await orders.create({ code: 'a' });
    expect(await orders.update(id, { code: 'b' })).toMatchObject({ id, code: 'b' });
    await orders.delete(id);
    expect((await failure(orders.get(id))).status).toBe(404);
  });

  test('of a list are all gone through, a page at a time', async () => {
    const recto = await admin();
    for (let count = 0; count < 7; count += 1) await recto.collection('topics').create({ name: `Topic ${count}` });
    const { sent, fetch } = watched();
    const reader = createReader({ url, fetch });
    const names: string[] = [];
    for await (const topic of reader.topics?.all({ page_size: 3, sort: 'name:asc' }) ?? []) {
      names.push(topic.name);
      expect(sent.length).toBe(Math.ceil(names.length / 3));
      if (names.length === 5) break;
    }
    expect(names).toEqual(['Topic 0', 'Topic 1', 'Topic 2', 'Topic 3', 'Topic 4']);
    expect(sent.length).toBe(2);
  });

  test('of a list arrive as CSV', async () => {
    const recto = await admin();
    for (const name of ['Gulf', 'Gulf =1+1']) await recto.collection('topics').create({ name });
    const options = { filter: { name: { like: 'Gulf%' } }, sort: 'name:asc', fields: ['name'] } as const;
    const rows = await createReader({ url, fetch: through }).topics?.csv(options);
    const lines = (await new Response(rows).text()).split('\r\n').map((line) => line.replace(/^[0-9a-f-]{36},/, ''));
    expect(lines).toEqual(['id,name', 'Gulf', 'Gulf =1+1', '']);
    const { fetch, sent } = watched();
    await (await admin(fetch)).admin.collection('topics').csv({ filter: { name: 'Gulf' } });
    expect(new URL(sent.at(-1)?.url ?? '').searchParams.get('format')).toBe('csv');
    const wrong = recto.collection('topics').csv({ query: { unknown: 1 } });
    expect(await failure(wrong)).toMatchObject({ status: 400, code: 'unknown_parameter' });
  });

  test('are counted in groups', async () => {
    const recto = await admin();
    const topics = recto.collection('topics');
    for (const name of ['Sea 1', 'Sea 2']) await topics.create({ name });
    const { items, truncated } = await topics.aggregate({
      group: ['name'],
      count: true,
      filter: { name: { like: 'Sea%' } },
      sort: 'name:desc',
    });
    expect(items).toEqual([
      { name: 'Sea 2', count: 1 },
      { name: 'Sea 1', count: 1 },
    ]);
    expect(truncated).toBe(false);
  });

  test('are returned in part where fields are named, and changed all the same', async () => {
    const { fetch, sent } = watched();
    const recto = await admin(fetch);
    const { id } = await recto.collection('topics').create({ name: 'In part' });
    const other = await admin(fetch);
    const topics = other.collection('topics');
    const { items } = await topics.list({ filter: { id }, fields: ['name', 'slug'] });
    expect(items).toEqual([{ id, name: 'In part', slug: 'in-part' }]);
    for await (const topic of topics.all({ filter: { id }, fields: ['name'] })) {
      expect(topic).toEqual({ id, name: 'In part' });
    }
    expect(await topics.get(id, { fields: ['slug'] })).toEqual({ id, slug: 'in-part' });
    const post = await recto.collection('posts').create({ title: 'In part', content: 'x', status: 'Published' });
    const shown = await other.collection('posts').get('in-part', {
      fields: ['title'],
      query: { include: 'author' },
    });
    expect(Object.keys(shown)).toEqual(['id', 'title', 'author']);
    expect(shown.id).toBe(post.id);
    // The tag of a part is not that of the record.
    expect(await topics.update(id, { name: 'Whole' })).toMatchObject({ name: 'Whole' });
    expect(sent.at(-1)?.headers.has('if-match')).toBe(false);
  });

  test('have one revision for each sitting, and names for revisions', async () => {
    const [recto, other] = [await admin(), await admin()];
    const posts = recto.admin.collection('posts');
    const { id } = await recto.collection('posts').create({ title: 'Sitting', content: '' });
    const sitting = posts.sitting(id);
    for (const content of ['P', 'Paper', 'Paper is']) await sitting.autosave({ content });
    const heads = async () =>
      (await posts.revisions(id).list()).items.map(({ revision, action, name }) => [revision, action, name]);
    expect(await heads()).toEqual([
      [2, 'autosave', null],
      [1, 'create', null],
    ]);
    expect(await sitting.keep({ content: 'Paper is patient.' })).toMatchObject({ content: 'Paper is patient.' });
    expect(await posts.revisions(id).name(2, 'First version')).toMatchObject({ revision: 2, name: 'First version' });
    expect(await heads()).toEqual([
      [2, 'update', 'First version'],
      [1, 'create', null],
    ]);
    expect((await posts.revisions(id).name(2, null)).name).toBeNull();
    // It is the record itself that a sitting changes, so its tag holds for both.
    await other.admin.collection('posts').get(id);
    await posts.update(id, { content: 'Mine' });
    const late = other.admin.collection('posts').sitting(id);
    expect(await failure(late.autosave({ content: 'Late' }))).toMatchObject({ status: 409, code: 'stale' });
    await late.autosave({ content: 'Late' }, { if_match: false });
    await late.keep();
    expect((await other.admin.collection('posts').get(id)).content).toBe('Late');
  });

  test('have drafts, revisions and a status', async () => {
    const recto = await admin();
    const post = await recto.collection('posts').create({ title: 'News', content: 'One', status: 'Published' });
    await recto.admin.collection('posts').draft(post.id).update({ content: 'Two' });
    expect((await recto.admin.collection('posts').draft(post.id).get()).content).toBe('Two');
    expect((await recto.collection('posts').get('news')).content).toBe('One');
    expect(await recto.admin.collection('posts').publish(post.id)).toMatchObject({ content: 'Two' });
    const revisions = await recto.admin.collection('posts').revisions(post.id).list();
    const [newest, , first] = [revisions.items[0]?.revision ?? 0, 0, revisions.items.at(-1)?.revision ?? 0];
    expect((await recto.admin.collection('posts').revisions(post.id).get(first)).record).toMatchObject({
      content: 'One',
    });
    const diff = await recto.admin.collection('posts').revisions(post.id).diff(first, newest);
    expect(diff.map(({ path }) => path)).toContain('/content');
    expect(await recto.admin.collection('posts').revisions(post.id).restore(first)).toMatchObject({ content: 'One' });
    expect(await recto.admin.collection('posts').status(post.id, 'Archived')).toMatchObject({ status: 'Archived' });
  });
});

describe('the comments of a post', () => {
  test('are read as threads, and written as a guest or as an account', async () => {
    const recto = await admin();
    const { id } = await recto.collection('posts').create({ title: 'Letters', content: 'x', status: 'Published' });
    const guest = createClient({ url, fetch: through });
    const asked = await guest.thread('letters').create({ content: 'Who wrote this?', nickname: 'Bo' });
    expect(asked).toMatchObject({ status: 'Pending', author_id: null });
    const answered = await recto.thread('letters').create({ content: 'I did.', parent_id: asked.id });
    expect(answered.author_id).toBe(service.idOf('ada'));
    await recto.admin.collection('comments').batch({ action: 'approve', ids: [asked.id, answered.id] });
    const { items } = await guest.thread('letters').list();
    expect(items).toMatchObject([{ nickname: 'Bo', post_id: id, replies: [{ content: 'I did.', replies: [] }] }]);
  });
});

describe('a change', () => {
  test('fails where the record has changed since it was read', async () => {
    const [one, other] = [await admin(), await admin()];
    const { id } = await one.collection('topics').create({ name: 'First' });
    await other.admin.collection('topics').get(id);
    await one.admin.collection('topics').update(id, { name: 'Second' });
    const error = await failure(other.admin.collection('topics').update(id, { name: 'Mine' }));
    expect(error).toMatchObject({ status: 409, code: 'stale' });
    await other.admin.collection('topics').update(id, { name: 'Mine' }, { if_match: false });
    expect(await other.admin.collection('topics').get(id)).toMatchObject({ name: 'Mine' });
    // What this client wrote last is what it knows.
    await other.admin.collection('topics').update(id, { name: 'Mine again' });
  });

  test('is made with the service’s own tag where a proxy has marked it as weak, as it does with what it compresses', async () => {
    const recto = await admin(async (request) => {
      const response = await through(request);
      const tag = response.headers.get('etag');
      if (tag !== null && !tag.startsWith('W/')) response.headers.set('etag', `W/${tag}`);
      return response;
    });
    const articles = recto.admin.collection('articles');
    const { id } = await articles.create({ title: 'Compressed' });
    expect(await articles.update(id, { title: 'Compressed well' })).toMatchObject({ title: 'Compressed well' });
  });

  test('has a random key, also on pages without TLS', async () => {
    // The service is in the same process, and needs it: it answers nothing here.
    const { sent, fetch } = watched(() => Response.json({ id: 'made' }, { status: 201 }));
    const own = Object.getOwnPropertyDescriptor(crypto, 'randomUUID');
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const recto = createClient({ url, fetch });
      for (const name of ['One', 'Two']) await recto.collection('topics').create({ name });
    } finally {
      if (own === undefined) Reflect.deleteProperty(crypto, 'randomUUID');
      else Object.defineProperty(crypto, 'randomUUID', own);
    }
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('that is sent again is done once', async () => {
    const lost = watched((request, count) =>
      request.method === 'POST' && count === 2
        ? through(request).then(() => Promise.reject(new TypeError('connection lost')))
        : undefined,
    );
    const recto = await admin(lost.fetch);
    const made = await recto.collection('topics').create({ name: 'Only once' });
    const again = lost.sent.filter(({ url }) => url.endsWith('/cms/topics'));
    expect(again.length).toBe(2);
    expect(again[0]?.headers.get('idempotency-key')).toBe(again[1]?.headers.get('idempotency-key') ?? 'none');
    const found = await recto.collection('topics').list({ filter: { name: 'Only once' } });
    expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  });

  test('with a condition is not sent again when nobody knows whether it was done', async () => {
    let broken = false;
    const { sent, fetch } = watched((request) =>
      broken && request.method === 'PUT' ? Promise.reject(new TypeError('connection lost')) : undefined,
    );
    const recto = await admin(fetch);
    const { id } = await recto.collection('topics').create({ name: 'Kept' });
    broken = true;
    const error = await failure(recto.collection('topics').update(id, { name: 'Changed' }));
    expect(error).toMatchObject({ status: 0, code: 'offline' });
    expect(sent.filter(({ method }) => method === 'PUT').length).toBe(1);
  });

  test('reports every field that is wrong', async () => {
    const recto = await admin();
    const error = await failure(recto.collection('articles').create({ titel: 'x', featured: 'yes' }));
    expect(error.is('validation_failed')).toBe(true);
    expect(Object.keys(error.fields).toSorted()).toEqual(['featured', 'titel', 'title']);
  });
});

describe('a request', () => {
  test('that the service cannot take now is sent again', async () => {
    const { sent, fetch } = watched((_, count) =>
      count < 3 ? Response.json({}, { status: 503, headers: { 'Retry-After': '0' } }) : undefined,
    );
    await createReader({ url, fetch }).topics?.list();
    expect(sent.length).toBe(3);
  });

  test('is sent again after a broken connection if it has a key, whatever its method', async () => {
    const { sent, fetch } = watched((_, count) =>
      count === 1 ? Promise.reject(new TypeError('connection lost')) : Response.json({}),
    );
    const recto = createClient({ url, fetch });
    await recto.request('PUT', '/pages/x', { headers: { 'If-Match': '"a"', 'Idempotency-Key': 'b' }, body: {} });
    expect(sent.length).toBe(2);
  });

  test('to a foreign address has neither the token nor the headers of every request', async () => {
    const { sent, fetch } = watched(({ url: to }) => (to.startsWith(url) ? undefined : Response.json({})));
    const recto = createClient({ url, fetch, headers: { 'Recto-Tenant': 'north' } });
    await recto.auth.login(credentials);
    const foreign = ['https://evil.example/x', 'http://recto.test.evil.example/', 'http://recto.test@evil.example/'];
    for (const address of foreign) await recto.request('GET', address, { headers: { Accept: 'text/plain' } });
    await recto.request('GET', `${url}api/v1/auth/me`);
    const headers = sent
      .slice(1)
      .map((one) => ['authorization', 'recto-tenant', 'accept'].map((name) => one.headers.has(name)));
    expect(headers).toEqual([...foreign.map(() => [false, false, true]), [true, true, false]]);
  });

  test('to any route gives its headers', async () => {
    const recto = createClient({ url, fetch: through });
    const tag = await recto.request('GET', '/pages', {}, async (response) => response.headers.get('etag'));
    expect(tag).toMatch(/^"/);
  });

  test('is sent by its own `fetch` where it has one', async () => {
    const { sent, fetch: usual } = watched();
    const recto = createClient({ url, fetch: usual });
    const own = async (request: Request) => Response.json({ got: await request.text() });
    expect(await recto.request('POST', '/x', { body: new Blob(['abc']), fetch: own })).toEqual({ got: 'abc' });
    expect(sent.length).toBe(0);
  });

  test('uses the connection of the one before, by the `fetch` of the program', async () => {
    const ports = new Set<number | undefined>();
    await using server = Bun.serve({
      port: 0,
      fetch(request, self) {
        ports.add(self.requestIP(request)?.port);
        return Response.json({ items: [] });
      },
    });
    const { topics } = createReader({ url: server.url.href });
    for (let count = 0; count < 5; count += 1) await topics?.list();
    expect(ports.size).toBe(1);
  });

  test('ends with its signal, and by its timeout', async () => {
    const never = createClient({ url, retries: 0, fetch: (request) => hanging(request) });
    const controller = new AbortController();
    const listed = never.collection('topics').list({ signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    expect(listed).rejects.toThrow('no longer wanted');
    expect(await failure(never.collection('topics').list({ timeout: 1 }))).toMatchObject({
      status: 0,
      code: 'timeout',
    });
  });

  test('begins with a timeout of its own after one that has ended', async () => {
    const begun: boolean[] = [];
    const recto = createClient({
      url,
      retries: 0,
      // The second request, which has its answer at once, never takes so long.
      timeout: 500,
      async fetch(request) {
        begun.push(request.signal.aborted);
        return begun.length === 1 ? hanging(request) : Response.json({ items: [] });
      },
    });
    expect((await failure(recto.collection('topics').list())).code).toBe('timeout');
    expect((await recto.collection('topics').list()).items).toEqual([]);
    expect(begun).toEqual([false, false]);
  });

  test('may ask for any text, half a character included', async () => {
    const { sent, fetch } = watched(() => Response.json({ items: [] }));
    const query = { 'a&b': 'c=d&e+f %/?#é', list: ['x', 'y,z'], none: undefined };
    await createReader({ url, fetch }).topics?.list({ search: 'half \ud83d', query });
    expect([...new URL(sent[0]?.url ?? '').searchParams]).toEqual([
      ['a&b', 'c=d&e+f %/?#é'],
      ['list', 'x,y,z'],
      ['search', 'half \ufffd'],
    ]);
  });

  test('has the headers of its own in the place of those of every request', async () => {
    const { sent, fetch } = watched(() => Response.json({}));
    const recto = createClient({ url, fetch, headers: { ACCEPT: 'text/plain', 'X-One': '1' } });
    await recto.request('POST', '/x', { headers: { accept: 'text/html', 'content-type': 'text/plain' }, body: {} });
    const names = ['accept', 'content-type', 'x-one'];
    expect(names.map((name) => sent[0]?.headers.get(name))).toEqual(['text/html', 'text/plain', '1']);
  });

  test('without a body in its response returns nothing, if there should be none', async () => {
    const answers = [
      new Response(null, { status: 204 }),
      new Response('', { headers: { 'Content-Length': '0' } }),
      new Response('', { status: 200 }),
    ];
    const recto = createClient({ url, fetch: async () => answers.shift() ?? Response.error() });
    expect([await recto.request('GET', '/x'), await recto.request('GET', '/x')]).toEqual([undefined, undefined]);
    expect(await failure(recto.request('GET', '/x'))).toMatchObject({ status: 200, code: 'unexpected_response' });
  });

  test('whose response is that of a proxy fails as one', async () => {
    const recto = createClient({ url, fetch: async () => new Response('<h1>Hello</h1>') });
    expect(await failure(recto.collection('topics').list())).toMatchObject({
      status: 200,
      code: 'unexpected_response',
    });
  });
});

const hanging = ({ signal }: Request): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a session', () => {
  test('is renewed when its token is no longer taken, without the call noticing', async () => {
    const { sent, fetch } = watched((request, count) =>
      count === 2 && request.headers.has('authorization')
        ? Response.json({ code: 'invalid_token' }, { status: 401 })
        : undefined,
    );
    const recto = await admin(fetch);
    expect(await recto.auth.me()).toMatchObject({ email: credentials.email });
    expect(sent.map((request) => new URL(request.url).pathname.split('/').at(-1))).toEqual([
      'login',
      'me',
      'refresh',
      'me',
    ]);
  });

  test('that begins while an earlier one is found to have ended goes on', async () => {
    const late = Promise.withResolvers<Response>();
    const begun = Promise.withResolvers<void>();
    let isOver = true;
    const { fetch } = watched((request) => {
      const { pathname } = new URL(request.url);
      if (!isOver || pathname.endsWith('/login')) return undefined;
      if (!pathname.endsWith('/refresh')) return Response.json({ code: 'invalid_token' }, { status: 401 });
      begun.resolve();
      return late.promise;
    });
    const recto = await admin(fetch);
    const ended: string[] = [];
    recto.auth.onEnd(() => ended.push('ended'));
    const earlier = recto.auth.me();
    await begun.promise;
    await recto.auth.login(credentials);
    isOver = false;
    late.resolve(Response.json({ code: 'invalid_refresh_token' }, { status: 401 }));
    expect(await earlier).toMatchObject({ email: credentials.email });
    expect(await recto.auth.signedIn()).toBe(true);
    expect(ended).toEqual([]);
  });

  test('that twenty tabs share is renewed once, and lives on', async () => {
    const entries = new Map<string, string>();
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    };
    const { sent, fetch } = watched();
    const tabs = Array.from({ length: 20 }, () => createClient({ url, fetch, session: inStorage(storage) }));
    await tabs[0]?.auth.login(credentials);
    // They wake up together, after the access token has ended.
    const kept = JSON.parse(entries.get('recto') ?? '{}');
    entries.set('recto', JSON.stringify({ ...kept, expires_at: 0 }));
    const accounts = await Promise.all(tabs.map((tab) => tab.auth.me()));
    expect(new Set(accounts.map(({ email }) => email))).toEqual(new Set([credentials.email]));
    expect(sent.filter(({ url }) => url.endsWith('/auth/refresh')).length).toBe(1);
    expect(await tabs[7]?.auth.refresh()).toBe(true);
    expect([...entries.keys()]).toEqual(['recto']);
  });

  test('that ends is over, and what is public can still be read', async () => {
    const recto = await admin();
    await recto.auth.logout();
    expect(await recto.auth.signedIn()).toBe(false);
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(await recto.auth.refresh()).toBe(false);
    expect((await recto.collection('topics').list()).total).toBeGreaterThan(0);
  });

  test('that the service has ended: the program hears of it once', async () => {
    const { fetch } = watched((request) =>
      request.url.includes('/me') || request.url.endsWith('/auth/refresh')
        ? Response.json({ code: 'invalid_token' }, { status: 401 })
        : undefined,
    );
    const recto = await admin(fetch);
    let ended = 0;
    recto.auth.onEnd(() => {
      ended += 1;
    });
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(ended).toBe(1);
    expect(await recto.auth.signedIn()).toBe(false);
  });
});

describe('the text of a filter', () => {
  const examples: readonly (readonly [string | object, string])[] = [
    ['views > 5', 'views > 5'],
    [{ views: { gt: 5 } }, '{"views":{"gt":5}}'],
    [{ status: 'a "quoted" \\ word', slug: null }, '{"status":"a \\"quoted\\" \\\\ word","slug":null}'],
    [{ at: { lt: new Date(0) } }, '{"at":{"lt":"1970-01-01T00:00:00.000Z"}}'],
    [{ views: { notIn: [1, 2n] }, big: 2n ** 53n + 1n }, '{"views":{"notIn":[1,2]},"big":"9007199254740993"}'],
    [{ a: undefined, b: { c: undefined } }, '{"b":{}}'],
  ];
  test.each(examples)('of %p', (filter, text) => expect(filterText(filter)).toBe(text));

  test.each([
    { a: Number.NaN },
    { a: { lt: Number.POSITIVE_INFINITY } },
    { a: () => 1 },
    { a: [Symbol('x')] },
    { $or: [{ a: new Date(Number.NaN) }] },
  ])('of %p is an error', (filter) => {
    expect(() => filterText(filter)).toThrow(TypeError);
  });

  test.each([
    { $or: [] },
    { $or: [{}] },
    { name: [{}] },
    { name: { gt: {} } },
    { name: [undefined] },
    { 'true || name': 'x' },
  ])('of %p is one that the service refuses', async (filter) => {
    const listed = createReader({ url, fetch: through }).topics?.list({ filter });
    expect(await failure(Promise.resolve(listed))).toMatchObject({ status: 400, code: 'invalid_filter' });
  });

  test('without a condition is none', async () => {
    const { topics } = createReader({ url, fetch: through });
    const all = await topics?.list();
    expect(await topics?.list({ filter: { name: undefined } })).toEqual(all);
    expect(await topics?.list({ filter: { best: { title: undefined } } })).toEqual(all);
    expect(await topics?.list({ filter: '' })).toEqual(all);
  });

  test('selects the records of a batch, and none without a condition', async () => {
    const { topics } = (await admin()).admin;
    for (const name of ['Batch one', 'Batch two']) await topics?.create({ name });
    const filter = { name: { like: 'Batch%' } };
    expect(await topics?.batch({ action: 'update', filter, set: { description: 'Both' } })).toMatchObject({
      affected: 2,
    });
    expect((await topics?.list({ filter: { description: 'Both' } }))?.total).toBe(2);
    for (const empty of [{ name: undefined }, { name: {} }]) {
      const error = await failure(Promise.resolve(topics?.batch({ action: 'delete', filter: empty })));
      expect(error.code).toBe('invalid_filter');
    }
  });

  test('finds exactly the record whose value was written, whatever the value', async () => {
    const recto = await admin();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (name) => {
        const made = await recto
          .collection('topics')
          .create({ name })
          .catch(() => undefined);
        if (made === undefined) return;
        const both = { $and: [{ name }, { id: { in: [made.id] } }] };
        const found = await recto.collection('topics').list({ filter: both });
        expect(found.items.map(({ id }) => id)).toEqual([made.id]);
        expect((await recto.collection('topics').list({ filter: { id: made.id, name: { ne: name } } })).total).toBe(0);
      }),
      { numRuns: randomCases(60) },
    );
  });
});
