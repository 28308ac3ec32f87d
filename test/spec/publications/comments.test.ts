// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, type Sent, type ServiceOptions, TestService } from '../../support/service.ts';
import { plant, plantedId } from '../rules/planted.ts';

// The routes of comments: service specification, sections 2.2, 3 and 4.2, with the decisions that go with them.

type Comment = Readonly<Record<string, string | null>> & { readonly id: string };

/** A service with posts to comment on: `mia` and `max` are members, `ed` is an editor, `ada` an admin. */
class World {
  readonly service: TestService;
  #count = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  static async open(options: ServiceOptions = {}, ...definitions: readonly unknown[]): Promise<World> {
    const service = await TestService.open(definitions, { builtIn: true, ...options });
    await service.account('mia');
    await service.account('max');
    await service.account('ed', 'editor');
    await service.account('ada', 'admin');
    return new World(service);
  }

  send(line: string, sent?: Sent): Promise<Reply> {
    return this.service.send(line, sent);
  }

  /** A post that takes comments; returns its slug. */
  async post(more: object = {}): Promise<{ id: string; slug: string }> {
    return this.service.seed('posts', { title: `Post ${++this.#count}`, status: 'Published', ...more });
  }

  comment(slug: string, body: object, as?: string): Promise<Reply> {
    return this.send(`POST /api/v1/posts/${slug}/comments`, { body, ...(as === undefined ? {} : { as }) });
  }

  /** A comment that is there, with the status that it is to have. */
  async written(
    slug: string,
    body: object = {},
    { as, status }: { as?: string; status?: string } = {},
  ): Promise<Comment> {
    const made = await this.comment(slug, { content: `Comment ${++this.#count}`, ...body }, as);
    if (made.status !== 201) throw new Error(made.text);
    if (status !== undefined) await this.judge(made.json.id, status);
    return made.json;
  }

  async judge(id: string, status: string): Promise<void> {
    const reply = await this.send(`PUT /api/v1/admin/comments/${id}/status`, { as: 'ed', body: { status } });
    if (reply.status !== 200) throw new Error(reply.text);
  }

  async threads(slug: string, query = ''): Promise<Reply['json']> {
    const reply = await this.send(`GET /api/v1/posts/${slug}/comments${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  }

  /** The contents of a post's threads: `['a', ['b', ['c']], 'd']`. */
  async tree(slug: string, query = ''): Promise<unknown[]> {
    return outline((await this.threads(slug, query)).items);
  }

  /** Of all comments on a post, whatever their status. */
  async stored(postId: string): Promise<readonly Comment[]> {
    return (await this.send(`GET /api/v1/admin/comments?post_id=${postId}&page_size=100`, { as: 'ada' })).json.items;
  }
}

type Thread = { readonly content: string; readonly replies: readonly Thread[] };
const outline = (threads: readonly Thread[]): unknown[] =>
  threads.flatMap(({ content, replies }) => (replies.length === 0 ? [content] : [content, outline(replies)]));

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.service.database.close());

/** Runs against a service with other settings. */
async function within(options: ServiceOptions, run: (other: World) => Promise<void>): Promise<void> {
  const other = await World.open(options);
  try {
    await run(other);
  } finally {
    await other.service.database.close();
  }
}

const faults = ({ json }: Reply): unknown =>
  Object.fromEntries(json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]));

interface Row {
  readonly row: string;
  readonly body?: (id: string) => object;
  /** Statuses for: an anonymous caller, a member, an editor, an admin; about an approved comment that is not theirs. */
  readonly answers: readonly [number, number, number, number];
}

const status = () => ({ status: 'approved' });
const content = () => ({ content: 'Well said.' });
const rows: readonly Row[] = [
  { row: 'GET /api/v1/posts/{slug}/comments', answers: [200, 200, 200, 200] },
  { row: 'POST /api/v1/posts/{slug}/comments', body: content, answers: [201, 201, 201, 201] },
  { row: 'POST /api/v1/posts/{slug}/comments/authed', body: content, answers: [401, 201, 201, 201] },
  { row: 'GET /api/v1/comments', answers: [401, 200, 200, 200] },
  { row: 'DELETE /api/v1/comments/{id}', answers: [401, 403, 204, 204] },
  { row: 'PUT /api/v1/comments/{id}/status', body: status, answers: [401, 403, 200, 200] },
  { row: 'GET /api/v1/admin/comments', answers: [401, 403, 200, 200] },
  {
    row: 'POST /api/v1/admin/comments/batch',
    body: (id) => ({ action: 'spam', ids: [id] }),
    answers: [401, 403, 200, 200],
  },
  { row: 'GET /api/v1/admin/comments/aggregate', answers: [401, 403, 200, 200] },
  { row: 'POST /api/v1/admin/comments/{id}/reply', body: content, answers: [401, 403, 201, 201] },
  { row: 'DELETE /api/v1/admin/comments/{id}', answers: [401, 403, 204, 204] },
  { row: 'PUT /api/v1/admin/comments/{id}/status', body: status, answers: [401, 403, 200, 200] },
];

/** The row's request, about a new post and an approved comment of a guest there. */
async function request({ row, body }: Row): Promise<{ line: string; sent: Sent }> {
  const { slug } = await world.post();
  const { id } = await world.written(slug, {}, { status: 'Approved' });
  const line = row.replace('{slug}', slug).replace('{id}', id);
  return { line, sent: body === undefined ? {} : { body: body(id) } };
}

describe('each row', () => {
  test('is there, and no other', () => {
    const there = world.service.operations.filter(({ path }) => /\/comments\b/.test(path));
    expect(there.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      rows.map(({ row }) => row).toSorted(),
    );
  });

  const callers = [undefined, 'mia', 'ed', 'ada'] as const;
  const asked = rows.flatMap((row) =>
    callers.map((as, index) => [row.row, as ?? 'anonymous', as, row.answers[index], row] as const),
  );
  test.each(asked)('%s as %s', async (_, __, as, expected, row) => {
    const { line, sent } = await request(row);
    const reply = await world.send(line, { ...sent, ...(as === undefined ? {} : { as }) });
    expect([reply.status, reply.text]).toEqual([Number(expected), reply.text]);
    if (reply.status === 401) expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    if (reply.status === 204) expect(reply.text).toBe('');
  });

  const named = (some: readonly Row[]) => some.map((row) => [row.row, row] as const);
  test.each(named(rows))('%s with a bad token', async (_, row) => {
    const { line, sent } = await request(row);
    const reply = await world.send(line, { ...sent, headers: { Authorization: 'Bearer nonsense' } });
    expect(reply.status).toBe(401);
  });

  test.each(named(rows))('%s with a parameter that it does not know', async (_, row) => {
    const { line, sent } = await request(row);
    const reply = await world.send(`${line}?bogus=1`, { ...sent, as: 'ada' });
    expect([reply.status, reply.json.code]).toEqual([400, 'unknown_parameter']);
  });

  test.each(named(rows.filter(({ row }) => row.includes('{'))))('%s where there is nothing', async (_, row) => {
    for (const nothing of [Bun.randomUUIDv7(), 'nothing']) {
      const line = row.row.replace(/\{\w+\}/, nothing);
      const reply = await world.send(line, { ...(row.body === undefined ? {} : { body: row.body('') }), as: 'ada' });
      expect([line, reply.status, reply.json.code]).toEqual([line, 404, 'not_found']);
    }
  });

  const bad: readonly (readonly [unknown, Readonly<Record<string, string>>, number])[] = [
    ['{', {}, 400],
    ['[]', {}, 400],
    ['{"a":1}', { 'Content-Type': 'text/plain' }, 415],
    [{}, {}, 422],
    [{ content: 1, status: 1, action: 1, ids: 1 }, {}, 422],
  ];
  test.each(named(rows.filter(({ body }) => body !== undefined)))('%s with a body that will not do', async (_, row) => {
    const { line } = await request(row);
    for (const [body, headers, expected] of bad) {
      const reply = await world.send(line, { as: 'ada', body, headers });
      expect([body, reply.status]).toEqual([body, expected]);
    }
  });
});

describe('GET /api/v1/posts/{slug}/comments', () => {
  test('nests replies below what they answer, oldest first, and counts them all', async () => {
    const { slug } = await world.post();
    const write = async (content: string, parent?: Comment) =>
      world.written(slug, { content, parent_id: parent?.id ?? null }, { status: 'Approved' });
    const a = await write('a');
    const b = await write('b');
    const a1 = await write('a1', a);
    await write('b1', b);
    await write('a2', a);
    await write('a1x', a1);
    await write('c');
    expect(await world.tree(slug)).toEqual(['a', ['a1', ['a1x'], 'a2'], 'b', ['b1'], 'c']);
    const { items: _, ...rest } = await world.threads(slug);
    expect(rest).toEqual({ total: 7, page: 1, page_size: 20 });
  });

  test('returns everything of a comment but the address', async () => {
    const { slug, id } = await world.post();
    const body = { content: 'Hello', nickname: 'Bo', email: 'bo@example.com' };
    const made = await world.written(slug, body, { status: 'approved' });
    const [comment] = (await world.threads(slug)).items;
    expect(comment).toEqual({
      id: made.id,
      post_id: id,
      parent_id: null,
      author_id: null,
      nickname: 'Bo',
      content: 'Hello',
      status: 'Approved',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
      replies: [],
    });
  });

  test.each(['Pending', 'Rejected', 'Spam'])('leaves out what is %s, with all that is below it', async (status) => {
    const { slug } = await world.post();
    const a = await world.written(slug, { content: 'a' }, { status: 'Approved' });
    const b = await world.written(slug, { content: 'b', parent_id: a.id }, { status: 'Approved' });
    await world.written(slug, { content: 'c', parent_id: b.id }, { status: 'Approved' });
    await world.written(slug, { content: 'd', parent_id: a.id }, { status: 'Approved' });
    await world.judge(b.id, status);
    expect(await world.tree(slug)).toEqual(['a', ['d']]);
    expect((await world.threads(slug)).total).toBe(2);
    await world.judge(a.id, status);
    expect(await world.threads(slug)).toEqual({ items: [], total: 0, page: 1, page_size: 20 });
  });

  test('pages count threads', async () => {
    const { slug } = await world.post();
    for (const content of ['a', 'b', 'c']) {
      const thread = await world.written(slug, { content }, { status: 'Approved' });
      await world.written(slug, { content: `${content}1`, parent_id: thread.id }, { status: 'Approved' });
    }
    expect(await world.tree(slug, '?page_size=2')).toEqual(['a', ['a1'], 'b', ['b1']]);
    expect(await world.tree(slug, '?page_size=2&page=2')).toEqual(['c', ['c1']]);
    expect(await world.tree(slug, '?page_size=2&page=3')).toEqual([]);
    expect(await world.threads(slug, '?page_size=2&page=3')).toMatchObject({ total: 6, page: 3, page_size: 2 });
    expect(await world.threads(slug, '?page_size=1000')).toMatchObject({ total: 6, page_size: 100 });
    expect(await world.threads(slug, '?skip_total=true')).toMatchObject({ total: -1, items: { length: 3 } });
  });

  test.each([
    'page=0',
    'page=x',
    'page_size=0',
    'skip_total=yes',
    'sort=content:asc',
    'status=Pending',
    'page=1&page=2',
  ])('refuses ?%s', async (query) => {
    const { slug } = await world.post();
    expect((await world.send(`GET /api/v1/posts/${slug}/comments?${query}`)).status).toBe(400);
  });

  test.each(['Draft', 'Archived'])('404 where the post is %s, for everyone', async (status) => {
    const { slug, id } = await world.post();
    await world.written(slug, {}, { status: 'Approved' });
    expect((await world.threads(slug)).total).toBe(1);
    await world.send(`PUT /api/v1/admin/posts/${id}/status`, { as: 'ed', body: { status } });
    for (const as of [undefined, 'ed'] as const) {
      const reply = await world.send(`GET /api/v1/posts/${slug}/comments`, as === undefined ? {} : { as });
      expect(reply.status).toBe(404);
    }
  });

  test('has an entity tag, and is answered from memory until a comment changes', async () => {
    const { slug } = await world.post();
    const line = `GET /api/v1/posts/${slug}/comments`;
    const comment = await world.written(slug, {}, { status: 'Approved' });
    const first = await world.send(line);
    const again = await world.send(line, { as: 'ada' });
    expect(again.headers.get('cache-status')).toBe('recto; hit');
    expect(again.text).toBe(first.text);
    const etag = first.headers.get('etag') ?? '';
    const unchanged = await world.send(line, { headers: { 'If-None-Match': etag } });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await world.judge(comment.id, 'Spam');
    const changed = await world.send(line, { headers: { 'If-None-Match': etag } });
    expect([changed.status, changed.json.total]).toEqual([200, 0]);
  });
});

describe('creating a comment', () => {
  const both = ['comments', 'comments/authed'] as const;

  test.each(both)('POST …/%s answers where it is and what is stored', async (path) => {
    const { slug, id } = await world.post();
    const body = { content: '  Well,\n\tsaid.\u00a0 ', nickname: ' Mia M. ', email: ' mia@example.com ' };
    const reply = await world.send(`POST /api/v1/posts/${slug}/${path}`, { as: 'mia', body });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`/api/v1/comments/${reply.json.id}`);
    const expected = {
      id: reply.json.id,
      post_id: id,
      parent_id: null,
      author_id: world.service.idOf('mia'),
      nickname: 'Mia M.',
      content: 'Well,\n\tsaid.',
      status: 'Pending',
      created_at: reply.json.created_at,
      updated_at: reply.json.created_at,
    };
    expect(reply.json).toEqual(expected);
    expect(await world.stored(id)).toEqual([{ ...expected, email: 'mia@example.com' }]);
    expect((await world.threads(slug)).total).toBe(0);
  });

  test('content is plain text: nothing in it is read as anything else', async () => {
    const { slug, id } = await world.post();
    const texts = ['<b onclick="x">bold</b> &amp; <script>', "'; drop table comments; --", '%_"\\', '👩‍👧 ﷽ é', 'null'];
    for (const text of texts) await world.written(slug, { content: text }, { status: 'Approved' });
    expect(await world.tree(slug)).toEqual(texts);
    expect((await world.stored(id)).map(({ content }) => content)).toEqual(texts);
  });

  const accepted: readonly (readonly [name: string, body: object, stored: object])[] = [
    ['5,000 characters', { content: `${'é'.repeat(4999)}👍` }, { content: `${'é'.repeat(4999)}👍` }],
    ['white space around 5,000 characters', { content: ` ${'x'.repeat(5000)}\n` }, { content: 'x'.repeat(5000) }],
    ['line breaks of both kinds', { content: 'a\r\nb\nc' }, { content: 'a\r\nb\nc' }],
    [
      'empty fields of a form',
      { content: 'x', nickname: ' ', email: '', parent_id: '', website: '' },
      { nickname: null },
    ],
    [
      'a nickname with what nobody sees',
      { content: 'x', nickname: '\u200b Mi\u034fa\ufe0f\u3164 \u202e\u{e0101}' },
      { nickname: 'Mia' },
    ],
    ['a nickname that nobody sees', { content: 'x', nickname: '\u3164\u115f\u2800' }, { nickname: null }],
    ['nulls', { content: 'x', nickname: null, email: null, parent_id: null, website: null }, { nickname: null }],
    [
      'what the service keeps',
      { content: 'x', id: 'a', author_id: Bun.randomUUIDv7(), created_at: 'b' },
      { author_id: null },
    ],
    ['a status of its own', { content: 'x', status: 'Approved' }, { status: 'Pending' }],
    ['a status that is none', { content: 'x', status: 7, post_id: 'elsewhere' }, { status: 'Pending' }],
  ];
  test.each(accepted)('takes %s', async (_, body, stored) => {
    const { slug, id } = await world.post();
    const reply = await world.comment(slug, body);
    expect([reply.status, reply.text]).toEqual([201, reply.text]);
    expect(await world.stored(id)).toMatchObject([stored]);
  });

  const refused: readonly (readonly [name: string, body: object, errors: object])[] = [
    ['no content', { nickname: 'a' }, { content: 'required' }],
    ['null', { content: null }, { content: 'required' }],
    ['white space', { content: ' \n\t\u00a0\u3000' }, { content: 'required' }],
    ['5,001 characters', { content: 'x'.repeat(5001) }, { content: 'too_long' }],
    ['a number', { content: 5 }, { content: 'wrong_type' }],
    ['a bell', { content: 'a\u0007b' }, { content: 'control_character' }],
    ['an escape', { content: 'a\u001b[31m' }, { content: 'control_character' }],
    ['a C1 control', { content: 'a\u0085b' }, { content: 'control_character' }],
    ['U+0000', { content: 'a\0b' }, { content: 'invalid_text' }],
    ['half a pair', { content: 'a\ud800b' }, { content: 'invalid_text' }],
    ['a long nickname', { content: 'x', nickname: 'n'.repeat(101) }, { nickname: 'too_long' }],
    ['a nickname of two lines', { content: 'x', nickname: 'a\nb' }, { nickname: 'control_character' }],
    ['no address', { content: 'x', email: 'nobody' }, { email: 'bad_format' }],
    ['a parent that is no id', { content: 'x', parent_id: 'first' }, { parent_id: 'bad_format' }],
    ['a parent that is not there', { content: 'x', parent_id: Bun.randomUUIDv7() }, { parent_id: 'unknown_record' }],
    ['an unknown field', { content: 'x', rating: 5 }, { rating: 'unknown_field' }],
    [
      'much that is wrong at once',
      { nickname: '\u0001', email: 'x', parent_id: 1, rating: 5 },
      {
        content: 'required',
        nickname: 'control_character',
        email: 'bad_format',
        parent_id: 'wrong_type',
        rating: 'unknown_field',
      },
    ],
  ];
  test.each(refused)('rejects %s', async (_, body, errors) => {
    const { slug, id } = await world.post();
    const reply = await world.comment(slug, body);
    expect([reply.status, faults(reply)]).toEqual([422, errors]);
    expect(await world.stored(id)).toEqual([]);
  });

  test.each(both)('POST …/%s: 403 where the post is closed, before anything else is said', async (path) => {
    const { slug, id } = await world.post({ comments_open: false });
    for (const body of [{ content: 'x' }, {}]) {
      const reply = await world.send(`POST /api/v1/posts/${slug}/${path}`, { as: 'ada', body });
      expect([reply.status, reply.json.code]).toEqual([403, 'comments_closed']);
    }
    expect((await world.threads(slug)).total).toBe(0);
    await world.send(`PUT /api/v1/admin/posts/${id}`, { as: 'ed', body: { comments_open: true } });
    expect((await world.comment(slug, { content: 'x' })).status).toBe(201);
  });

  test.each(both)('POST …/%s: 404 where the post is no longer published', async (path) => {
    const { slug } = await world.post({ status: 'Draft', comments_open: false });
    for (const as of ['mia', 'ada']) {
      const reply = await world.send(`POST /api/v1/posts/${slug}/${path}`, { as, body: { content: 'x' } });
      expect(reply.status).toBe(404);
    }
  });

  test('a signed-in author is called by the username unless they say otherwise', async () => {
    await world.send('PUT /api/v1/auth/me', { as: 'max', body: { username: 'Maximilian' } });
    const { slug } = await world.post();
    const named = async (body: object, as?: string) =>
      (await world.comment(slug, { content: Bun.randomUUIDv7(), ...body }, as)).json.nickname;
    expect(await named({}, 'max')).toBe('Maximilian');
    expect(await named({ nickname: 'M.' }, 'max')).toBe('M.');
    expect(await named({ nickname: null }, 'max')).toBeNull();
    expect(await named({}, 'mia')).toBeNull();
    expect(await named({})).toBeNull();
  });

  test('an API token is an author too', async () => {
    const made = await world.send('POST /api/v1/admin/api-tokens', {
      as: 'ada',
      body: { name: 'feed', role: 'member' },
    });
    const { slug } = await world.post();
    const headers = { Authorization: `Bearer ${made.json.token}` };
    const reply = await world.send(`POST /api/v1/posts/${slug}/comments/authed`, { headers, body: { content: 'x' } });
    expect([reply.status, reply.json.author_id]).toEqual([201, made.json.id]);
    expect((await world.send('GET /api/v1/comments', { headers })).json.total).toBe(1);
  });

  const approvals = [
    ['none', 'Pending', 'Pending'],
    ['members', 'Pending', 'Approved'],
    ['all', 'Approved', 'Approved'],
  ] as const;
  test.each(approvals)(
    'RECTO_COMMENTS_AUTO_APPROVE=%s: a guest’s is %s, a member’s %s',
    async (setting, guest, member) => {
      await within({ commentsAutoApprove: setting }, async (other) => {
        const { slug } = await other.post();
        expect((await other.comment(slug, { content: 'a' })).json.status).toBe(guest);
        expect((await other.comment(slug, { content: 'b' }, 'mia')).json.status).toBe(member);
        const shown = [guest, member].filter((status) => status === 'Approved').length;
        expect((await other.threads(slug)).total).toBe(shown);
      });
    },
  );
});

describe('replies', () => {
  test('go five deep', async () => {
    const { slug } = await world.post();
    let above: string | null = null;
    for (let depth = 0; depth <= 5; depth++) {
      const { id }: Comment = await world.written(
        slug,
        { content: `${depth}`, parent_id: above },
        { status: 'Approved' },
      );
      above = id;
    }
    expect(await world.tree(slug)).toEqual(['0', ['1', ['2', ['3', ['4', ['5']]]]]]);
    expect((await world.threads(slug)).total).toBe(6);
    const reply = await world.comment(slug, { content: '6', parent_id: above }, 'ada');
    expect([reply.status, faults(reply)]).toEqual([422, { parent_id: 'too_deep' }]);
  });

  test('answer what is shown to their writer, on the same post; all else is as good as none', async () => {
    const { slug } = await world.post();
    const elsewhere = await world.written((await world.post()).slug, {}, { status: 'Approved' });
    const pending = await world.written(slug, {}, { as: 'mia' });
    const approved = await world.written(slug, { parent_id: pending.id }, { as: 'mia', status: 'Approved' });
    const spam = await world.written(slug, {}, { status: 'Spam' });
    const cases: readonly (readonly [parent: Comment, ...statuses: readonly number[]])[] = [
      // As an anonymous caller, another member, the author, an editor.
      [pending, 422, 422, 201, 201],
      // Approved, but below what is not.
      [approved, 422, 422, 201, 201],
      [spam, 422, 422, 422, 201],
      [elsewhere, 422, 422, 422, 422],
    ];
    const messages = new Set<string>();
    for (const [parent, ...statuses] of cases) {
      for (const [index, as] of [undefined, 'max', 'mia', 'ed'].entries()) {
        const reply = await world.comment(slug, { content: Bun.randomUUIDv7(), parent_id: parent.id }, as);
        expect([index, as, reply.status]).toEqual([index, as, Number(statuses[index])]);
        if (reply.status === 422) messages.add(JSON.stringify(reply.json.errors));
      }
    }
    const unknown = await world.comment(slug, { content: 'x', parent_id: Bun.randomUUIDv7() });
    messages.add(JSON.stringify(unknown.json.errors));
    expect([...messages]).toEqual([
      '[{"field":"parent_id","code":"unknown_record","message":"There is no such comment on this post."}]',
    ]);
  });
});

describe('replies of editors', () => {
  const reply = (id: string, body: object, as = 'ed') =>
    world.send(`POST /api/v1/admin/comments/${id}/reply`, { as, body });

  test('are shown at once, below comments that wait and posts that take none', async () => {
    const { slug, id } = await world.post();
    const { id: parent } = await world.written(slug, {}, { status: 'Approved' });
    await world.send(`PUT /api/v1/admin/posts/${id}`, { as: 'ed', body: { comments_open: false } });
    const made = await reply(parent, { content: ' Thank you. ', status: 'Spam', post_id: null });
    const wanted = { content: 'Thank you.', status: 'Approved', parent_id: parent, post_id: id };
    expect([made.status, made.json]).toMatchObject([201, wanted]);
    expect(made.json.author_id).toBe(world.service.idOf('ed'));
    expect((await world.threads(slug)).items[0].replies).toMatchObject([{ content: 'Thank you.' }]);
    // The comment keeps its status.
    const pending = await world.written((await world.post()).slug, {}, { status: 'Pending' });
    expect((await reply(pending.id, { content: 'Soon.' })).status).toBe(201);
    const listed = await world.send(`GET /api/v1/admin/comments?id=${pending.id}`, { as: 'ed' });
    expect(listed.json.items).toMatchObject([{ status: 'Pending' }]);
  });

  test('are checked as other comments are', async () => {
    const { slug } = await world.post();
    let { id } = await world.written(slug, {}, { status: 'Approved' });
    expect((await reply(id, { content: 'Once.' })).status).toBe(201);
    expect((await reply(id, { content: 'Once.' })).json.code).toBe('duplicate');
    expect(faults(await reply(id, { content: ' ', bogus: 1 }))).toMatchObject({ bogus: expect.any(String) });
    for (let depth = 1; depth <= 5; depth += 1) id = (await reply(id, { content: `${depth}` })).json.id;
    expect(faults(await reply(id, { content: '6' }))).toEqual({ parent_id: 'too_deep' });
  });

  test('are counted by status, and a decision can be taken back', async () => {
    const { slug, id: post } = await world.post();
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c']) ids.push((await world.written(slug, { content }, {})).id);
    const counts = async () =>
      (await world.send(`GET /api/v1/admin/comments/aggregate?group=status&post_id=${post}`, { as: 'ed' })).json.items;
    await world.send('POST /api/v1/admin/comments/batch', { as: 'ed', body: { action: 'spam', ids: ids.slice(1) } });
    expect(await counts()).toEqual([
      { status: 'Pending', count: 1 },
      { status: 'Spam', count: 2 },
    ]);
    await world.send('POST /api/v1/admin/comments/batch', { as: 'ed', body: { action: 'pending', ids: ids.slice(1) } });
    expect(await counts()).toEqual([{ status: 'Pending', count: 3 }]);
  });
});

describe('the same again', () => {
  const twice: readonly (readonly [
    name: string,
    first: [object, string?],
    second: [object, string?],
    outcome: 201 | 409 | 'as if stored',
  ])[] = [
    ['by an account', [{ nickname: 'a' }, 'mia'], [{ nickname: 'b' }, 'mia'], 409],
    ['by a guest of the same name', [{ nickname: 'Ann' }], [{ nickname: ' aNN ' }], 'as if stored'],
    [
      'by a guest of a name that looks the same',
      [{ nickname: 'Ann' }],
      [{ nickname: 'A\u3164nn\ufe0f' }],
      'as if stored',
    ],
    ['by guests without a name', [{}], [{ nickname: '' }], 'as if stored'],
    ['with other white space around it', [{ content: 'same' }], [{ content: ' same\n' }], 'as if stored'],
    ['by another guest', [{ nickname: 'Ann' }], [{ nickname: 'Bea' }], 201],
    ['by another account', [{}, 'mia'], [{}, 'max'], 201],
    ['by a guest who takes a member’s name', [{ nickname: 'Mia' }, 'mia'], [{ nickname: 'Mia' }], 201],
    ['in other words', [{ content: 'same' }], [{ content: 'Same' }], 201],
    // Otherwise the answer would show whether an address that was guessed is right.
    ['by a guest with another address', [{ email: 'a@example.com' }], [{ email: 'b@example.com' }], 'as if stored'],
  ];
  test.each(twice)('%s', async (_, [first, firstAs], [second, secondAs], outcome) => {
    const { slug, id } = await world.post();
    const stored = await world.comment(slug, { content: 'same', ...first }, firstAs);
    expect(stored.status).toBe(201);
    const reply = await world.comment(slug, { content: 'same', ...second }, secondAs);
    expect([reply.status, reply.json.code]).toEqual(outcome === 409 ? [409, 'duplicate'] : [201, undefined]);
    if (outcome !== 409) expect(Object.keys(reply.json)).toEqual(Object.keys(stored.json));
    if (outcome !== 409) expect(reply.json.id).not.toBe(stored.json.id);
    expect(await world.stored(id)).toHaveLength(outcome === 201 ? 2 : 1);
  });

  test('on another post is another comment', async () => {
    for (let post = 0; post < 2; post++) {
      expect((await world.comment((await world.post()).slug, { content: 'same' })).status).toBe(201);
    }
  });

  test('after a minute is another comment', async () => {
    const { slug, id: post } = await world.post();
    const { id } = await world.written(slug, { content: 'same' });
    for (const [ago, count] of [
      [20_000, 1],
      [61_000, 2],
    ] as const) {
      const time = new Date(Date.now() - ago).toISOString();
      const { table } = world.service.types.get('comment');
      const back = query(`update "${table}" set "created_at" = ? where "id" = ?`, time, id);
      await world.service.database.transaction(async (transaction) => transaction.run(back));
      expect((await world.comment(slug, { content: 'same' })).status).toBe(201);
      expect(await world.stored(post)).toHaveLength(count);
    }
  });

  test('twenty times at the same moment is one comment', async () => {
    const { slug, id } = await world.post();
    const replies = await Promise.all(Array.from({ length: 20 }, () => world.comment(slug, { content: 'me too' })));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await world.stored(id)).toHaveLength(1);
  });
});

describe('robots and floods', () => {
  test('a comment that fills the hidden field is answered as a success and not stored', async () => {
    const { slug, id } = await world.post();
    const real = await world.comment(slug, { content: 'x', nickname: 'a' });
    for (const website of ['http://example.com', ' ', 1, ['x'], false]) {
      const reply = await world.comment(slug, { content: 'buy', nickname: 'b', website });
      expect(reply.status).toBe(201);
      expect(Object.keys(reply.json)).toEqual(Object.keys(real.json));
      expect([...reply.headers.keys()].toSorted()).toEqual([...real.headers.keys()].toSorted());
    }
    expect(await world.stored(id)).toHaveLength(1);
    // Errors are reported as always.
    expect((await world.comment(slug, { website: 'x' })).status).toBe(422);
    const { slug: closed } = await world.post({ comments_open: false });
    expect((await world.comment(closed, { content: 'x', website: 'x' })).status).toBe(403);
  });

  test('guests are limited in rate, members are not', async () => {
    await within({ rateLimit: true }, async (other) => {
      const { slug } = await other.post();
      const statuses: number[] = [];
      for (let tries = 0; tries < 11; tries++)
        statuses.push((await other.comment(slug, { content: `${tries}` })).status);
      expect(statuses).toEqual([...Array(10).fill(201), 429]);
      const reply = await other.comment(slug, { content: 'again' });
      expect([reply.status, reply.json.code]).toEqual([429, 'rate_limited']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const path of ['comments', 'comments/authed']) {
        const line = `POST /api/v1/posts/${slug}/${path}`;
        expect((await other.send(line, { as: 'mia', body: { content: path } })).status).toBe(201);
      }
      expect((await other.threads(slug)).total).toBe(0);
    });
  });

  test('no limit where RECTO_RATE_LIMIT is off', async () => {
    const { slug } = await world.post();
    for (let tries = 0; tries < 15; tries++)
      expect((await world.comment(slug, { content: `${tries}` })).status).toBe(201);
  });
});

describe('GET /api/v1/comments and /api/v1/admin/comments', () => {
  const mine = 'GET /api/v1/comments';
  const all = 'GET /api/v1/admin/comments';
  let post: { id: string; slug: string };
  let other: World;

  beforeAll(async () => {
    other = await World.open();
    post = await other.post();
    await other.written(post.slug, { content: 'apples and pears', nickname: 'Gus', email: 'gus@example.com' });
    await other.written(post.slug, { content: 'bread' }, { as: 'mia' });
    await other.written(post.slug, { content: 'cheese' }, { as: 'mia', status: 'Approved' });
    await other.written((await other.post()).slug, { content: 'dates' }, { as: 'max', status: 'Spam' });
  });
  afterAll(() => other.service.database.close());

  const lists: readonly (readonly [as: string, line: string, query: string, contents: readonly string[]])[] = [
    ['mia', mine, '', ['bread', 'cheese']],
    ['max', mine, '', ['dates']],
    ['ed', mine, '', ['apples and pears', 'bread', 'cheese', 'dates']],
    ['ada', mine, '', ['apples and pears', 'bread', 'cheese', 'dates']],
    ['mia', mine, '?status=approved', ['cheese']],
    ['mia', mine, '?status=spam', []],
    ['mia', mine, '?search=apples', []],
    ['mia', mine, '?sort=content:desc', ['cheese', 'bread']],
    ['ed', mine, '?status=PENDING', ['apples and pears', 'bread']],
    ['ed', mine, '?post_id={post}', ['apples and pears', 'bread', 'cheese']],
    ['ed', mine, '?post_id={post}&status=approved', ['cheese']],
    ['ed', all, '', ['apples and pears', 'bread', 'cheese', 'dates']],
    ['ed', all, '?status=pEnDiNg', ['apples and pears', 'bread']],
    ['ed', all, '?author_id={mia}', ['bread', 'cheese']],
    ['ed', all, '?author_id={mia}&post_id={post}&status=Approved', ['cheese']],
    ['ed', all, '?search=pear', ['apples and pears']],
    ['ed', all, '?search=gus', ['apples and pears']],
    ['ed', all, '?search=example.com', []],
    ['ed', all, '?email=gus@example.com', ['apples and pears']],
    ['ada', all, '?page_size=1&page=2&sort=content:desc', ['cheese']],
  ];
  test.each(lists)('as %s: %s%s', async (as, line, query, contents) => {
    const filled = query.replace('{post}', post.id).replace('{mia}', other.service.idOf('mia'));
    const { status, json } = await other.send(`${line}${filled}`, { as });
    expect([status, json.items?.map(({ content }: Comment) => content)]).toEqual([200, contents]);
    if (!query.includes('page')) expect(json.total).toBe(contents.length);
  });

  test('an unknown status is 400', async () => {
    for (const line of [mine, all]) {
      expect((await other.send(`${line}?status=open`, { as: 'ed' })).json.code).toBe('invalid_parameter');
    }
  });

  test('only the admin routes return addresses', async () => {
    expect((await other.send(mine, { as: 'ed' })).text).not.toContain('email');
    expect((await other.send(all, { as: 'ed' })).json.items[0].email).toBe('gus@example.com');
  });
});

describe('deleting', () => {
  test('a member deletes their own, whatever its status; of others’, what is hidden is not there', async () => {
    const { slug } = await world.post();
    for (const status of ['Pending', 'Approved', 'Rejected', 'Spam']) {
      const own = await world.written(slug, {}, { as: 'mia', status });
      const foreign = await world.send(`DELETE /api/v1/comments/${own.id}`, { as: 'max' });
      expect([status, foreign.status]).toEqual([status, status === 'Approved' ? 403 : 404]);
      expect((await world.send(`DELETE /api/v1/comments/${own.id}`, { as: 'mia' })).status).toBe(204);
      expect((await world.send(`DELETE /api/v1/comments/${own.id}`, { as: 'mia' })).status).toBe(404);
    }
  });

  const ways: readonly (readonly [name: string, remove: (id: string) => [string, Sent]])[] = [
    ['DELETE /api/v1/comments/{id}', (id) => [`DELETE /api/v1/comments/${id}`, { as: 'mia' }]],
    ['DELETE /api/v1/admin/comments/{id}', (id) => [`DELETE /api/v1/admin/comments/${id}`, { as: 'ed' }]],
    [
      'POST /api/v1/admin/comments/batch',
      (id) => ['POST /api/v1/admin/comments/batch', { as: 'ed', body: { action: 'delete', ids: [id] } }],
    ],
  ];
  test.each(ways)('%s takes the replies along, of all depths and statuses', async (_, remove) => {
    const { slug, id } = await world.post();
    const top = await world.written(slug, { content: 'top' }, { status: 'Approved' });
    const root = await world.written(slug, { content: 'root', parent_id: top.id }, { as: 'mia', status: 'Approved' });
    const child = await world.written(slug, { parent_id: root.id }, { as: 'max', status: 'Approved' });
    await world.written(slug, { parent_id: child.id }, { status: 'Spam' });
    await world.written(slug, { parent_id: child.id });
    await world.written(slug, { content: 'beside', parent_id: top.id }, { status: 'Approved' });
    expect((await world.threads(slug)).total).toBe(4);
    const reply = await world.send(...remove(root.id));
    expect(reply.status).toBeLessThan(300);
    expect((await world.stored(id)).map(({ content }) => content)).toEqual(['top', 'beside']);
    expect(await world.tree(slug)).toEqual(['top', ['beside']]);
    expect((await world.send('GET /api/v1/admin/comments?search=root', { as: 'ed' })).json.total).toBe(0);
  });

  test('a post takes its comments along', async () => {
    const { slug, id } = await world.post();
    const root = await world.written(slug, {}, { as: 'mia', status: 'Approved' });
    await world.written(slug, { parent_id: root.id });
    expect((await world.send(`DELETE /api/v1/admin/posts/${id}`, { as: 'ed' })).status).toBe(204);
    expect(await world.stored(id)).toEqual([]);
    expect((await world.send('GET /api/v1/comments', { as: 'mia' })).json.items).not.toContainEqual(
      expect.objectContaining({ id: root.id }),
    );
  });
});

describe('moderating', () => {
  const routes = ['comments', 'admin/comments'] as const;
  const words = ['Pending', 'Approved', 'Rejected', 'Spam'];

  test.each(routes)('PUT /api/v1/%s/{id}/status: any state after any other, in any letter case', async (route) => {
    const { slug } = await world.post();
    const { id } = await world.written(slug, { email: 'a@example.com' });
    for (const word of [...words, ...words.toReversed()]) {
      for (const spelling of [word, word.toLowerCase(), word.toUpperCase()]) {
        const reply = await world.send(`PUT /api/v1/${route}/${id}/status`, { as: 'ed', body: { status: spelling } });
        expect([reply.status, reply.json.status]).toEqual([200, word]);
      }
    }
  });

  const refused: readonly (readonly [body: object, errors: object])[] = [
    [{}, { status: 'required' }],
    [{ status: null }, { status: 'wrong_type' }],
    [{ status: 'Published' }, { status: 'not_allowed' }],
    [{ status: 'Approved', content: 'mine now' }, { content: 'unknown_field' }],
  ];
  test.each(refused)('rejects %j', async (body, errors) => {
    const { slug } = await world.post();
    const { id } = await world.written(slug);
    for (const route of routes) {
      const reply = await world.send(`PUT /api/v1/${route}/${id}/status`, { as: 'ed', body });
      expect([reply.status, faults(reply)]).toEqual([422, errors]);
    }
  });

  test('a stale If-Match is 409', async () => {
    const { slug } = await world.post();
    const { id } = await world.written(slug);
    const line = `PUT /api/v1/comments/${id}/status`;
    const { headers } = await world.send(line, { as: 'ed', body: { status: 'Spam' } });
    const change = { as: 'ed', body: { status: 'Approved' }, headers: { 'If-Match': headers.get('etag') ?? '' } };
    expect((await world.send(line, change)).status).toBe(200);
    expect((await world.send(line, change)).status).toBe(409);
  });
});

test('a comment that waits is deleted by the tag of its creation', async () => {
  const { slug } = await world.post();
  const made = await world.send(`POST /api/v1/posts/${slug}/comments/authed`, {
    as: 'mia',
    body: { content: 'Wait.' },
  });
  const remove = (tag: string) =>
    world.send(`DELETE /api/v1/comments/${made.json.id}`, { as: 'mia', headers: { 'If-Match': tag } });
  expect((await remove('"other"')).status).toBe(409);
  expect((await remove(made.headers.get('etag') ?? '')).status).toBe(204);
});

describe('POST /api/v1/admin/comments/batch', () => {
  const batch = (action: string, ids: readonly unknown[]) =>
    world.send('POST /api/v1/admin/comments/batch', { as: 'ed', body: { action, ids } });

  const actions = [
    ['approve', 'Approved'],
    ['reject', 'Rejected'],
    ['spam', 'Spam'],
  ] as const;
  test.each(actions)('%s', async (action, status) => {
    const { slug, id } = await world.post();
    const made = [await world.written(slug), await world.written(slug), await world.written(slug)];
    const reply = await batch(
      action,
      made.slice(0, 2).map(({ id }) => id),
    );
    expect([reply.status, reply.json]).toEqual([200, { action, affected: 2 }]);
    expect((await world.stored(id)).map((comment) => comment.status)).toEqual([status, status, 'Pending']);
  });

  test('delete, of a comment and of its reply', async () => {
    const { slug, id } = await world.post();
    const root = await world.written(slug, {}, { status: 'Approved' });
    const reply = await world.written(slug, { parent_id: root.id });
    const done = await batch('delete', [root.id, reply.id]);
    expect([done.status, done.json]).toEqual([200, { action: 'delete', affected: 2 }]);
    expect(await world.stored(id)).toEqual([]);
  });

  test.each(['approve', 'delete'])('%s: all or nothing', async (action) => {
    const { slug, id } = await world.post();
    const made = [await world.written(slug), await world.written(slug)].map((comment) => comment.id);
    const reply = await batch(action, [made[0], Bun.randomUUIDv7(), made[1], made[0], 'x']);
    expect(reply.status).toBe(422);
    expect(Object.keys(Object(faults(reply))).toSorted()).toEqual(['ids[1]', 'ids[3]', 'ids[4]']);
    expect((await world.stored(id)).map(({ status }) => status)).toEqual(['Pending', 'Pending']);
  });

  test.each([
    ['hide', [Bun.randomUUIDv7()], { action: 'not_allowed' }],
    ['approve', [], { ids: 'too_few_items' }],
    ['approve', Array.from({ length: 1001 }, () => Bun.randomUUIDv7()), { ids: 'too_many_items' }],
    ['approve', [7], { 'ids[0]': 'wrong_type' }],
  ] as const)('refuses %s of what it cannot', async (action, ids, errors) => {
    const reply = await batch(action, ids);
    expect([reply.status, faults(reply)]).toEqual([422, errors]);
  });
});

test('an address never changes what anyone but editors and admins gets', async () => {
  const services = await Promise.all(['kim@example.com', null].map((email) => servicePlanted(email)));
  const [left, right] = services;
  if (left === undefined || right === undefined) throw new Error('There are two.');
  try {
    const posts = ['open', 'draft'];
    const probes = [
      '',
      '?search=kim',
      '?search=example',
      '?email=kim@example.com',
      '?sort=email:asc',
      '?include=email',
    ];
    const lines = [
      ...probes.flatMap((query) => [
        ...posts.map((slug) => `GET /api/v1/posts/${slug}/comments${query}`),
        `GET /api/v1/comments${query}`,
      ]),
      ...probes.flatMap((query) => [
        `GET /api/v1/admin/comments${query}`,
        `DELETE /api/v1/comments/${plantedId(3)}${query}`,
      ]),
      `DELETE /api/v1/comments/${plantedId(4)}`,
      `PUT /api/v1/comments/${plantedId(3)}/status`,
    ];
    const twin = { content: 'planted', nickname: 'Kim', email: 'kim@example.com' };
    const bodies = [
      twin,
      { ...twin, email: 'x' },
      { ...twin, parent_id: plantedId(4) },
      { ...twin, parent_id: plantedId(3), content: '' },
    ];
    for (const as of [undefined, 'mia']) {
      const who = as === undefined ? {} : { as };
      for (const line of lines) {
        const sent = line.startsWith('PUT') ? { ...who, body: { status: 'Spam' } } : who;
        expect([line, as, visible(await left.send(line, sent))]).toEqual([
          line,
          as,
          visible(await right.send(line, sent)),
        ]);
      }
      for (const body of bodies) {
        const line = 'POST /api/v1/posts/open/comments';
        const [a, b] = [await left.send(line, { ...who, body }), await right.send(line, { ...who, body })];
        expect([body, as, a.status, a.json.errors]).toEqual([body, as, b.status, b.json.errors]);
      }
    }
    // The two do differ, which shows where it may.
    const whole = (service: TestService) => service.send('GET /api/v1/admin/comments', { as: 'ed' });
    expect((await whole(left)).text).toContain('kim@example.com');
    expect((await whole(left)).text).not.toBe((await whole(right)).text);
  } finally {
    for (const service of services) await service.database.close();
  }
});

/** The same comments, each with this address. */
async function servicePlanted(email: string | null): Promise<TestService> {
  const service = await TestService.open([], { builtIn: true });
  await service.account('mia');
  await service.account('ed', 'editor');
  const on = (post: number, status: string) => ({
    content: 'planted',
    nickname: 'Kim',
    email,
    post_id: plantedId(post),
    status,
  });
  await plant(service, [
    { type: 'post', id: plantedId(1), body: { title: 'Open', slug: 'open', status: 'Published' } },
    { type: 'post', id: plantedId(2), body: { title: 'Draft', slug: 'draft', status: 'Draft' } },
    { type: 'comment', id: plantedId(3), body: on(1, 'Approved') },
    { type: 'comment', id: plantedId(4), body: on(1, 'Pending') },
    { type: 'comment', id: plantedId(5), body: { ...on(1, 'Approved'), parent_id: plantedId(3) } },
    { type: 'comment', id: plantedId(6), body: on(2, 'Approved') },
  ]);
  return service;
}

/** All of an answer but what is of this request alone. */
function visible({ status, headers, text }: Reply): object {
  const kept = Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'));
  return { status, kept, text: text.replace(/"request_id":"[^"]*"/, '') };
}

describe('fields that a definition file adds', () => {
  const extension = {
    extends: 'comment',
    fields: [
      { name: 'website', field_type: 'text', max_length: 30 },
      { name: 'rating', field_type: 'integer', required: true, min: 1, max: 5 },
      { name: 'agent', field_type: 'text', private: true },
    ],
  };

  test('are taken, checked and returned; one that is called as the hidden field takes its place', async () => {
    const other = await World.open({ commentsAutoApprove: 'all' }, extension);
    try {
      const { slug } = await other.post();
      const more = { website: 'example.com', rating: 5, agent: 'curl' };
      const made = await other.comment(slug, { content: 'x', ...more });
      expect([made.status, made.json]).toMatchObject([201, { website: 'example.com', rating: 5 }]);
      const [comment] = (await other.threads(slug)).items;
      expect(comment).toMatchObject({ website: 'example.com', rating: 5 });
      expect(comment).not.toHaveProperty('agent');
      const bad = await other.comment(slug, { content: 'x', rating: 6, website: 'x'.repeat(31) });
      expect(faults(bad)).toEqual({ rating: 'too_large', website: 'too_long' });
      const list = await other.send('GET /api/v1/admin/comments?rating=5', { as: 'ed' });
      expect(list.json.items).toMatchObject([more]);
    } finally {
      await other.service.database.close();
    }
  });
});
