// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, type Sent, type ServiceOptions, TestService } from '../../support/service.ts';

/** How long an answer is kept, in milliseconds. */
const keptFor = 24 * 60 * 60 * 1000;

/** Bytes of the largest body that is kept. */
const largestBody = 256 * 1024;

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text', required: true, unique: true },
    { name: 'text', field_type: 'richtext' },
    { name: 'pass', field_type: 'password' },
  ],
  api: {
    create: { access: 'public', filter: 'title != "forbidden"' },
    update: { access: 'public' },
  },
};
const counterType = {
  singular: 'counter',
  plural: 'counters',
  api_restful: false,
  fields: [{ name: 'label', field_type: 'text' }],
  protocols: ['lockable'],
};

async function open(options: ServiceOptions = {}): Promise<TestService> {
  const service = await TestService.open([noteType, counterType], { builtIn: true, ...options });
  await service.account('ada', 'admin');
  await service.account('mia');
  return service;
}

const keyed = (key: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'Idempotency-Key': key },
});

const post = (service: TestService, key: string, body: object, as: string | null = 'mia'): Promise<Reply> =>
  service.send('POST /api/v1/cms/notes', keyed(key, as === null ? { body } : { as, body }));

const notes = async (service: TestService): Promise<readonly string[]> =>
  (await service.send('GET /api/v1/cms/notes')).json.items.map(({ title }: { title: string }) => title);

describe('the same key and request', () => {
  test('is done once and answered the same', async () => {
    await using service = await open();
    const first = await post(service, '"a"', { title: 'One' });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const second = await post(service, 'a', { title: 'One' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    for (const name of ['etag', 'location', 'content-type', 'x-content-type-options']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await notes(service)).toEqual(['One']);
  });

  test('gets the first answer, also when the record is another or gone by now', async () => {
    await using service = await open();
    const first = await post(service, 'a', { title: 'One' });
    const path = `/api/v1/admin/cms/notes/${first.json.id}`;
    await service.send(`PUT ${path}`, { as: 'ada', body: { title: 'Two' } });
    expect((await post(service, 'a', { title: 'One' })).text).toBe(first.text);
    await service.send(`DELETE ${path}`, { as: 'ada' });
    expect((await post(service, 'a', { title: 'One' })).text).toBe(first.text);
    expect(await notes(service)).toEqual([]);
  });

  test('counts up a version once', async () => {
    await using service = await open();
    const { id } = await service.seed('counters', { label: 'a' });
    const update = (key: string) =>
      service.send(`POST /api/v1/cms/counters/${id}/update`, keyed(key, { as: 'mia', body: { label: 'b' } }));
    expect((await update('a')).json.lock_version).toBe(2);
    expect((await update('a')).json.lock_version).toBe(2);
    expect((await update('b')).json.lock_version).toBe(3);
  });

  test('deletes once', async () => {
    await using service = await open();
    const { id } = await service.seed('counters', { label: 'a' });
    const remove = (key: string) => service.send(`POST /api/v1/cms/counters/${id}/delete`, keyed(key, { as: 'ada' }));
    expect((await remove('a')).status).toBe(204);
    const again = await remove('a');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([204, '', 'true']);
    expect((await remove('b')).status).toBe(404);
  });

  test('bodies that read the same are the same', async () => {
    await using service = await open();
    const first = await service.send(
      'POST /api/v1/cms/notes',
      keyed('a', { as: 'mia', body: '{"title":"One","text":"x"}' }),
    );
    const second = await service.send(
      'POST /api/v1/cms/notes',
      keyed('a', { as: 'mia', body: ' { "title" : "\\u004fne", "text": "x" } ' }),
    );
    expect(second.text).toBe(first.text);
  });

  test('is good for 24 hours, and then a new request', async () => {
    let now = Date.now();
    await using service = await open({ now: () => now });
    const first = await post(service, 'a', { title: 'One' });
    now += keptFor - 1;
    expect((await post(service, 'a', { title: 'One' })).text).toBe(first.text);
    now += 1;
    expect((await post(service, 'a', { title: 'One' })).json.errors[0].code).toBe('taken');
    expect((await post(service, 'a', { title: 'Two' })).status).toBe(201);
    expect((await post(service, 'a', { title: 'Two' })).headers.get('idempotent-replayed')).toBe('true');
  });

  test('a comment is neither rejected as doubled nor stored twice', async () => {
    await using service = await open();
    const { slug } = await service.seed('posts', { title: 'A post', status: 'Published' });
    const key = crypto.randomUUID();
    const comment = () =>
      service.send(`POST /api/v1/posts/${slug}/comments`, keyed(key, { body: { content: 'Well said.' } }));
    const first = await comment();
    expect(first.status).toBe(201);
    expect((await comment()).text).toBe(first.text);
  });

  test('an update with If-Match by an admin route does not conflict with itself', async () => {
    await using service = await open();
    const { id } = await service.seed('notes', { title: 'One' });
    const path = `/api/v1/admin/cms/notes/${id}`;
    const read = async (): Promise<string> =>
      (await service.send(`GET ${path}`, { as: 'ada' })).headers.get('etag') ?? '';
    const put = (key: string, tag: string, title: string): Promise<Reply> =>
      service.send(`PUT ${path}`, keyed(key, { as: 'ada', body: { title }, headers: { 'If-Match': tag } }));
    const before = await read();
    const first = await put('a', before, 'Two');
    const second = await put('a', before, 'Two');
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('etag')).toBe(await read());
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    // Nothing of a request that was rejected is kept: it is compared with the record again.
    expect((await put('b', before, 'Three')).json.code).toBe('stale');
    expect((await put('b', await read(), 'Three')).status).toBe(200);
  });

  test('a draft with If-Match does not conflict with itself', async () => {
    await using service = await open();
    const { id } = await service.seed('posts', { title: 'One', status: 'Published' });
    const path = `/api/v1/admin/posts/${id}?draft=true`;
    const tag = (await service.send(`GET ${path}`, { as: 'ada' })).headers.get('etag') ?? '';
    const put = (): Promise<Reply> =>
      service.send(`PUT ${path}`, keyed('a', { as: 'ada', body: { title: 'Two' }, headers: { 'If-Match': tag } }));
    const first = await put();
    const second = await put();
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });

  test('an idempotent method takes no key', async () => {
    await using service = await open();
    const { id } = await service.seed('notes', { title: 'One' });
    const put = (title: string) =>
      service.send(`PUT /api/v1/cms/notes/${id}`, keyed('a', { as: 'mia', body: { title } }));
    expect((await put('Two')).json.title).toBe('Two');
    expect((await put('Three')).json.title).toBe('Three');
  });
});

describe('a key that was used for another request', () => {
  test.each<[string, string, object]>([
    ['another body', 'POST /api/v1/cms/notes', { title: 'Two' }],
    ['another query', 'POST /api/v1/cms/notes?include=', { title: 'One' }],
    ['another route', 'POST /api/v1/pages', { title: 'One' }],
  ])('%s: 422', async (_, line, body) => {
    await using service = await open();
    await post(service, 'a', { title: 'One' });
    const reply = await service.send(line, keyed('a', { as: 'mia', body }));
    expect([reply.status, reply.json.code, reply.json.errors]).toEqual([422, 'idempotency_key_reused', []]);
    expect(await notes(service)).toEqual(['One']);
  });
});

describe('whose key it is', () => {
  test('each caller has keys of their own', async () => {
    await using service = await open();
    const { json: robot } = await service.send('POST /api/v1/admin/api-tokens', {
      as: 'ada',
      body: { name: 'robot', role: 'member' },
    });
    const first = await post(service, 'a', { title: 'One' });
    const second = await post(service, 'a', { title: 'Two' }, 'ada');
    const third = await service.send(
      'POST /api/v1/cms/notes',
      keyed('a', { headers: { Authorization: `Bearer ${robot.token}` }, body: { title: 'Three' } }),
    );
    expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
    // The very same request by another does not get the answer to the first.
    expect((await post(service, 'a', { title: 'One' }, 'ada')).status).toBe(422);
    const fourth = await post(service, 'b', { title: 'One' }, 'ada');
    expect([fourth.status, fourth.json.code]).toEqual([422, 'validation_failed']);
  });

  test('an anonymous caller’s key cannot be guessed, and is not an account’s', async () => {
    await using service = await open();
    const weak = await post(service, 'a', { title: 'One' }, null);
    expect([weak.status, weak.json.code]).toEqual([400, 'invalid_idempotency_key']);
    const key = crypto.randomUUID();
    const first = await post(service, key, { title: 'One' }, null);
    expect((await post(service, key, { title: 'One' }, null)).text).toBe(first.text);
    const others = await post(service, key, { title: 'One' });
    expect([others.status, others.json.code]).toEqual([422, 'validation_failed']);
  });
});

describe('what is rejected is not kept', () => {
  test('it can be sent again with the same key, mended or not', async () => {
    await using service = await open();
    expect((await post(service, 'a', { titel: 'One' })).json.code).toBe('validation_failed');
    expect((await post(service, 'a', { title: 'forbidden' })).json.code).toBe('rule_refused');
    const broken = await service.send('POST /api/v1/cms/notes', keyed('a', { as: 'mia', body: '{' }));
    expect(broken.json.code).toBe('malformed_json');
    expect((await post(service, 'a', { title: 'One' })).status).toBe(201);
  });

  test('nothing is replayed before the caller is known and may call', async () => {
    await using service = await open();
    const line = 'POST /api/v1/admin/cms/notes';
    await service.send(line, keyed('a', { as: 'ada', body: { title: 'One' } }));
    expect((await service.send(line, keyed('a', { body: { title: 'One' } }))).status).toBe(401);
    expect((await service.send(line, keyed('a', { as: 'mia', body: { title: 'One' } }))).status).toBe(403);
    await service.database.transaction(async (transaction) => {
      await transaction.run(query("update recto_accounts set role = 'member' where id = ?", service.idOf('ada')));
      transaction.touch('recto:auth');
    });
    expect((await service.send(line, keyed('a', { as: 'ada', body: { title: 'One' } }))).status).toBe(403);
  });

  test('a robot that only gets the answer that its comment is stored', async () => {
    await using service = await open();
    const { slug } = await service.seed('posts', { title: 'A post', status: 'Published' });
    const body = { content: 'Buy.', website: 'https://example.com' };
    const sent = keyed(crypto.randomUUID(), { body });
    expect((await service.send(`POST /api/v1/posts/${slug}/comments`, sent)).status).toBe(201);
    expect((await service.send(`POST /api/v1/posts/${slug}/comments`, sent)).status).toBe(201);
    expect((await service.send('GET /api/v1/admin/comments', { as: 'ada' })).json.total).toBe(0);
  });
});

describe('at the same moment', () => {
  test('one does it, the others get a conflict or the same answer', async () => {
    await using service = await open();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(service, 'a', { title: 'One' })));
    const made = replies.filter(({ status }) => status === 201);
    const inUse = replies.filter(({ json }) => json.code === 'idempotency_key_in_use');
    expect(made.length + inUse.length).toBe(20);
    expect(made.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, headers } of inUse) expect([status, headers.get('retry-after')]).toEqual([409, '1']);
    expect(await notes(service)).toEqual(['One']);
  });

  test('through two that share nothing but the database', async () => {
    await using service = await open();
    const through = await service.anotherApp();
    for (let round = 0; round < 10; round++) {
      const sent = keyed(`key-${round}`, { as: 'mia', body: { title: `One ${round}` } });
      const replies = await Promise.all(
        [sent, { ...sent, through }, sent, { ...sent, through }].map((each) =>
          service.send('POST /api/v1/cms/notes', each),
        ),
      );
      const made = replies.filter(({ status }) => status === 201);
      expect(made.length).toBeGreaterThan(0);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, json } of replies) {
        if (status !== 201) expect(json.code).toBe('idempotency_key_in_use');
      }
    }
    expect((await service.send('GET /api/v1/cms/notes')).json.total).toBe(10);
  });
});

describe('what is stored', () => {
  const rowsOf = (service: TestService) =>
    service.database.rows<{ id: string; body: string | null; status: number | null }>({
      sql: 'select * from recto_idempotency_keys',
      parameters: [],
    });

  test('hashes and the answer: no key, no password, nor a plain hash of one', async () => {
    await using service = await open();
    const body = { title: 'One', pass: 'correct horse' };
    await post(service, 'a-key-of-mine', body);
    const stored = JSON.stringify(await rowsOf(service));
    expect(stored).toContain('One');
    const plain = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('hex');
    for (const secret of ['a-key-of-mine', 'correct horse', plain]) expect(stored).not.toContain(secret);
  });

  test('signing in is never kept', async () => {
    await using service = await open();
    const body = { email: 'new@example.com', password: 'correct horse' };
    const first = await service.send('POST /api/v1/auth/register', keyed('a', { body }));
    expect(first.status).toBe(201);
    const login = () => service.send('POST /api/v1/auth/login', keyed('a', { body }));
    expect((await login()).json.refresh_token).not.toBe((await login()).json.refresh_token);
    expect(await rowsOf(service)).toEqual([]);
  });

  test('no answer that is very large: a repeat gets an error that the request was done', async () => {
    await using service = await open();
    const body = { title: 'One', text: 'x'.repeat(largestBody) };
    const first = await post(service, 'a', body);
    expect(first.status).toBe(201);
    const second = await post(service, 'a', body);
    expect([second.status, second.json.code]).toEqual([409, 'answer_not_kept']);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await rowsOf(service)).toEqual([expect.objectContaining({ body: null, status: null })]);
    expect(await notes(service)).toEqual(['One']);
  });

  test('nothing after it has expired', async () => {
    let now = Date.now();
    await using service = await open({ now: () => now });
    await service.database.transaction(async (transaction) => {
      for (let row = 0; row < 1_200; row++) {
        const insert =
          'INSERT INTO recto_idempotency_keys (id, fingerprint, expires_at, status, headers) VALUES (?, ?, ?, ?, ?)';
        await transaction.run(query(insert, `old ${row}`, '', now + keptFor, 201, '{}'));
      }
    });
    now += keptFor + 1;
    await post(service, 'a', { title: 'One' });
    await service.runJobs();
    expect(await rowsOf(service)).toHaveLength(1);
  });
});
