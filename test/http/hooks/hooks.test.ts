// databases: sqlite, postgres:rest
import { afterEach, describe, expect, test } from 'bun:test';
import { CodeFolder } from '../../support/code-folder.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Code of a deployment that takes part in writes: `check` and `write`.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const note = {
  singular: 'note',
  plural: 'notes',
  protocols: ['timestampable', 'ownable', 'versionable'],
  fields: [
    text('title', { required: true, max_length: 40 }),
    text('slug', { unique: true }),
    text('code', { private: true }),
    { name: 'views', field_type: 'integer' },
    { name: 'pass', field_type: 'password' },
    { name: 'tags', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'tags' } },
  ],
  api: {
    list: { access: 'public' },
    get: { access: 'public' },
    create: { access: 'member', filter: 'title != "forbidden"' },
    update: { access: 'member' },
    delete: { access: 'member' },
  },
};
const tag = {
  singular: 'tag',
  plural: 'tags',
  fields: [text('name'), { name: 'uses', field_type: 'integer' }],
  api: {
    list: { access: 'public' },
    get: { access: 'public' },
    create: { access: 'admin' },
    update: { access: 'admin' },
  },
};
const site = { singular: 'site', kind: 'single', fields: [text('motto', { default: 'None' })] };

let service: TestService;
let folder: CodeFolder | undefined;
let lines: string[];
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
  folder = undefined;
});

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  lines = [];
  folder = new CodeFolder(files);
  service = await TestService.open([note, tag, site], {
    code: folder.path,
    builtIn: true,
    // What the hooks of these tests throw, and that they set what no hook may set.
    expectedErrors: [/"type":"HookError"/, /"message":"A hook (?:sets nothing|changes pass)/],
    log: (line) => void lines.push(line),
  });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
}

const hook = (body: string, type = 'note'): string => `import { hooks } from 'recto';
export default hooks('${type}', { ${body} });`;

const create = (body: object, as = 'mia'): Promise<Reply> => service.send('POST /api/v1/cms/notes', { as, body });
const update = (id: string, body: object, as = 'mia'): Promise<Reply> =>
  service.send(`PUT /api/v1/cms/notes/${id}`, { as, body });
const faults = ({ status, json }: Reply) => [status, json.errors?.map((fault: object) => Object.values(fault))];
const total = async (plural = 'notes'): Promise<number> =>
  (await service.send(`GET /api/v1/admin/cms/${plural}`, { as: 'ada' })).json.total;
/** What the log has of a request that failed. */
const logged = (): string => lines.filter((line) => line.includes('"msg":"request failed"')).join('');

describe('check', () => {
  test('changes what is stored, and reports errors with all others', async () => {
    await open({
      'hooks/note.ts': hook(`check({ record, before, caller, error }) {
        if (record.title === 'bad') error('title', 'bad_title', 'Not this title.');
        record.slug ??= record.title.toLowerCase();
        record.views = (before?.views ?? 0) + 1;
        record.code = caller.kind + ' ' + caller.role + ' ' + (before === null ? 'new' : before.title);
      }`),
    });
    const made = await create({ title: 'One' });
    expect([made.status, made.json.slug, made.json.views]).toEqual([201, 'one', 1]);
    expect((await update(made.json.id, { title: 'Two' })).json).toMatchObject({ title: 'Two', slug: 'one', views: 2 });
    const stored = await service.send(`GET /api/v1/admin/cms/notes/${made.json.id}`, { as: 'ada' });
    expect(stored.json.code).toBe('account member One');
    const bad = { title: 'bad', slug: 'one' };
    expect(faults(await service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: bad }))).toEqual([
      422,
      [
        ['title', 'bad_title', 'Not this title.'],
        ['slug', 'taken', expect.any(String)],
      ],
    ]);
    // Not called with what is no valid record.
    expect(faults(await create({ title: 7 }))).toMatchObject([
      422,
      [['title', expect.any(String), expect.any(String)]],
    ]);
    expect(await total()).toBe(1);
  });

  test('runs on every way in: admin routes, batches, drafts’ publication, restored revisions, built-in types', async () => {
    await open({
      'hooks/note.ts': hook(`check({ record }) { record.code = 'checked ' + record.title; }`),
      'hooks/post.ts': hook(
        `check({ record, error }) { if (record.title === 'no') error('title', 'no', 'No.'); }`,
        'post',
      ),
    });
    const { id } = (await service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { title: 'A' } })).json;
    const code = async () => (await service.send(`GET /api/v1/admin/cms/notes/${id}`, { as: 'ada' })).json.code;
    expect(await code()).toBe('checked A');
    const batch = { action: 'update', ids: [id], set: { title: 'B' } };
    expect((await service.send('POST /api/v1/admin/cms/notes/batch', { as: 'ada', body: batch })).status).toBe(200);
    expect(await code()).toBe('checked B');
    const restore = `POST /api/v1/admin/cms/notes/${id}/revisions/1/restore`;
    expect((await service.send(restore, { as: 'ada' })).status).toBe(200);
    expect(await code()).toBe('checked A');
    expect((await service.send('POST /api/v1/posts', { as: 'mia', body: { title: 'no' } })).status).toBe(422);
    expect((await service.send('POST /api/v1/posts', { as: 'mia', body: { title: 'yes' } })).status).toBe(201);
  });

  test('sets values that are checked like those that are sent, references too', async () => {
    await open({
      'hooks/note.ts': hook(`check({ record }) {
        if (record.title === 'long') record.title = 'x'.repeat(41);
        if (record.title === 'gone') record.tags = ['0192d3f0-0000-7000-8000-000000000000'];
        if (record.title === 'null') record.title = null;
      }`),
    });
    expect((await create({ title: 'long' })).status).toBe(422);
    expect(faults(await create({ title: 'gone' }))[1][0][0]).toStartWith('tags');
    expect(faults(await create({ title: 'null' }))).toMatchObject([422, [['title', 'required', expect.any(String)]]]);
    const { id } = (await create({ title: 'fine' })).json;
    expect(faults(await update(id, { title: 'gone' }))[1][0][0]).toStartWith('tags');
    expect(await total()).toBe(1);
  });

  test.each([
    ['throws', `check() { throw new Error('secret reason'); }`, 'secret reason'],
    ['returns a promise', `check() { return Promise.resolve(); }`, 'must not be async'],
    ['sets what is no field', `check({ record }) { record.nothing = 1; }`, 'no such field'],
    ['sets a secret', `check({ record }) { record.pass = 'changed'; }`, 'secret'],
  ])('that %s is 500, whose reason is in the log alone', async (_, body, reason) => {
    await open({ 'hooks/note.ts': hook(body) });
    const { status, text: answer } = await create({ title: 'One', pass: 'correct horse' });
    expect(status).toBe(500);
    expect(answer).not.toContain(reason);
    expect(logged()).toContain(reason);
    expect(await total()).toBe(0);
  });

  test('sees a password that is sent, and never a stored one', async () => {
    await open({
      'hooks/note.ts': hook(`check({ record, before, error }) {
        if (record.pass === 'weak horse') error('pass', 'weak', 'Too weak.');
        if (before !== null && 'pass' in before) error('pass', 'leak', 'A hash.');
        record.code = String(record.pass);
      }`),
    });
    expect((await create({ title: 'One', pass: 'weak horse' })).status).toBe(422);
    const { id } = (await create({ title: 'One', pass: 'correct horse' })).json;
    expect((await update(id, { title: 'Two' })).status).toBe(200);
    const stored = (await service.send(`GET /api/v1/admin/cms/notes/${id}`, { as: 'ada' })).json;
    expect([stored.code, stored.pass]).toEqual(['undefined', undefined]);
  });
});

describe('a hook', () => {
  const odd = [
    ...['undefined', 'null', '0', '"text"', 'Symbol("s")', '1n', 'Object.create(null)', '() => 1', 'Promise.resolve()'],
    ...[
      'Object.assign(Object.create(null), { message: Object.create(null) })',
      'new Proxy({}, { has() { throw 1; } })',
    ],
    ...[
      'new (class extends Error { get message() { throw 1; } })()',
      'Object.assign(new Error("e"), { name: {}, stack: 7 })',
    ],
    'Object.assign(new Error("round"), { get cause() { return this; } })',
  ];
  test.each(['check', 'write'])(
    'of %s that throws anything at all answers 500, with a line in the log',
    async (phase) => {
      const cases = odd.map((value, index) => `case 'n${index}': throw ${value};`).join('\n');
      await open({ 'hooks/note.ts': hook(`${phase}({ record }) { switch (record.title) { ${cases} } }`) });
      for (const index of odd.keys()) {
        const reply = await create({ title: `n${index}` });
        expect([index, reply.status, reply.json.code]).toEqual([index, 500, 'internal_error']);
      }
      expect(lines.filter((line) => line.includes('hooks/note.ts')).length).toBe(odd.length);
      expect((await create({ title: 'fine' })).status).toBe(201);
    },
  );

  test('changes nothing any more of what was checked, once it has returned', async () => {
    await open({
      'hooks/note.ts': hook(`check({ record }) {
        const views = { valueOf: () => 1 };
        if (record.title === 'object') record.views = views;
        if (record.title === 'cyclic') { record.tags = []; record.tags.push(record.tags); }
        if (record.title === 'list') { const kept = record.tags = []; queueMicrotask(() => kept.push(7)); }
        if (record.title === 'getter') Object.defineProperty(record, 'code', { enumerable: true, get: () => { throw new Error('got'); } });
      }`),
    });
    service.expectErrors(/"message":"(?:it contains itself|got)"/);
    expect((await create({ title: 'object' })).status).toBe(422);
    expect((await create({ title: 'cyclic' })).status).toBe(500);
    expect((await create({ title: 'getter' })).status).toBe(500);
    const kept = await create({ title: 'list' });
    expect([kept.status, kept.json.tags]).toEqual([201, []]);
  });
});

describe('write', () => {
  test('writes other records with it, or none: with the rights of the caller, or of the service', async () => {
    await open({
      'hooks/note.ts': hook(`async write({ record, before, tx, error }) {
        const made = await tx.asSystem().tags.create({ name: record.title, uses: before === null ? 1 : 2 });
        record.tags = [made.id];
        const { total } = await tx.tags.list();
        record.views = total;
        if (record.title === 'bad') error('title', 'bad', 'Bad.');
        if (record.title === 'throws') throw new Error('reason');
        if (record.title === 'as caller') await tx.tags.create({ name: 'no' });
        record.code = JSON.stringify([(await tx.tags.get(made.id)).name, await tx.tags.get('0192d3f0-0000-7000-8000-000000000000')]);
      }`),
    });
    const made = await create({ title: 'One' });
    expect([made.status, made.json.tags.length, made.json.views]).toEqual([201, 1, 1]);
    expect((await update(made.json.id, { title: 'Two' })).json.views).toBe(2);
    expect((await service.send(`GET /api/v1/admin/cms/notes/${made.json.id}`, { as: 'ada' })).json.code).toBe(
      '["Two",null]',
    );
    expect(faults(await create({ title: 'bad' }))).toEqual([422, [['title', 'bad', 'Bad.']]]);
    expect([(await create({ title: 'throws' })).status, (await create({ title: 'as caller' })).status]).toEqual([
      500, 500,
    ]);
    expect([await total(), await total('tags')]).toEqual([1, 2]);
    expect(logged()).toContain('create of tags was rejected');
  });

  test('runs for those alone who may write the record', async () => {
    await open({ 'hooks/note.ts': hook(`write({ error }) { error('title', 'seen', 'It ran.'); }`) });
    expect((await create({ title: 'forbidden' })).status).toBe(403);
    expect((await create({ title: 'allowed' })).status).toBe(422);
  });

  test.each([
    ['a timer', 'await new Promise((resolve) => setTimeout(resolve, 600_000));'],
    [
      'the network',
      'const silent = Bun.serve({ port: 0, fetch: () => new Promise(() => undefined) }); silent.unref(); await fetch(silent.url);',
    ],
    ['a promise that nobody settles', 'await new Promise(() => undefined);'],
    [
      'another turn of the event loop, behind a call',
      'await tx.tags.list(); await new Promise((r) => setImmediate(() => setImmediate(r)));',
    ],
    // Many: a read that is done before the event loop turns has waited for nothing.
    ['files', `for (let read = 0; read < 500; read += 1) await Bun.file('/etc/hostname').text();`],
  ])('that waits for %s is rejected at once: nothing foreign runs in a transaction', async (_, body) => {
    await open({ 'hooks/note.ts': hook(`async write({ record, tx }) { ${body} record.title = 'waited'; }`) });
    expect((await create({ title: 'One' })).status).toBe(500);
    expect(logged()).toContain('waits for something other than tx');
    // The transaction has ended, and others go on.
    expect((await service.send('POST /api/v1/cms/tags', { as: 'ada', body: { name: 'free' } })).status).toBe(201);
    expect(await total()).toBe(0);
  });

  test('may await what is there already, and many calls at once', async () => {
    await open({
      'hooks/note.ts': hook(`async write({ record, tx }) {
        await null;
        await Promise.resolve().then(() => undefined);
        const made = await Promise.all(['a', 'b', 'c'].map((name) => tx.asSystem().tags.create({ name })));
        for (const { id } of made) await tx.asSystem().tags.update(id, { uses: 1 });
        await tx.asSystem().tags.delete(made[0].id);
        record.tags = made.slice(1).map(({ id }) => id);
        const site = await tx.asSystem().site.update({ motto: 'Hooked' });
        record.code = site.motto;
      }`),
    });
    const { status, json } = await create({ title: 'One' });
    expect([status, json.tags.length, await total('tags')]).toEqual([201, 2, 2]);
    expect((await service.send('GET /api/v1/admin/cms/site', { as: 'ada' })).text).toContain('Hooked');
  });

  test('cannot hide that one of its writes failed, nor leave one behind', async () => {
    await open({
      'hooks/note.ts': hook(`async write({ record, tx }) {
        if (record.title === 'caught') await tx.notes.create({ title: 'x'.repeat(99) }).catch(() => undefined);
        if (record.title === 'floating') void tx.asSystem().tags.create({ name: 'floating' });
        if (record.title === 'floating and failing') void tx.asSystem().tags.create({ name: 7 });
      }`),
    });
    expect((await create({ title: 'caught' })).status).toBe(500);
    expect((await create({ title: 'floating' })).status).toBe(201);
    expect((await create({ title: 'floating and failing' })).status).toBe(500);
    expect([await total(), await total('tags')]).toEqual([1, 1]);
  });

  test('that goes on making calls is ended when its time is up, also where it catches what it gets', async () => {
    await open({
      'hooks/note.ts': hook(
        `async write({ tx }) { for (;;) { try { await tx.tags.list(); } catch {} } }, timeout: 0.2`,
      ),
    });
    expect((await create({ title: 'One' })).status).toBe(500);
    expect(logged()).toContain('write took more than 0.2 s');
    expect((await service.send('GET /metrics')).text).toContain(
      'recto_hook_runs_total{phase="write",result="timeout"} 1',
    );
    expect((await service.send('POST /api/v1/cms/tags', { as: 'ada', body: { name: 'free' } })).status).toBe(201);
    expect(await total()).toBe(0);
  });

  test('cannot use the transaction after it', async () => {
    await open({
      'hooks/note.ts': hook(
        `write({ tx }) { globalThis.kept ??= tx; },
        async check() { await 0; }`.replace(
          'async check() { await 0; }',
          `check({ record }) {
          if (globalThis.kept !== undefined) globalThis.late = globalThis.kept.asSystem().tags.create({ name: 'late' });
        }`,
        ),
      ),
    });
    await create({ title: 'One' });
    await create({ title: 'Two' });
    // It was set by the hook above.
    const { late } = globalThis as unknown as { late: Promise<unknown> };
    await expect(late).rejects.toThrow('after the hook has ended');
    expect(await total('tags')).toBe(0);
  });

  test('that leads to itself ends, and nothing is written', async () => {
    await open({
      'hooks/note.ts': hook(`async write({ record, tx }) { await tx.notes.create({ title: record.title + '!' }); }`),
    });
    expect((await create({ title: 'One' })).status).toBe(500);
    expect(logged()).toContain('lead to one another more than 5 times');
    expect(await total()).toBe(0);
  });

  test('runs once more where two transactions meet, and counts are right', async () => {
    await open({
      'hooks/note.ts': hook(`async write({ record, tx }) {
        const { items } = await tx.asSystem().tags.list({ name: 'counter' });
        const [counter] = items;
        record.views = counter.uses + 1;
        await tx.asSystem().tags.update(counter.id, { uses: record.views });
      }`),
    });
    await service.seed('tags', { name: 'counter', uses: 0 });
    const made = await Promise.all(Array.from({ length: 8 }, (_, index) => create({ title: `Note ${index}` })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect(made.map(({ json }) => json.views).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
