// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import type { TestService } from '../../support/service.ts';
import { ok, openPreviewed, preview, read, share } from './previews.fixture.ts';

// Public reads with a preview token: a record as it would be when published, by the rules and fields of the public endpoints.

let service: TestService;
beforeAll(async () => {
  service = await openPreviewed();
});
afterAll(() => service[Symbol.asyncDispose]());

let count = 0;
const story = (values: object = {}) => service.seed('stories', { title: `Story ${++count}`, ...values });
const draft = (id: string, body: object) =>
  ok(service.send(`PUT /api/v1/admin/cms/stories/${id}?draft=true`, { as: 'eve', body }));

describe('a preview of a record', () => {
  test('shows what is not published yet, and public reads do not', async () => {
    const { id, title, slug } = await story({ text: '<p>Soon</p>', secret: 'kept' });
    const { token, url, expires_at } = await preview(service, { type: 'story', id });
    expect(token).toStartWith('rpt_');
    expect(url).toBe(`https://site.example/stories/${slug}?in=en#${token}`);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await service.send(`GET /api/v1/cms/stories/${id}`)).status).toBe(404);
    const shown = await read(service, token, `cms/stories/${id}`);
    expect(shown.status).toBe(200);
    expect(shown.json).toMatchObject({ id, title, text: '<p>Soon</p>' });
    expect(Object.keys(shown.json)).not.toContain('secret');
    expect(Object.keys(shown.json)).not.toContain('status');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-robots-tag')).toBe('noindex');
    expect(shown.headers.get('cache-status')).toBeNull();
    expect((await read(service, token, `cms/stories/slug/${slug}`)).json.id).toBe(id);
    const list = await ok(read(service, token, 'cms/stories'));
    expect(list.items.map((item: { id: string }) => item.id)).toEqual([id]);
    expect(list.total).toBe(1);
    // What was read so is remembered nowhere.
    expect((await service.send(`GET /api/v1/cms/stories/${id}`)).status).toBe(404);
    const { status, ...stored } = await ok(service.send(`GET /api/v1/admin/cms/stories/${id}`, { as: 'eve' }));
    expect(status).toBe('new');
    expect(stored.title).toBe(title);
  });

  test('shows the draft of a published record in filters, orders and words, and never from a cache', async () => {
    const { id } = await story({ status: 'live', price: 3, code: `c${count}` });
    const plain = () => ok(service.send(`GET /api/v1/cms/stories/${id}`));
    const before = await plain();
    await draft(id, { title: 'Amber drafted', price: 7 });
    const { token } = await preview(service, { type: 'story', id });
    expect((await ok(read(service, token, `cms/stories/${id}`))).title).toBe('Amber drafted');
    for (const [search, total] of [
      ['price=7', 1],
      ['price=3', 0],
      ['filter=price%20%3E%205', 1],
      ['search=drafted', 1],
      ['search=nothing', 0],
    ] as const)
      expect([search, (await ok(read(service, token, `cms/stories?${search}`))).total]).toEqual([search, total]);
    expect(await plain()).toEqual(before);
    // The header does the same, and the reader beside it is who reads.
    const headers = { 'Recto-Preview': token };
    expect((await ok(service.send(`GET /api/v1/cms/stories/${id}`, { headers }))).title).toBe('Amber drafted');
    expect((await ok(service.send(`GET /api/v1/cms/stories/${id}`, { as: 'mia', headers }))).title).toBe(
      'Amber drafted',
    );
    // No event, no version, no change of the table.
    const events = await ok(service.send(`GET /api/v1/admin/events?record=${id}&limit=50`, { as: 'ada' }));
    expect(events.items.map(({ action }: { action: string }) => action)).not.toContain('publish');
  });

  test('leaves out what could not be published, such as a value that is taken', async () => {
    await story({ status: 'live', code: 'taken' });
    const { id } = await story({ status: 'live', code: 'free' });
    const { token } = await preview(service, { type: 'story', id });
    await draft(id, { title: 'With a code', code: 'mine' });
    await story({ code: 'mine' });
    expect(await ok(read(service, token, `cms/stories/${id}`))).toMatchObject({ title: 'With a code', code: 'free' });
  });

  test('includes what its public includes would show', async () => {
    const hidden = await service.seed('writers', { name: 'Hidden' });
    const known = await service.seed('writers', { name: 'Known', status: 'live' });
    const topic = await service.seed('topics', { name: 'Type' });
    const one = await story({ writer: hidden.id, topics: [topic.id] });
    const other = await story({ writer: known.id });
    const { token } = await preview(service, { type: 'story', id: one.id });
    const shown = await ok(read(service, token, `cms/stories/${one.id}?include=writer,topics`));
    expect(shown.writer).toBeNull();
    expect(shown.topics).toEqual([expect.objectContaining({ name: 'Type' })]);
    const { token: second } = await preview(service, { type: 'story', id: other.id });
    const { writer } = await ok(read(service, second, `cms/stories/${other.id}?include=writer`));
    expect(writer.name).toBe('Known');
  });

  test('is of a single type, of a post, and in a language', async () => {
    await ok(service.send('POST /api/v1/admin/cms/imprint', { as: 'eve', body: { line: 'Printed here' } }), 201);
    const { token, url } = await preview(service, { type: 'imprint' });
    expect((await ok(read(service, token, 'cms/imprint'))).line).toBe('Printed here');
    expect(url).toEndWith(`/recto-preview#${token}`);
    const post = await service.seed('posts', { title: 'A post to be' });
    const made = await preview(service, { type: 'post', id: post.id });
    expect((await ok(read(service, made.token, `posts/${post.slug}`))).status).toBe('Published');
    expect((await ok(read(service, made.token, 'posts'))).total).toBe(1);
    expect((await ok(read(service, made.token, 'pages'))).total).toBe(0);
    const notice = await service.seed('notices', { text: 'Hello' });
    const german = `PUT /api/v1/admin/cms/notices/${notice.id}?language=de`;
    await ok(service.send(german, { as: 'eve', body: { text: 'Hallo' } }));
    const inGerman = await preview(service, { type: 'notice', id: notice.id, language: 'de' });
    const shown = await read(service, inGerman.token, `cms/notices/${notice.id}`);
    expect([shown.json.text, shown.headers.get('content-language')]).toEqual(['Hallo', 'de']);
    expect((await ok(read(service, inGerman.token, `cms/notices/${notice.id}?language=en`))).text).toBe('Hello');
  });

  test('shows the changes of a release in place of the draft', async () => {
    const { id } = await story({ status: 'live' });
    await draft(id, { title: 'Of the draft' });
    const release = await ok(service.send('POST /api/v1/admin/releases', { as: 'eve', body: { name: 'Spring' } }), 201);
    const item = (record: string, body: object) =>
      ok(service.send(`PUT /api/v1/admin/releases/${release.id}/items/story/${record}`, { as: 'eve', body }));
    await item(id, { action: 'publish', changes: { title: 'Of the release' } });
    const other = await story({ status: 'live' });
    await item(other.id, { action: 'unpublish' });
    const at = { type: 'story', id, release: release.id };
    const { token } = await preview(service, at);
    expect((await ok(read(service, token, `cms/stories/${id}`))).title).toBe('Of the release');
    const gone = await preview(service, { ...at, id: other.id });
    expect((await read(service, gone.token, `cms/stories/${other.id}`)).status).toBe(404);
    const whole = await preview(service, { ...at, scope: 'site' });
    expect((await ok(read(service, whole.token, `cms/stories/${id}`))).title).toBe('Of the release');
    expect((await read(service, whole.token, `cms/stories/${other.id}`)).status).toBe(404);
    expect((await ok(service.send(`GET /api/v1/cms/stories/${other.id}`))).id).toBe(other.id);
    await preview(service, at, 'uma', 403);
    await preview(service, { ...at, release: id }, 'eve', 404);
  });
});

test('a preview of the site shows everything that waits, of what its maker may change', async () => {
  const first = await story({ price: 1 });
  const second = await story({ status: 'live', price: 500 });
  await draft(second.id, { title: 'Waits too' });
  const old = await story({ status: 'old' });
  const topic = await service.seed('topics', { name: 'Open' });
  const { token } = await preview(service, { type: 'story', id: first.id, scope: 'site' });
  const ids = async (of: string) =>
    (await ok(read(service, of, 'cms/stories?page_size=100'))).items.map(({ id }: { id: string }) => id);
  expect(await ids(token)).toContain(first.id);
  expect(await ids(token)).not.toContain(old.id);
  expect((await ok(read(service, token, `cms/stories/${second.id}`))).title).toBe('Waits too');
  expect((await ok(read(service, token, `cms/topics/${topic.id}`))).name).toBe('Open');
  // A role that changes some of the records sees what it may change.
  const { token: narrow } = await preview(service, { type: 'story', id: first.id, scope: 'site' }, 'will');
  expect(await ids(narrow)).toContain(first.id);
  expect((await ok(read(service, narrow, `cms/stories/${second.id}`))).title).not.toBe('Waits too');
});

describe('a token', () => {
  test('reads public routes of records, and nothing else', async () => {
    const { id, slug } = await story();
    const { token } = await preview(service, { type: 'story', id });
    for (const line of [
      `PUT /api/v1/cms/stories/${id}`,
      'POST /api/v1/cms/stories',
      `DELETE /api/v1/cms/stories/${id}`,
      `GET /api/v1/admin/cms/stories/${id}`,
      'GET /api/v1/auth/me',
      'GET /api/v1/cms/stories/aggregate?count=true',
      'GET /api/v1/posts/feed.xml',
      'GET /api/v1/pages/sitemap',
      'GET /api/v1/admin/preview-links',
      'POST /api/v1/admin/preview',
      'GET /api/v1/openapi.json',
    ])
      for (const headers of [{ Authorization: `Bearer ${token}` }, { 'Recto-Preview': token }]) {
        const { status, json } = await service.send(line, { headers, ...(line.startsWith('GET') ? {} : { body: {} }) });
        expect([line, status, json?.code]).toEqual([line, 403, 'preview_only']);
      }
    // Nor with the rights of an admin beside it.
    const headers = { 'Recto-Preview': token };
    expect((await service.send(`GET /api/v1/admin/cms/stories/${id}`, { as: 'ada', headers })).status).toBe(403);
    const csv = await read(service, token, 'cms/stories?format=csv');
    expect(csv.status).toBe(400);
    // In an address it means nothing.
    expect((await service.send(`GET /api/v1/cms/stories/${id}?token=${token}`)).status).toBe(400);
    expect((await read(service, token, `cms/stories/slug/${slug}`)).status).toBe(200);
  });

  test('is refused once it has expired, been made up, or lost what it was made by', async () => {
    const { id, price } = await story({ price: 3 });
    expect(price).toBe(3);
    expect((await read(service, 'rpt_nothing', `cms/stories/${id}`)).json.code).toBe('invalid_token');
    expect((await service.send('GET /api/v1/cms/topics', { headers: { 'Recto-Preview': 'x' } })).status).toBe(401);
    const { token } = await preview(service, { type: 'story', id });
    await service.database.transaction(async (transaction) => {
      await transaction.run(query('update recto_previews set expires_at = ? where record = ?', Date.now() - 1, id));
    });
    expect((await read(service, token, `cms/stories/${id}`)).json.code).toBe('token_expired');
    const ended = async (made: { token: string }) => {
      expect((await read(service, made.token, `cms/stories/${id}`)).json).toMatchObject({
        status: 401,
        code: 'preview_ended',
      });
    };
    // A record that the rule of the role leaves.
    const ruled = await preview(service, { type: 'story', id }, 'will');
    const link = await share(service, { type: 'story', id }, 'will');
    await ok(service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'ada', body: { price: 200 } }));
    await ended(ruled);
    await ended(link);
    await ok(service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'ada', body: { price: 2 } }));
    expect((await read(service, link.token, `cms/stories/${id}`)).status).toBe(200);
    // A session that ends; a link outlives it.
    await service.account('leo', 'editor');
    const own = await preview(service, { type: 'story', id }, 'leo');
    const shared = await share(service, { type: 'story', id }, 'leo');
    expect((await read(service, own.token, `cms/stories/${id}`)).status).toBe(200);
    const session = await ok(service.send('GET /api/v1/auth/me/sessions', { as: 'leo' }));
    const [{ id: sessionId }] = session.items;
    expect((await service.send(`DELETE /api/v1/auth/me/sessions/${sessionId}`, { as: 'leo' })).status).toBe(204);
    await ended(own);
    expect((await read(service, shared.token, `cms/stories/${id}`)).status).toBe(200);
    // An account that is disabled or gets another role.
    const leo = service.idOf('leo');
    await ok(service.send(`PUT /api/v1/admin/users/${leo}`, { as: 'ada', body: { role: 'keeper' } }));
    await ended(shared);
    await ok(service.send(`PUT /api/v1/admin/users/${leo}`, { as: 'ada', body: { role: 'editor', disabled: true } }));
    await ended(shared);
    await ok(service.send(`PUT /api/v1/admin/users/${leo}`, { as: 'ada', body: { disabled: false } }));
    expect((await read(service, shared.token, `cms/stories/${id}`)).status).toBe(200);
    expect((await service.send(`DELETE /api/v1/admin/users/${leo}`, { as: 'ada' })).status).toBe(204);
    await ended(shared);
  });

  test('is stored as a hash', async () => {
    const { id } = await story();
    const { token } = await preview(service, { type: 'story', id });
    const rows = await service.database.rows<Record<string, unknown>>(query('select * from recto_previews'));
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  test('is made for who may change the record, and reads all that the public would', async () => {
    const { id } = await story({ price: 500 });
    const asked = { type: 'story', id };
    await preview(service, asked, 'mia', 403);
    await preview(service, asked, 'rob', 403);
    await preview(service, asked, 'will', 403);
    await preview(service, asked, 'hal', 403);
    await preview(service, asked, 'kim');
    await share(service, asked, 'kim', 403);
    await preview(
      service,
      { type: 'story', id: id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')) },
      'eve',
      404,
    );
    await preview(service, { type: 'nothing', id }, 'eve', 404);
    for (const body of [
      { type: 'story' },
      { ...asked, language: 'xx' },
      { ...asked, label: 'x' },
      { ...asked, share: true },
      { ...asked, share: true, label: 'x', seconds: 60 * 60 * 24 * 31 },
      { ...asked, share: true, label: 'x', seconds: 60, scope: 'site' },
    ])
      await preview(service, body, 'eve', 422);
  });

  test('is about the records of its tenant', async () => {
    const northern = await ok(service.send('POST /api/v1/admin/cms/locals', { as: 'nora', body: { name: 'N' } }), 201);
    const { token } = await preview(service, { type: 'local', id: northern.id }, 'nora');
    expect((await ok(read(service, token, `cms/locals/${northern.id}`))).name).toBe('N');
    expect((await read(service, token, 'cms/locals', { 'Recto-Tenant': 'south' })).status).toBe(403);
    const headers = { 'Recto-Preview': token };
    expect((await service.send('GET /api/v1/cms/locals', { as: 'sam', headers })).status).toBe(403);
    await preview(service, { type: 'local', id: northern.id }, 'sam', 404);
  });
});

describe('links that are shared', () => {
  test('are listed with their labels, and end when they are removed', async () => {
    const { id } = await story();
    const { token, url } = await share(service, { type: 'story', id, label: 'For Bo', seconds: 86_400 }, 'ian');
    expect(url).toContain(`#${token}`);
    const list = (as: string) => ok(service.send(`GET /api/v1/admin/preview-links?type=story&id=${id}`, { as }));
    const { items, total } = await list('ian');
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ label: 'For Bo', type: 'story', record: id, created_by: service.idOf('ian') });
    expect(JSON.stringify(items)).not.toContain('rpt_');
    expect((await list('eve')).total).toBe(0);
    expect((await list('ada')).total).toBe(1);
    const line = `DELETE /api/v1/admin/preview-links/${items[0].id}`;
    expect((await service.send(line, { as: 'eve' })).status).toBe(404);
    expect((await read(service, token, `cms/stories/${id}`)).status).toBe(200);
    expect((await service.send(line, { as: 'ian' })).status).toBe(204);
    expect((await read(service, token, `cms/stories/${id}`)).status).toBe(401);
    const { items: events } = await ok(service.send('GET /api/v1/admin/events?limit=5', { as: 'ada' }));
    expect(events.filter(({ type }: { type: string }) => type === 'recto:preview_link')).toHaveLength(2);
  });

  test('are removed some time after they have expired', async () => {
    const { id } = await story();
    await share(service, { type: 'story', id }, 'ian');
    await service.database.transaction(async (transaction) => {
      await transaction.run(query('update recto_previews set expires_at = 1 where record = ?', id));
    });
    expect((await ok(service.send(`GET /api/v1/admin/preview-links?type=story&id=${id}`, { as: 'ada' }))).total).toBe(
      0,
    );
  });

  test('that many read at once hold up neither writes nor the previews of editors', async () => {
    const { id } = await story();
    const { token } = await share(service, { type: 'story', id }, 'ian');
    const own = await preview(service, { type: 'story', id });
    const ended: string[] = [];
    const end = async (name: string, reply: Promise<{ readonly status: number }>) => {
      const { status } = await reply;
      ended.push(`${name} ${status}`);
    };
    const reads = Array.from({ length: 200 }, () => end('link', read(service, token, `cms/stories/${id}`)));
    const work = [
      end('write', service.send('POST /api/v1/admin/cms/topics', { as: 'eve', body: { name: 'Meanwhile' } })),
      end('own', read(service, own.token, `cms/stories/${id}`)),
    ];
    await Promise.all([...reads, ...work]);
    // More than wait are refused, and can be sent again.
    expect(new Set(ended)).toEqual(new Set(['link 200', 'link 503', 'write 201', 'own 200']));
    const shownBefore = (name: string) =>
      ended.slice(0, ended.indexOf(name)).filter((one) => one === 'link 200').length;
    expect(shownBefore('write 201')).toBeLessThan(10);
    expect(shownBefore('own 200')).toBeLessThan(10);
  });
});
