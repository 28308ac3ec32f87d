// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// Changes of records that wait in a release and are published together.

let world: ReleasesWorld;
beforeEach(async () => {
  world = await ReleasesWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a release', () => {
  test('is made, read, changed, listed and deleted', async () => {
    const made = await world.send(`POST ${root}`, {
      name: 'Spring',
      scheduled_at: '2031-03-01T09:00',
      time_zone: 'Europe/Berlin',
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${root}/${made.json.id}`);
    expect(made.json).toEqual({
      ...{ id: expect.any(String), name: 'Spring', description: '', status: 'open', problems: [], reverts: null },
      ...{ scheduled_at: '2031-03-01T08:00:00.000Z', time_zone: 'Europe/Berlin' },
      ...{ created_by: world.service.idOf('eve'), published_at: null, published_by: null },
      ...{ created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) },
    });
    const whole = await world.must(200, `GET ${root}/${made.json.id}`);
    expect(whole).toEqual({ ...made.json, items: [] });
    const changed = await world.must(200, `PUT ${root}/${made.json.id}`, { ...whole, name: 'Summer' });
    expect(changed).toEqual({ ...made.json, name: 'Summer', updated_at: expect.any(String) });
    const other = await world.release('Autumn');
    const listed = await world.must(200, `GET ${root}`);
    expect(listed).toMatchObject({ total: 2, items: [{ id: other }, { id: made.json.id, name: 'Summer' }] });
    expect((await world.must(200, `GET ${root}?status=done`)).total).toBe(0);
    await world.must(204, `DELETE ${root}/${other}`);
    await world.must(404, `GET ${root}/${other}`);
  });

  test('with a wrong body names every error', async () => {
    const { errors } = await world.must(422, `POST ${root}`, { description: 3, other: 1 });
    expect(errors.map(({ field }: { field: string }) => field).toSorted()).toEqual(['description', 'name', 'other']);
    const wrong = { name: 'A', scheduled_at: 'soon', time_zone: 'Europe/Nowhere' };
    expect((await world.must(422, `POST ${root}`, wrong)).errors).toMatchObject([{ field: 'time_zone' }]);
    expect((await world.must(422, `POST ${root}`, { name: 'A', scheduled_at: 'soon' })).errors).toMatchObject([
      { field: 'scheduled_at', code: 'bad_format' },
    ]);
  });

  test('is published with everything in it', async () => {
    const ines = await world.make('authors', { name: 'Ines' });
    const [changed, draft, gone, shelved] = [
      await world.article({ title: 'Changed', views: '9007199254740993', price: '1.50' }),
      await world.make('articles', { title: 'Draft' }),
      await world.article({ title: 'Gone' }),
      await world.article({ title: 'Shelved' }),
    ];
    const topic = await world.make('topics', { name: 'Paper' });
    const release = await world.release();
    const body = [{ block: 'text', words: 'Ink', by: ines.id }];
    const changes = {
      title: 'New',
      views: '9007199254740995',
      price: '2.25',
      author: ines.id,
      topics: [topic.id],
      body,
    };
    const item = await world.put(release, 'articles', changed.id, { action: 'publish', changes });
    expect(item).toMatchObject({ type: 'article', record: changed.id, action: 'publish', base: { title: 'Changed' } });
    await world.put(release, 'article', draft.id, { action: 'publish' });
    await world.put(release, 'article', gone.id, { action: 'unpublish' });
    await world.put(release, 'article', shelved.id, { action: 'archive' });
    await world.put(release, 'topic', (await world.make('topics', { name: 'Old' })).id, { action: 'delete' });
    const fresh = await world.add(release, 'articles', { title: 'Fresh', author: ines.id });
    expect(fresh).toMatchObject({ record: null, action: 'publish', changes: { title: 'Fresh' } });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    // Nothing has changed so far.
    expect((await world.record('articles', changed.id)).title).toBe('Changed');
    expect((await world.publish(release)).json).toMatchObject({
      status: 'done',
      published_by: world.service.idOf('eve'),
    });
    expect(await world.record('articles', changed.id)).toMatchObject({
      ...changes,
      body: [{ words: 'Ink', by: ines.id }],
      lock_version: 2,
    });
    const states = [];
    for (const { id } of [draft, gone, shelved]) states.push((await world.record('articles', id)).status);
    expect(states).toEqual(['published', 'draft', 'archived']);
    expect(await world.record('articles', fresh.id)).toMatchObject({
      title: 'Fresh',
      slug: 'fresh',
      status: 'published',
    });
    expect((await world.must(200, '/api/v1/cms/topics'.replace(/^/, 'GET '))).items).toMatchObject([{ name: 'Paper' }]);
    // What is published is found by its words, and is a version of its own.
    expect((await world.must(200, 'GET /api/v1/cms/articles?search=new')).total).toBe(1);
    const versions = await world.must(200, `GET /api/v1/admin/cms/articles/${changed.id}/revisions`);
    expect(versions.items[0]).toMatchObject({ action: 'publish', revision: 2 });
    const again = await world.publish(release);
    expect([again.status, again.json.code]).toEqual([409, 'release_published']);
  });

  test('holds changes of its own, beside other releases and the draft', async () => {
    const { id } = await world.article();
    const [one, other] = [await world.release('One'), await world.release('Other')];
    await world.put(one, 'article', id, { action: 'publish', changes: { title: 'From one' } });
    await world.put(other, 'article', id, { action: 'publish', changes: { summary: 'From other' } });
    await world.must(200, `PUT /api/v1/admin/cms/articles/${id}?draft=true`, { note: 'From the draft' });
    expect((await world.publish(one)).status).toBe(200);
    expect(await world.record('articles', id)).toMatchObject({
      title: 'From one',
      summary: null,
      __draft: { changes: { note: 'From the draft' } },
    });
    expect((await world.publish(other)).status).toBe(200);
    expect(await world.record('articles', id)).toMatchObject({
      title: 'From one',
      summary: 'From other',
      __draft: { changes: { note: 'From the draft' } },
    });
  });

  test('is not published where somebody has changed a record since, and nothing changes', async () => {
    const [first, second] = [await world.article(), await world.article({ title: 'Two' })];
    const release = await world.release();
    await world.put(release, 'article', first.id, { action: 'publish', changes: { title: 'A' } });
    await world.put(release, 'article', second.id, { action: 'publish', changes: { title: 'B', summary: 'C' } });
    await world.must(200, `PUT /api/v1/admin/cms/articles/${second.id}`, { title: 'Theirs', note: 'No matter' });
    const refused = await world.publish(release);
    expect([refused.status, refused.json.code, refused.json.errors]).toEqual([
      409,
      'draft_conflict',
      [{ field: 'items[1].title', code: 'draft_conflict', message: expect.any(String) }],
    ]);
    expect(refused.json.problems).toMatchObject([
      { type: 'article', record: second.id, field: 'title', code: 'draft_conflict' },
    ]);
    expect((await world.record('articles', first.id)).title).toBe('One');
    expect((await world.must(200, `GET ${root}/${release}`)).status).toBe('open');
    // Whoever puts it in once more has seen what is there now.
    await world.put(release, 'article', second.id, { action: 'publish', changes: { title: 'B' } });
    expect((await world.publish(release)).status).toBe(200);
    expect(await world.record('articles', second.id)).toMatchObject({ title: 'B', summary: null, note: 'No matter' });
  });

  test('names every problem, and its check says the same', async () => {
    await world.make('authors', { name: 'Ines', handle: 'ines' });
    const { id } = await world.article();
    const release = await world.release();
    const incomplete = await world.add(release, 'article', { summary: 'No title' });
    const taken = await world.add(release, 'author', { name: 'Also Ines', handle: 'ines' });
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'Fine' } });
    const topic = await world.make('topics', { name: 'Gone' });
    await world.put(release, 'topic', topic.id, { action: 'publish', changes: { name: 'New' } });
    await world.must(204, `DELETE /api/v1/admin/cms/topics/${topic.id}`);
    const expected = [
      ['article', null, 'title', 'required'],
      ['author', null, 'handle', 'taken'],
      ['topic', topic.id, '', 'not_found'],
    ];
    expect(await world.problems(release)).toEqual(expected);
    const refused = await world.publish(release);
    expect([refused.status, refused.json.code]).toEqual([422, 'release_not_ready']);
    expect(refused.json.errors.map(({ field, code }: Record<string, unknown>) => [field, code])).toEqual([
      ['items[0].title', 'required'],
      ['items[1].handle', 'taken'],
      ['items[3]', 'not_found'],
    ]);
    expect((await world.record('articles', id)).title).toBe('One');
    // Each is settled where it is, and the next check knows.
    await world.put(release, 'article', incomplete.id, { action: 'publish', changes: { title: 'Title' } });
    await world.put(release, 'author', taken.id, { action: 'publish', changes: { name: 'Tom', handle: 'tom' } });
    await world.must(204, `DELETE ${root}/${release}/items/topic/${topic.id}`);
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await world.publish(release)).status).toBe(200);
  });

  test('without a record is not published', async () => {
    const release = await world.release();
    expect(await world.problems(release)).toEqual([[null, null, '', 'empty']]);
    expect((await world.publish(release)).status).toBe(422);
  });

  test('begins records that lead to one another, in whichever order they were added', async () => {
    const release = await world.release();
    const item = await world.add(release, 'article', { title: 'Led by' });
    const ines = await world.add(release, 'author', { name: 'Ines' });
    const topic = await world.add(release, 'topic', { name: 'Paper' });
    const changes = { title: 'Led by', author: ines.id, topics: [topic.id], body: [{ block: 'text', by: ines.id }] };
    await world.put(release, 'article', item.id, { action: 'publish', changes });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await world.publish(release)).status).toBe(200);
    const published = await world.must(200, `GET /api/v1/cms/articles/${item.id}?include=author,topics`);
    expect(published).toMatchObject({ author: { name: 'Ines' }, topics: [{ name: 'Paper' }] });
    const { items } = await world.must(200, `GET ${root}/${release}`);
    expect(items.map(({ id, record }: Record<string, unknown>) => id === record)).toEqual([true, true, true]);
  });

  test('exchanges unique values, and deletes what nothing needs any more', async () => {
    const [ann, ben] = [
      await world.make('authors', { name: 'Ann', handle: 'a' }),
      await world.make('authors', { name: 'Ben', handle: 'b' }),
    ];
    const release = await world.release();
    await world.put(release, 'author', ann.id, { action: 'publish', changes: { handle: 'b' } });
    await world.put(release, 'author', ben.id, { action: 'publish', changes: { handle: 'c' } });
    await world.add(release, 'author', { name: 'Cat', handle: 'a' });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await world.publish(release)).status).toBe(200);
    const { items } = await world.must(200, 'GET /api/v1/admin/cms/authors?sort=name:asc');
    expect(items.map(({ handle }: Record<string, unknown>) => handle)).toEqual(['b', 'c', 'a']);
  });

  test('takes what can wait, and says what cannot', async () => {
    const { id } = await world.article();
    const release = await world.release();
    const line = `PUT ${root}/${release}/items/article/${id}`;
    const refused = async (body: object) =>
      (await world.must(422, line, body)).errors.map(({ field, code }: Record<string, unknown>) => [field, code]);
    expect(await refused({ action: 'publish', changes: { title: 7, other: 1, summary: 'x' } })).toEqual([
      ['changes.other', 'unknown_field'],
      ['changes.title', 'wrong_type'],
    ]);
    expect(await refused({ action: 'publish', changes: { status: 'archived' } })).toEqual([
      ['changes.status', 'not_in_release'],
    ]);
    expect(await refused({ action: 'unpublish', changes: { title: 'x' } })).toEqual([['changes', 'not_allowed']]);
    expect(await refused({ action: 'publish', language: 'de' })).toEqual([['language', 'unknown_language']]);
    expect(await refused({ action: 'burn' })).toEqual([['action', 'not_allowed']]);
    const author = await world.make('authors', { name: 'Ines' });
    const archived = await world.must(422, `PUT ${root}/${release}/items/author/${author.id}`, { action: 'archive' });
    expect(archived.errors).toMatchObject([{ field: 'action', code: 'not_allowed' }]);
    await world.must(404, `PUT ${root}/${release}/items/nothing/${id}`, { action: 'publish' });
    await world.must(404, `PUT ${root}/${release}/items/article/${author.id}`, { action: 'publish' });
    await world.must(404, `PUT ${root}/${author.id}/items/article/${id}`, { action: 'publish' });
    expect((await world.must(200, `GET ${root}/${release}`)).items).toEqual([]);
  });

  test('has at most 1,000 records', async () => {
    const release = await world.release();
    const { id } = await world.article();
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'x' } });
    const now = Date.now();
    const { database } = world.service;
    await database.transaction(async (transaction) => {
      for (let place = 1; place < 1_000; place += 1) {
        await transaction.run({
          sql: `insert into recto_release_items ("id", "release", "type", "record", "action", "changes", "base", "added_at")
            values ('${place}', '${release}', 'topic', '${place}', 'publish', '{}', '{}', ${now})`,
          parameters: [],
        });
      }
    });
    const topic = await world.make('topics', { name: 'One more' });
    const refused = await world.must(409, `PUT ${root}/${release}/items/topic/${topic.id}`, { action: 'delete' });
    expect(refused.code).toBe('too_many_items');
    // What is in it can be replaced.
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'y' } });
  });
});

describe('taking back', () => {
  /** Without what every write counts and notes. */
  const content = ({ updated_at, updated_by, lock_version, ...rest }: Record<string, unknown>): string =>
    JSON.stringify(rest);

  test('brings everything back as it was, to the byte', async () => {
    const ines = await world.make('authors', { name: 'Ines' });
    const topics = [await world.make('topics', { name: 'A' }), await world.make('topics', { name: 'B' })];
    const body = [{ block: 'text', words: 'Ink', by: ines.id }];
    const values = { summary: 'S', views: '9007199254740993', price: '1.50', note: 'n', author: ines.id, body };
    const articles = [
      await world.article({ ...values, title: 'Changed', topics: topics.map(({ id }) => id) }),
      await world.make('articles', { ...values, title: 'Draft' }),
      await world.article({ ...values, title: 'Unpublished' }),
      await world.make('articles', { ...values, title: 'Archived' }),
      await world.article({ ...values, title: 'Deleted', topics: [topics[0].id] }),
    ];
    const before = [];
    for (const { id } of articles) before.push(content(await world.record('articles', id)));
    const topic = content(await world.record('topics', topics[1].id));
    const release = await world.release();
    const [changed, draft, unpublished, archived, deleted] = articles.map(({ id }) => id);
    const changes = {
      title: 'New',
      slug: 'other',
      views: '1',
      price: '9',
      author: null,
      topics: [topics[1].id],
      body: [],
      note: null,
    };
    await world.put(release, 'article', changed, { action: 'publish', changes });
    await world.put(release, 'article', draft, { action: 'publish', changes: { title: 'Now' } });
    await world.put(release, 'article', unpublished, { action: 'unpublish' });
    await world.put(release, 'article', archived, { action: 'archive' });
    await world.put(release, 'article', deleted, { action: 'delete' });
    await world.put(release, 'topic', topics[0].id, { action: 'delete' });
    const fresh = await world.add(release, 'article', { title: 'Fresh' });
    expect((await world.publish(release)).status).toBe(200);
    await world.must(404, `GET /api/v1/admin/cms/articles/${deleted}`);
    const revert = await world.send(`POST ${root}/${release}/revert`);
    expect([revert.status, revert.json.conflicts, revert.json.reverts]).toEqual([201, [], release]);
    expect(revert.headers.get('location')).toBe(`${root}/${revert.json.id}`);
    expect(revert.json.items.length).toBe(7);
    // Nothing has changed so far.
    expect((await world.record('articles', String(changed))).title).toBe('New');
    expect((await world.publish(revert.json.id)).json.problems).toEqual([]);
    const after = [];
    for (const { id } of articles) after.push(content(await world.record('articles', id)));
    expect(after).toEqual(before);
    expect(content(await world.record('topics', topics[1].id))).toBe(topic);
    await world.must(200, `GET /api/v1/admin/cms/topics/${topics[0].id}`);
    await world.must(404, `GET /api/v1/admin/cms/articles/${fresh.id}`);
    // The way there is open once more.
    const forth = await world.must(201, `POST ${root}/${revert.json.id}/revert`);
    expect((await world.publish(forth.id)).status).toBe(200);
    expect(await world.record('articles', String(changed))).toMatchObject({ title: 'New', slug: 'other', views: '1' });
    expect(await world.record('articles', fresh.id)).toMatchObject({ title: 'Fresh', status: 'published' });
  });

  test('names what has been changed since', async () => {
    const [one, two] = [await world.article(), await world.article({ title: 'Two' })];
    const release = await world.release();
    await world.put(release, 'article', one.id, { action: 'publish', changes: { title: 'A' } });
    await world.put(release, 'article', two.id, { action: 'publish', changes: { title: 'B' } });
    expect((await world.publish(release)).status).toBe(200);
    await world.must(200, `PUT /api/v1/admin/cms/articles/${two.id}`, { title: 'Theirs' });
    const revert = await world.must(201, `POST ${root}/${release}/revert`);
    expect(revert.conflicts).toMatchObject([
      { type: 'article', record: two.id, field: 'title', code: 'draft_conflict' },
    ]);
    expect((await world.publish(revert.id)).status).toBe(409);
    expect((await world.record('articles', one.id)).title).toBe('A');
    await world.must(204, `DELETE ${root}/${revert.id}/items/article/${two.id}`);
    expect((await world.publish(revert.id)).status).toBe(200);
    expect((await world.record('articles', one.id)).title).toBe('One');
    expect((await world.must(409, `POST ${root}/${await world.release()}/revert`)).code).toBe('not_published');
  });
});

describe('the log', () => {
  test('has every record’s own change with the release that it came with, and one event of the release', async () => {
    const { id } = await world.article();
    const release = await world.release();
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'A' } });
    const fresh = await world.add(release, 'author', { name: 'Ines' });
    const last = await world.service.lastEvent('ada');
    expect((await world.publish(release)).status).toBe(200);
    const { items } = await world.must(200, `GET /api/v1/admin/events?after=${last}`, undefined, 'ada');
    const shown = items.map(({ type, record, action, via, release: of }: Record<string, unknown>) => [
      type,
      record,
      action,
      via,
      of,
    ]);
    expect(shown).toEqual([
      ['author', fresh.id, 'create', 'release', release],
      ['article', id, 'publish', 'release', release],
      ['recto:release', release, 'publish', null, null],
    ]);
    const own = await world.must(200, `GET /api/v1/admin/events?type=releases`, undefined, 'ada');
    expect(own.items.map(({ action, changed }: Record<string, unknown>) => [action, changed])).toEqual([
      ['publish', []],
      ['update', ['items']],
      ['update', ['items']],
      ['create', []],
    ]);
  });
});
