// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plantedId } from '../../spec/rules/planted.ts';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { wxr, wxrAuthor, wxrItem } from '../../support/wordpress-file.ts';

// Imports and exports by requests, as the admin makes them.

const imports = '/api/v1/admin/imports';
const exports = '/api/v1/admin/exports';
const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    fields: [
      { name: 'text', field_type: 'text', required: true },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'pin', field_type: 'password' },
    ],
  },
  {
    singular: 'story',
    plural: 'stories',
    protocols: ['tenantable'],
    fields: [{ name: 'title', field_type: 'text', required: true }],
  },
];
const maxFile = 200_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true, importMaxFile: maxFile });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('mia');
  await service.account('tea', 'admin', 'acme');
});
afterAll(() => service[Symbol.asyncDispose]());

const upload = (query: string, body: string | Uint8Array, as = 'ada', on = service): Promise<Reply> =>
  on.send(`POST ${imports}?${query}`, { as, body, headers: { 'Content-Type': 'application/octet-stream' } });
const get = (id: string, as = 'ada', on = service) => on.send(`GET ${imports}/${id}`, { as });
const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const note = (number: number, more: object = {}) => ({ id: plantedId(number), text: `note ${number}`, ...more });

/** Uploads a file and runs its check. */
async function checked(query: string, body: string | Uint8Array, on = service) {
  const { status, json, text } = await upload(query, body, 'ada', on);
  if (status !== 201) throw new Error(text);
  expect(json).toMatchObject({ state: 'checking', check: null, result: null });
  await on.runJobs();
  return (await get(json.id, 'ada', on)).json;
}

async function imported(id: string, on = service) {
  const begun = await on.send(`POST ${imports}/${id}/run`, { as: 'ada' });
  expect([begun.status, begun.json.state]).toEqual([200, 'importing']);
  await on.runJobs();
  return (await get(id, 'ada', on)).json;
}

const files = (on = service) => on.storedKeys('transfers/');

test('records are checked first, then imported in the name of who asked, and the file is removed', async () => {
  const body = lines([note(1), note(2, { text: null }), note(3, { secret: 's' })]);
  const check = await checked('format=records&name=notes.ndjson', body);
  expect(check).toMatchObject({
    ...{ state: 'checked', format: 'records', type: 'note', name: 'notes.ndjson', size: body.length, result: null },
    check: {
      dry_run: true,
      counts: [{ kind: 'notes', taken: 2, before: 0, skipped: 0, failed: 1 }],
      failures: [{ kind: 'notes', place: 'notes.ndjson:2', errors: ['text: text is required.'] }],
    },
  });
  expect((await service.send('GET /api/v1/cms/notes')).json.total).toBe(0);
  expect(await files()).toHaveLength(1);
  const done = await imported(check.id);
  expect(done).toMatchObject({
    ...{ state: 'done', progress: null, error: null },
    result: { dry_run: false, counts: [{ kind: 'notes', taken: 2, before: 0, skipped: 0, failed: 1 }] },
  });
  expect(await files()).toEqual([]);
  const jobs = (await service.send('GET /api/v1/admin/jobs?kind=transfer.import', { as: 'ada' })).json.items;
  for (const job of jobs) expect([job.state, job.progress.done]).toEqual(['done', job.progress.total]);
  expect(jobs).toHaveLength(2);
  const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=text:asc', { as: 'ada' })).json;
  expect(items).toMatchObject([note(1), note(3, { secret: 's' })]);
  const log = (await service.send('GET /api/v1/admin/events?type=notes', { as: 'ada' })).json.items;
  const actor = { id: service.idOf('ada'), kind: 'account' };
  expect(log).toMatchObject([
    { action: 'create', actor, record: plantedId(3) },
    { action: 'create', actor, record: plantedId(1) },
  ]);
  const again = await service.send(`POST ${imports}/${check.id}/run`, { as: 'ada' });
  expect([again.status, again.json.code]).toEqual([409, 'import_done']);
  // Another import of the same leaves all as it is.
  const second = await checked('format=records&name=notes.ndjson', body);
  expect(second.check.counts).toMatchObject([{ taken: 0, before: 2, failed: 1 }]);
  expect((await service.send(`DELETE ${imports}/${second.id}`, { as: 'ada' })).status).toBe(204);
  expect((await get(second.id)).status).toBe(404);
  expect(await files()).toEqual([]);
});

test('rows of CSV are read by a plan, which can be changed until they are imported', async () => {
  const about = 'format=csv&type=note&name=export.csv';
  const body = 'Text;Hush\nfrom a sheet;s\n;t\n';
  const check = await checked(about, body);
  expect(check).toMatchObject({
    ...{ state: 'checked', format: 'csv', type: 'note' },
    plan: {
      ...{ encoding: 'utf-8', separator: ';', key: null, existing: 'keep' },
      columns: [
        { column: 'Text', field: 'text' },
        { column: 'Hush', field: null },
      ],
    },
    sample: [
      ['from a sheet', 's'],
      ['', 't'],
    ],
    check: {
      counts: [{ kind: 'notes', taken: 1, failed: 1 }],
      failures: [{ place: 'export.csv:3', errors: ['text: text is required.'] }],
    },
  });
  expect(Object.keys(check.check)).not.toContain('plan');
  const change = (plan: unknown, id = check.id) => service.send(`PUT ${imports}/${id}/plan`, { as: 'ada', body: plan });
  const unknown = await change({ ...check.plan, columns: [check.plan.columns[0], { column: 'Hush', field: 'hush' }] });
  expect([unknown.status, unknown.json.errors?.[0]?.field]).toEqual([422, 'columns[1].field']);
  const plan = { ...check.plan, columns: [check.plan.columns[0], { column: 'Hush', field: 'secret' }] };
  const sent = await change(plan);
  expect(sent.json).toMatchObject({ state: 'checking', check: null, plan: null, sample: null });
  expect((await change(plan)).json.code).toBe('import_running');
  await service.runJobs();
  const again = (await get(check.id)).json;
  expect(again).toMatchObject({ state: 'checked', plan, sample: check.sample });
  // A plan of another file is found out by the check, and another one can be sent then.
  await change({ ...plan, columns: plan.columns.slice(1) });
  await service.runJobs();
  expect((await get(check.id)).json).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('other columns'),
  });
  expect((await change(plan)).status).toBe(200);
  await service.runJobs();
  expect((await imported(check.id)).result.counts).toMatchObject([{ taken: 1, failed: 1 }]);
  const { items } = (await service.send('GET /api/v1/admin/cms/notes?text=from%20a%20sheet', { as: 'ada' })).json;
  expect(items).toMatchObject([{ text: 'from a sheet', secret: 's' }]);
  expect((await change(plan)).json.code).toBe('import_done');
  const records = await checked('format=records&name=notes.ndjson', lines([note(90)]));
  expect((await change(plan, records.id)).status).toBe(404);
  const other = await service.send(`PUT ${imports}/${records.id}/plan`, { as: 'eve', body: plan });
  expect(other.status).toBe(403);
});

test('languages of a WordPress site that the service does not have are named, and left out if that is asked for', async () => {
  await using own = await TestService.open(definitions, { builtIn: true });
  await own.account('ada', 'admin');
  const item = (id: number, title: string, code: string) => wxrItem({ id, title, terms: [['language', code, code]] });
  const site = wxr(wxrAuthor(1, 'ada', 'ada@site.example'), item(901, 'Tempête', 'fr'), item(902, 'Storm', 'nl'));
  const check = await checked('format=wordpress&name=site.xml', site, own);
  expect(check.check.other_languages).toEqual(['fr', 'nl']);
  const run = (id: string, query = '?skip_other_languages=true') =>
    own.send(`POST ${imports}/${id}/run${query}`, { as: 'ada' });
  const posts = ({ counts }: { counts: readonly { kind: string }[] }) => counts.find(({ kind }) => kind === 'posts');
  expect((await run(check.id, '?skip_other_languages=perhaps')).status).toBe(400);
  expect((await run(check.id)).status).toBe(200);
  await own.runJobs();
  expect(posts((await get(check.id, 'ada', own)).json.result)).toMatchObject({ taken: 0, skipped: 2 });
  // Without that, an import of the same file brings them in.
  const again = await checked('format=wordpress&name=site.xml', site, own);
  const done = await imported(again.id, own);
  expect(done.result).toMatchObject({ other_languages: ['fr', 'nl'] });
  expect(posts(done.result)).toMatchObject({ taken: 2 });
  const records = await checked('format=records&name=notes.ndjson', lines([note(95)]), own);
  expect((await run(records.id)).json).toMatchObject({
    errors: [{ field: 'skip_other_languages', code: 'not_allowed' }],
  });
});

test('records without ids get new ones, once', async () => {
  const texts = ['first of all', 'the same', 'the same'];
  const body = lines(texts.map((text) => ({ text })));
  const about = 'format=records&name=notes.ndjson';
  const total = async () => (await service.send('GET /api/v1/cms/notes?search=same')).json.total;
  const check = await checked(about, body);
  const said = { kind: 'notes', text: 'new id, because the file gives none', count: 3 };
  expect(check.check).toMatchObject({ counts: [{ taken: 3, failed: 0 }], changed: [said] });
  expect((await imported(check.id)).result).toMatchObject({ counts: [{ taken: 3, before: 0 }], changed: [said] });
  expect(await total()).toBe(2);
  // In the order of the file.
  const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=id:desc&page_size=3', { as: 'ada' })).json;
  expect(items.map(({ text }: { text: string }) => text)).toEqual(texts.toReversed());
  // Another import adds what is new, however the lines are spaced.
  const more = `${JSON.stringify({ text: 'the same' }, null, 1).replaceAll('\n', ' ')}\n${body}`;
  const again = await checked(about, more);
  expect(again.check.counts).toMatchObject([{ taken: 1, before: 3 }]);
  expect((await imported(again.id)).result.counts).toMatchObject([{ taken: 1, before: 3 }]);
  expect(await total()).toBe(3);
  // What was deleted meanwhile is new once more.
  await service.send(`DELETE /api/v1/admin/cms/notes/${items[2].id}`, { as: 'ada' });
  const last = await checked(about, body);
  expect((await imported(last.id)).result.counts).toMatchObject([{ taken: 1, before: 2 }]);
});

test('an array of records is imported too, under the type that is named', async () => {
  const body = JSON.stringify([note(20), note(21)], null, 2);
  const check = await checked('format=records&name=all%20of%20them.json&type=notes', body);
  expect(check.check.counts).toMatchObject([{ kind: 'notes', taken: 2 }]);
  expect((await imported(check.id)).result.counts).toMatchObject([{ taken: 2, failed: 0 }]);
});

test('a WordPress site is imported, with its authors, in the name of who asked', async () => {
  const site = wxr(
    wxrAuthor(1, 'wanda', 'wanda@site.example'),
    wxrItem({ id: 7, title: 'Storm', creator: 'wanda' }),
    wxrItem({ id: 8, type: 'nav_menu_item', title: 'Menu' }),
  );
  const check = await checked('format=wordpress&name=site.xml', site);
  expect(check.state).toBe('checked');
  const countsOf = (report: Reply['json']) =>
    Object.fromEntries(report.counts.map(({ kind, taken }: Reply['json']) => [kind, taken]));
  expect(countsOf(check.check)).toMatchObject({ accounts: 1, posts: 1 });
  expect(check.check.skipped).toMatchObject([{ kind: 'nav_menu_item', count: 1 }]);
  const done = await imported(check.id);
  expect(countsOf(done.result)).toMatchObject({ accounts: 1, posts: 1 });
  const { items } = (await service.send('GET /api/v1/admin/posts', { as: 'ada' })).json;
  expect(items).toMatchObject([{ title: 'Storm' }]);
  const log = (await service.send('GET /api/v1/admin/events?limit=10', { as: 'ada' })).json.items;
  const made = log.filter(({ record, type }: Reply['json']) => record === items[0].id || type === 'recto:account');
  expect(made.length).toBeGreaterThanOrEqual(2);
  for (const event of made.slice(0, 2)) expect(event.actor?.id).toBe(service.idOf('ada'));
});

describe('a file that is none', () => {
  const deep = `{"id":"${plantedId(60)}","text":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  test.each([
    [
      'wordpress',
      'bomb.xml',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><rss>&b;</rss>',
      'a document type',
    ],
    ['wordpress', 'notes.ndjson', lines([note(1)]), 'notes.ndjson'],
    ['wordpress', 'cut.xml', wxr(wxrItem({ id: 1, title: 'x' })).slice(0, -40), 'cut.xml'],
    ['wordpress', 'bytes.xml', new Uint8Array([0x3c, 0x72, 0xff, 0xfe]), 'no UTF-8'],
    ['wordpress', 'site.zip', new Uint8Array([0x50, 0x4b, 3, 4, 0]), 'is a ZIP archive'],
    [
      'records',
      'notes.ndjson',
      new Uint8Array([0x7b, 0xff]),
      'notes.ndjson:1: from here on there are bytes that are no UTF-8',
    ],
    ['records', 'notes.json', '[{"id":', 'the array has no end'],
    ['records', 'all.tar', lines([note(1)]), 'all.tar: there is no content type'],
  ])('%s: %s', async (format, name, body, says) => {
    const check = await checked(`format=${format}&name=${name}`, body);
    expect(check).toMatchObject({ state: 'failed', check: null });
    expect(check.error).toContain(says);
    const run = await service.send(`POST ${imports}/${check.id}/run`, { as: 'ada' });
    expect([run.status, run.json.code]).toEqual([409, 'import_not_checked']);
    expect((await service.send(`DELETE ${imports}/${check.id}`, { as: 'ada' })).status).toBe(204);
  });

  test('what nests too deep is an error of its line', async () => {
    const check = await checked('format=records&name=notes.ndjson', `${deep}\n${lines([note(61)])}`);
    expect(check).toMatchObject({ state: 'checked', check: { counts: [{ taken: 1, failed: 1 }] } });
  });

  test('more than the limit, nothing, and an unknown type are refused at once', async () => {
    const large = await upload('format=records&name=notes.ndjson', 'x'.repeat(maxFile + 1));
    expect([large.status, large.json.code]).toEqual([413, 'body_too_large']);
    const empty = await upload('format=records&name=notes.ndjson', '');
    expect([empty.status, empty.json.code]).toEqual([400, 'empty_body']);
    const unknown = await upload('format=records&name=things.ndjson', lines([note(1)]));
    expect([unknown.status, unknown.json.errors]).toMatchObject([422, [{ field: 'type', code: 'unknown_type' }]]);
    const wrong = await upload('format=wordpress&name=a.xml&type=note', 'x');
    expect([wrong.status, wrong.json.errors]).toMatchObject([422, [{ field: 'type', code: 'not_allowed' }]]);
    const other = await upload('format=yaml&name=a.csv', 'x');
    expect(other.status).toBe(400);
    const names = (await service.send(`GET ${imports}?page_size=100`, { as: 'ada' })).json.items.map(
      ({ name }: Reply['json']) => name,
    );
    expect(names).not.toContain('things.ndjson');
  });
});

test('imports are for admins of the installation', async () => {
  const check = await checked('format=records&name=notes.ndjson', lines([note(70)]));
  for (const as of ['eve', 'mia', 'tea']) {
    const replies = await Promise.all([
      upload('format=records&name=notes.ndjson', lines([note(71)]), as),
      get(check.id, as),
      service.send(`GET ${imports}`, { as }),
      service.send(`POST ${imports}/${check.id}/run`, { as }),
      service.send(`DELETE ${imports}/${check.id}`, { as }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  }
  expect((await service.send(`GET ${imports}/${check.id}`)).status).toBe(401);
  const found = (await service.send(`GET ${exports}/${check.id}`, { as: 'ada' })).status;
  expect(found).toBe(404);
});

test('who lost the right before the job runs imports nothing', async () => {
  await using other = await TestService.open(definitions);
  await other.account('ada', 'admin');
  await other.account('bob', 'admin');
  const check = await checked('format=records&name=notes.ndjson', lines([note(1)]), other);
  expect((await other.send(`POST ${imports}/${check.id}/run`, { as: 'ada' })).status).toBe(200);
  const demoted = await other.send(`PUT /api/v1/admin/users/${other.idOf('ada')}`, {
    as: 'bob',
    body: { role: 'member' },
  });
  expect(demoted.status).toBe(200);
  await other.runJobs();
  const { json } = await get(check.id, 'bob', other);
  expect(json).toMatchObject({ state: 'failed', error: 'Whoever asked for it may not do it any more.' });
  expect((await other.send('GET /api/v1/cms/notes')).json.total).toBe(0);
  // Another admin goes on.
  expect((await other.send(`POST ${imports}/${check.id}/run`, { as: 'bob' })).status).toBe(200);
  await other.runJobs();
  expect((await get(check.id, 'bob', other)).json.state).toBe('done');
});

test('an import that is stopped keeps what it has stored, and goes on', async () => {
  const check = await checked('format=records&name=notes.ndjson', lines([note(80)]));
  const begun = await service.send(`POST ${imports}/${check.id}/run`, { as: 'ada' });
  expect((await service.send(`POST /api/v1/admin/jobs/${begun.json.job}/cancel`, { as: 'ada' })).status).toBe(200);
  await service.runJobs();
  expect((await get(check.id)).json.state).toBe('cancelled');
  expect((await imported(check.id)).state).toBe('done');
});

test('an attempt after a crash counts what was stored before as stored', async () => {
  const some = await checked('format=records&name=notes.ndjson', lines([note(90), note(91)]));
  await imported(some.id);
  const check = await checked('format=records&name=notes.ndjson', lines([note(90), note(91), note(92)]));
  const { job } = (await service.send(`POST ${imports}/${check.id}/run`, { as: 'ada' })).json;
  // As a process leaves it that ended after it had stored two records.
  const kept = JSON.stringify({ phase: 'Importing', taken: { notes: 2 } });
  await service.database.transaction((transaction) =>
    Promise.resolve(
      transaction.run(query('update recto_jobs set checkpoint = ?, attempts = 1 where id = ?', kept, job)),
    ),
  );
  await service.runJobs();
  expect((await get(check.id)).json).toMatchObject({ state: 'done', result: { counts: [{ taken: 3, before: 0 }] } });
});

describe('an export', () => {
  async function exported(body: object, as = 'ada', headers: Readonly<Record<string, string>> = {}) {
    const begun = await service.send(`POST ${exports}`, { as, body, headers });
    expect([begun.status, begun.json.state]).toEqual([202, 'exporting']);
    expect(begun.headers.get('location')).toBe(`${exports}/${begun.json.id}`);
    const early = await service.send(`GET ${exports}/${begun.json.id}/file`, { as });
    expect([early.status, early.json.code]).toEqual([409, 'export_not_done']);
    await service.runJobs();
    const { json } = await service.send(`GET ${exports}/${begun.json.id}`, { as });
    expect(json.state).toBe('done');
    return json;
  }
  const fileOf = (id: string, as = 'ada') => service.send(`GET ${exports}/${id}/file`, { as });

  test('of a type is its records without hashes of passwords, and can be imported elsewhere', async () => {
    await service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { text: 'with a pin', pin: 'a long pin' } });
    const made = await exported({ type: 'notes' });
    const total = (await service.send('GET /api/v1/cms/notes')).json.total;
    expect(made).toMatchObject({ name: 'notes.ndjson', type: 'note', files: [{ type: 'note', records: total }] });
    const file = await fileOf(made.id);
    expect(file.headers.get('content-type')).toBe('application/x-ndjson');
    expect(file.headers.get('content-disposition')).toStartWith('attachment; filename="notes.ndjson"');
    const records = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(total);
    expect(records.some(({ text }) => text === 'with a pin')).toBe(true);
    expect(file.text).not.toContain('quick:');
    for (const record of records) expect(Object.keys(record)).toEqual(['id', 'text', 'secret']);
    await using other = await TestService.open(definitions);
    await other.account('ada', 'admin');
    const check = await checked('format=records&name=notes.ndjson', file.text, other);
    expect((await imported(check.id, other)).result.counts).toMatchObject([{ taken: total, failed: 0 }]);
    expect((await service.send(`DELETE ${exports}/${made.id}`, { as: 'ada' })).status).toBe(204);
    expect((await fileOf(made.id)).status).toBe(404);
  });

  test('of everything is an archive, which can be imported elsewhere', async () => {
    const made = await exported({});
    expect(made.name).toBe('export.tar');
    const response = await service.app.fetch(
      new Request(`http://localhost${exports}/${made.id}/file`, {
        headers: { Authorization: `Bearer ${service.tokenOf('ada')}` },
      }),
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBe(made.size);
    const names = [...(await new Bun.Archive(bytes).files()).keys()];
    expect(names).toEqual(service.types.all.map(({ plural }) => `${plural}.ndjson`));
    await using other = await TestService.open(definitions, { builtIn: true });
    await other.account('ada', 'admin');
    const check = await checked('format=records&name=export.tar', bytes, other);
    expect(check).toMatchObject({ state: 'checked', error: null });
    const done = await imported(check.id, other);
    const total = (await service.send('GET /api/v1/cms/notes')).json.total;
    expect(done.result.counts).toContainEqual({ kind: 'notes', taken: total, before: 0, skipped: 0, failed: 0 });
    expect((await other.send('GET /api/v1/admin/posts', { as: 'ada' })).json.items).toMatchObject([{ title: 'Storm' }]);
  });

  test.each([
    ['in the first header', 300],
    ['in the records of a file', 512 + 40],
    ['in the padding after a file', 1024 - 7],
    ['in the header of the second file', 1024 + 200],
    ['before its end', 2048],
  ])('an archive that is cut %s fails at once, with its reason', async (_, length) => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-cut-'));
    try {
      const path = join(folder, 'whole.tar');
      const three = lines([note(60), note(61), note(62)]);
      await Bun.write(path, await new Bun.Archive({ 'notes.ndjson': three, 'stories.ndjson': three }).bytes());
      const cut = (await Bun.file(path).bytes()).slice(0, length);
      const name = length < 512 ? 'cut.tar' : 'whole.tar';
      const { state, error } = await checked(`format=records&name=${name}`, cut);
      expect(state).toBe('failed');
      expect(error).toMatch(/^(?:whole|cut)\.tar (?:is a damaged archive: |holds no file that ends in )/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('of an admin of a tenant holds the records of the tenant', async () => {
    for (const [title, tenant_id] of [
      ['ours', 'acme'],
      ['theirs', 'bolt'],
      ['of nobody', null],
    ]) {
      const made = await service.send('POST /api/v1/admin/cms/stories', { as: 'ada', body: { title, tenant_id } });
      expect(made.status).toBe(201);
    }
    const titles = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).title);
    const made = await exported({ type: 'story' }, 'tea');
    expect(made.files).toMatchObject([{ records: 1 }]);
    expect(titles((await fileOf(made.id, 'tea')).text)).toEqual(['ours']);
    const all = await exported({}, 'tea');
    expect(all.files).toMatchObject([{ type: 'story', records: 1 }]);
    const whole = await exported({ type: 'story' });
    expect(titles((await fileOf(whole.id)).text).toSorted()).toEqual(['of nobody', 'ours', 'theirs']);
    const visited = await exported({ type: 'story' }, 'ada', { 'Recto-Tenant': 'bolt' });
    expect(titles((await fileOf(visited.id)).text)).toEqual(['theirs']);
    // Nothing of others is seen, or touched.
    for (const id of [whole.id, visited.id]) {
      expect((await service.send(`GET ${exports}/${id}`, { as: 'tea' })).status).toBe(404);
      expect((await fileOf(id, 'tea')).status).toBe(404);
      expect((await service.send(`DELETE ${exports}/${id}`, { as: 'tea' })).status).toBe(404);
    }
    const { items, total } = (await service.send(`GET ${exports}`, { as: 'tea' })).json;
    expect([items.map(({ id }: Reply['json']) => id), total]).toEqual([[all.id, made.id], 2]);
    const notes = await service.send(`POST ${exports}`, { as: 'tea', body: { type: 'note' } });
    expect([notes.status, notes.json.errors]).toMatchObject([422, [{ field: 'type', code: 'not_allowed' }]]);
    for (const as of ['eve', 'mia']) expect((await service.send(`POST ${exports}`, { as, body: {} })).status).toBe(403);
  });
});

test('what nobody took up is removed after its time, with its file', async () => {
  let now = Date.now();
  await using other = await TestService.open(definitions, { now: () => now });
  await other.account('ada', 'admin');
  const { json: waiting } = await upload('format=records&name=notes.ndjson', lines([note(1)]), 'ada', other);
  await other.runJobs();
  const made = (await other.send(`POST ${exports}`, { as: 'ada', body: {} })).json;
  await other.runJobs();
  // Of an upload that broke off.
  await other.storage.put('transfers/stray', new Blob(['x']).stream());
  expect(await files(other)).toHaveLength(3);
  now += 25 * 3_600_000;
  await other.runJobs();
  expect(await files(other)).toEqual([]);
  for (const path of [`${imports}/${waiting.id}`, `${exports}/${made.id}`])
    expect((await other.send(`GET ${path}`, { as: 'ada' })).status).toBe(404);
});
