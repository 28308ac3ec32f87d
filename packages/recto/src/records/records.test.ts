// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { account, admin, anonymous, refusal, TestRecords } from './records.fixture.ts';

// The records alone, without HTTP: what each operation stores, returns and rejects.

const title = { name: 'title', field_type: 'text', required: true, max_length: 50 };
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  ...more,
  relation: { relation_type, target },
});
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', 'ownable', 'lockable', 'versionable'],
  fields: [
    title,
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'code', field_type: 'text', unique: true, max_length: 20 },
    { name: 'state', field_type: 'enum', enum_values: ['draft', 'live'], default: 'draft' },
    { name: 'note', field_type: 'text', private: true },
    { name: 'origin', field_type: 'text', immutable: true },
    relation('author', 'many_to_one', 'authors'),
    relation('tags', 'many_to_many', 'tags'),
  ],
  api: {
    list: { filter: 'state = "live"', filter_auth: 'created_by = @request.auth.id', cache: true },
    get: { filter: 'state = "live"', filter_auth: 'created_by = @request.auth.id', cache: true },
    create: { access: 'member', filter_auth: 'state = "draft"' },
    update: { access: 'member', filter_auth: 'created_by = @request.auth.id' },
    delete: { access: 'member', filter_auth: 'created_by = @request.auth.id' },
  },
};
const author = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const tag = { singular: 'tag', plural: 'tags', protocols: ['soft_deletable'], fields: [title] };
const review = {
  singular: 'review',
  plural: 'reviews',
  fields: [relation('author', 'many_to_one', 'authors', { required: true })],
};
const alias = {
  singular: 'alias',
  plural: 'aliases',
  fields: [title, { name: 'slug', field_type: 'uid', target_field: 'title' }],
  api: {
    get: { access: 'public' },
    create: { access: 'member', filter_auth: 'slug != "same" && slug != "other-2"' },
  },
};
const menu = { singular: 'menu', plural: 'menus', protocols: ['nestable'], fields: [title] };

const mia = account('00000000-0000-7000-8000-00000000000a');
const tom = account('00000000-0000-7000-8000-00000000000b');

let records: TestRecords;
beforeEach(async () => {
  records = await TestRecords.open(story, author, tag, review, menu, alias);
});
afterEach(() => records[Symbol.asyncDispose]());

const stored = async (table: string): Promise<number> => {
  const row = await records.database.first<{ total: number | bigint }>({
    sql: `select count(*) as "total" from ${table}`,
    parameters: [],
  });
  return Number(row?.total);
};

describe('create', () => {
  test('decides by the slug that the record gets, if its rule reads it', async () => {
    const create = async (word: string) => (await records.create('alias', { title: word }, mia)).slug;
    expect(await refusal(create('Same'))).toEqual([403, 'rule_refused']);
    await records.create('alias', { title: 'Same' });
    expect(await create('Same')).toBe('same-2');
    expect(await create('Other')).toBe('other');
    expect(await refusal(create('Other'))).toEqual([403, 'rule_refused']);
    expect(await stored('cms_alias')).toBe(3);
  });

  test('fills in defaults, a slug, and what protocols keep', async () => {
    const made = await records.create('story', { title: 'First light' }, mia);
    expect(made).toMatchObject({ title: 'First light', slug: 'first-light', state: 'draft', author: null, tags: [] });
    expect(made).toMatchObject({ lock_version: 1, created_by: mia.kind === 'account' ? mia.id : '' });
    expect(made).not.toHaveProperty('note');
    expect(await records.get('story', made.id, mia)).toEqual(made);
  });

  test('stores relations in order, and finds the record by its words', async () => {
    const [one, two] = [await records.create('tag', { title: 'One' }), await records.create('tag', { title: 'Two' })];
    const { id: by } = await records.create('author', { name: 'Ines' });
    const made = await records.create('story', { title: 'Linked', author: by, tags: [two.id, one.id] });
    expect(made).toMatchObject({ author: by, tags: [two.id, one.id] });
    expect((await records.list('story', 'search=link')).items).toEqual([made]);
  });

  test('reports every error at once', async () => {
    await records.create('story', { title: 'Taken', code: 'c1' });
    const gone = '01900000-0000-7000-8000-000000000000';
    const payload = { title: '', bogus: 1, code: 'c1', author: gone, tags: [gone] };
    expect(await refusal(records.create('story', payload))).toEqual([
      422,
      'bogus unknown_field',
      'title required',
      'code taken',
      'author unknown_record',
      'tags[0] unknown_record',
    ]);
    const { title: _, bogus: __, ...wellFormed } = payload;
    expect(await refusal(records.create('story', { title: 'T', ...wellFormed }))).toEqual([
      422,
      'code taken',
      'author unknown_record',
      'tags[0] unknown_record',
    ]);
    expect(await stored('cms_story')).toBe(1);
    expect(await stored('recto_revisions')).toBe(1);
  });

  test('gives a taken slug a number, as often as it is asked', async () => {
    const slugs: string[] = [];
    for (let round = 0; round < 3; round += 1) slugs.push((await records.create('story', { title: 'Same' })).slug);
    expect(slugs).toEqual(['same', 'same-2', 'same-3']);
  });

  test('judges the rule before anything that other records hold', async () => {
    await records.create('story', { title: 'T', code: 'c1' });
    expect(await refusal(records.create('story', { title: 'T', state: 'live', code: 'c1' }, mia))).toEqual([
      403,
      'rule_refused',
    ]);
    expect(await refusal(records.create('story', { title: 'T' }, anonymous))).toEqual([401, 'authentication_required']);
  });

  test('places a record below its parent, after the others', async () => {
    const top = await records.create('menu', { title: 'Top' });
    const below = await records.create('menu', { title: 'Below', parent_id: top.id });
    expect([top.depth, below.depth, below.position - top.position]).toEqual([0, 1, 1]);
  });
});

describe('update', () => {
  test('changes what is named, and counts the version up', async () => {
    const made = await records.create('story', { title: 'Before', note: 'kept' });
    const changed = await records.update('story', made.id, { title: 'After' });
    expect(changed).toMatchObject({ title: 'After', slug: 'before', note: 'kept', lock_version: 2 });
    expect(await records.get('story', made.id)).toEqual(changed);
    expect((await records.list('story', 'search=after')).total).toBe(1);
    expect((await records.list('story', 'search=before')).total).toBe(0);
  });

  test('keeps a version of each change, and none of none', async () => {
    const { id } = await records.create('story', { title: 'One' });
    await records.update('story', id, { title: 'Two' });
    await records.update('story', id, { title: 'Two' });
    const rows = await records.database.rows<{ revision: number; action: string; changed: string }>({
      sql: 'select "revision", "action", "changed" from recto_revisions order by "revision"',
      parameters: [],
    });
    expect(rows.map(({ revision, action, changed }) => [Number(revision), action, JSON.parse(changed)])).toEqual([
      [1, 'create', []],
      [2, 'update', ['title']],
    ]);
  });

  test('replaces links, and leaves them where they are not named', async () => {
    const ids: string[] = [];
    for (const word of ['One', 'Two', 'Three']) ids.push((await records.create('tag', { title: word })).id);
    const { id } = await records.create('story', { title: 'T', tags: ids });
    expect((await records.update('story', id, { tags: [ids[2], ids[0]] })).tags).toEqual([ids[2], ids[0]]);
    expect((await records.update('story', id, { title: 'U' })).tags).toEqual([ids[2], ids[0]]);
    expect((await records.update('story', id, { tags: [] })).tags).toEqual([]);
  });

  test('may keep a reference to what has been hidden, and not make a new one', async () => {
    const { id: kept } = await records.create('tag', { title: 'Kept' });
    const { id } = await records.create('story', { title: 'T', tags: [kept] });
    const { id: other } = await records.create('story', { title: 'Other' });
    await records.delete('tag', kept);
    expect((await records.update('story', id, { tags: [kept], title: 'U' })).title).toBe('U');
    expect(await refusal(records.update('story', other, { tags: [kept] }))).toEqual([422, 'tags[0] unknown_record']);
  });

  test('rejects what is taken, immutable or stale', async () => {
    await records.create('story', { title: 'T', code: 'c1' });
    const { id, lock_version: version } = await records.create('story', { title: 'T', code: 'c2', origin: 'here' });
    const change = { code: 'c1', origin: 'there' };
    expect(await refusal(records.update('story', id, change))).toEqual([422, 'origin immutable', 'code taken']);
    expect((await records.update('story', id, { code: 'c2', origin: 'here' })).code).toBe('c2');
    expect(await refusal(records.update('story', id, { lock_version: version }))).toEqual([
      409,
      'lock_version_mismatch',
    ]);
    expect(await refusal(records.update('story', id, { title: 'U' }, admin, '"other"'))).toEqual([409, 'stale']);
  });

  test('is 404 for what the caller may not see, and 403 for what they may only see', async () => {
    const { id } = await records.create('story', { title: 'Draft' }, mia);
    expect((await records.update('story', id, { title: 'Mine' }, mia)).title).toBe('Mine');
    expect(await refusal(records.update('story', id, { title: 'Theirs' }, tom))).toEqual([404, 'not_found']);
    await records.update('story', id, { state: 'live' });
    expect(await refusal(records.update('story', id, { title: 'Theirs' }, tom))).toEqual([403, 'rule_refused']);
  });

  test('moves what is below a record along', async () => {
    const [a, b] = [await records.create('menu', { title: 'A' }), await records.create('menu', { title: 'B' })];
    const below = await records.create('menu', { title: 'Below', parent_id: b.id });
    expect((await records.update('menu', b.id, { parent_id: a.id })).depth).toBe(1);
    expect((await records.get('menu', below.id)).depth).toBe(2);
    expect(await refusal(records.update('menu', a.id, { parent_id: below.id }))).toEqual([422, 'parent_id circular']);
  });
});

describe('delete', () => {
  test('removes the record with its words, links and versions', async () => {
    const { id: linked } = await records.create('tag', { title: 'Tag' });
    const { id } = await records.create('story', { title: 'Gone', tags: [linked] });
    await records.delete('story', id);
    expect(await refusal(records.get('story', id))).toEqual([404, 'not_found']);
    expect((await records.list('story', 'search=gone')).total).toBe(0);
    expect(await stored('recto_revisions')).toBe(0);
    expect(await refusal(records.delete('story', id))).toEqual([404, 'not_found']);
  });

  test('marks a record where a protocol does so', async () => {
    const { id } = await records.create('tag', { title: 'Tag' });
    await records.delete('tag', id);
    expect(await refusal(records.get('tag', id))).toEqual([404, 'not_found']);
    expect((await records.get('tag', id, admin, 'deleted=only')).deleted_at).toBeString();
  });

  test('clears references, and is rejected where one is required', async () => {
    const [used, free] = [await records.create('author', { name: 'U' }), await records.create('author', { name: 'F' })];
    const { id } = await records.create('story', { title: 'T', author: free.id });
    await records.create('review', { author: used.id });
    await records.delete('author', free.id);
    expect((await records.get('story', id)).author).toBeNull();
    expect(await refusal(records.delete('author', used.id))).toEqual([409, 'record_in_use']);
  });
});

describe('list and get', () => {
  test('show each caller what the rules let them see', async () => {
    const draft = await records.create('story', { title: 'Draft' }, mia);
    const live = await records.create('story', { title: 'Live', state: 'live' });
    const titles = async (caller = anonymous) =>
      (await records.list('story', 'sort=title:asc', caller)).items.map((item: { title: string }) => item.title);
    expect([await titles(), await titles(mia), await titles(tom)]).toEqual([['Live'], ['Draft', 'Live'], ['Live']]);
    expect(await refusal(records.get('story', draft.id, tom))).toEqual([404, 'not_found']);
    expect((await records.get('story', live.id, anonymous)).title).toBe('Live');
    expect((await records.get('story', live.id, admin)).note).toBeNull();
  });

  test('page, filter, sort and include', async () => {
    const by = await records.create('author', { name: 'Ines' });
    for (const word of ['A', 'B', 'C']) {
      await records.create('story', { title: word, state: 'live', author: by.id });
    }
    const page = await records.list('story', 'sort=title:desc&page_size=2&page=2&include=author', anonymous);
    expect(page).toMatchObject({ total: 3, page: 2, page_size: 2, items: [{ title: 'A', author: { name: 'Ines' } }] });
    expect((await records.list('story', 'title=B', anonymous)).total).toBe(1);
    expect(await refusal((async () => records.list('story', 'note=x', anonymous))())).toEqual([
      400,
      'unknown_parameter',
    ]);
  });

  test('see a write at once, cached or not', async () => {
    const { id } = await records.create('story', { title: 'One', state: 'live' });
    for (const word of ['Two', 'Three']) {
      await records.update('story', id, { title: word });
      expect((await records.list('story', '', anonymous)).items[0].title).toBe(word);
      expect((await records.get('story', id, anonymous)).title).toBe(word);
    }
  });
});

describe('a prepared write', () => {
  const prepare = (code: string) => {
    const request = { type: records.type('story'), admin: true, caller: admin, search: '' };
    return records.records.prepareCreate({ ...request, payload: { title: 'T', code } });
  };

  test('may run more than once, and stores its record once', async () => {
    const write = await prepare('c1');
    let runs = 0;
    const run = async (transaction: Parameters<typeof write.run>[0]) => {
      runs += 1;
      const made = await write.run(transaction);
      if (runs === 1) throw new Error('undone');
      return made;
    };
    const { type } = write;
    await expect(records.records.runInTransaction({ type, run })).rejects.toThrow('undone');
    const { id } = await records.records.runInTransaction({ type, run });
    expect((await records.get('story', id)).slug).toBe('t');
    expect(await stored('cms_story')).toBe(1);
  });

  test('is not needed to find out who may change a record', async () => {
    const { id } = await records.create('story', { title: 'T', state: 'draft' }, mia);
    const check = (caller = mia) =>
      records.records.requireUpdate({ type: records.type('story'), admin: caller === admin, caller, id });
    await check();
    await check(admin);
    expect(await refusal(check(tom))).toEqual([404, 'not_found']);
    expect(await refusal(check(anonymous))).toEqual([401, 'authentication_required']);
    expect((await records.get('story', id, mia)).lock_version).toBe(1);
  });

  test('stores nothing when it is rehearsed', async () => {
    const { answer } = await records.records.rehearse(await prepare('c1'));
    expect(JSON.parse(String(answer.body)).code).toBe('c1');
    expect([await stored('cms_story'), await stored('recto_revisions')]).toEqual([0, 0]);
  });
});
