// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { uploadRaw } from '../media/media-calls.ts';

// A copy of a record with what belongs to it.

const belongsTo = (target: string) => ({ relation_type: 'many_to_one', target, cascade: true });
const book = {
  singular: 'book',
  plural: 'books',
  protocols: [
    'timestampable',
    'ownable',
    'lockable',
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published'], schedule: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
    { name: 'isbn', field_type: 'text', unique: true },
    { name: 'secret', field_type: 'password' },
    { name: 'cover', field_type: 'media' },
    { name: 'first', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'chapters' } },
    {
      ...{ name: 'body', field_type: 'blocks' },
      blocks: [
        {
          name: 'quote',
          fields: [
            { name: 'words', field_type: 'text' },
            { name: 'of', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'chapters' } },
          ],
        },
      ],
    },
  ],
};
const chapter = {
  singular: 'chapter',
  plural: 'chapters',
  protocols: ['sortable', 'soft_deletable', { name: 'statusable', values: ['draft', 'published'] }],
  fields: [
    { name: 'name', field_type: 'text', required: true, localized: true },
    { name: 'book', field_type: 'relation', required: true, relation: belongsTo('books') },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'one_to_one', target: 'chapters' } },
    { name: 'hidden', field_type: 'boolean', default: false },
    { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'topics' } },
  ],
};
const remark = {
  singular: 'remark',
  plural: 'remarks',
  unique: [['chapter', 'place']],
  fields: [
    { name: 'text', field_type: 'text' },
    { name: 'place', field_type: 'integer' },
    { name: 'chapter', field_type: 'relation', relation: belongsTo('chapters') },
    { name: 'answers', field_type: 'relation', relation: belongsTo('remarks') },
  ],
};
const topic = { singular: 'topic', plural: 'topics', fields: [{ name: 'name', field_type: 'text' }] };
const page = { singular: 'sheet', plural: 'sheets', fields: [{ name: 'code', field_type: 'uid', required: true }] };

const all = { list: true, get: true, create: true, update: true, delete: true };
const roles = [
  { name: 'reader', types: { book: { list: true, get: true } } },
  {
    name: 'writer',
    types: { book: all, chapter: { ...all, get: 'hidden = false' }, remark: { list: true, get: true } },
  },
  {
    name: 'outsider',
    types: { book: { ...all, read: { except: ['cover'] }, write: { except: ['isbn', 'body'] } }, chapter: all },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([book, chapter, remark, topic, page], { roles, languages: 'en,de', builtIn: true });
  await service.account('eve', 'editor');
  for (const { name } of roles) await service.account(name, name);
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = '/api/v1/admin/cms';
const send = (line: string, body?: object, as = 'eve'): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
async function must(status: number, line: string, body?: object, as = 'eve'): Promise<Reply['json']> {
  const reply = await send(line, body, as);
  expect([line, reply.status, reply.status === status ? undefined : reply.json]).toEqual([line, status, undefined]);
  return reply.json;
}
const make = (plural: string, body: object) => must(201, `POST ${admin}/${plural}`, body);
const get = (plural: string, id: string, query = '') => must(200, `GET ${admin}/${plural}/${id}${query}`);
const duplicate = (plural: string, id: string, body: object = {}, as = 'eve') =>
  send(`POST ${admin}/${plural}/${id}/duplicate`, body, as);
const upload = async (name: string) =>
  (await uploadRaw(service, new TextEncoder().encode('words'), { as: 'eve', name, type: 'text/plain' })).json;
const list = async (plural: string, filter: string) =>
  (await must(200, `GET ${admin}/${plural}?sort=id:asc&filter=${encodeURIComponent(filter)}`)).items;

async function someBook(title: string, values: object = {}) {
  const made = await make('books', { title, status: 'published', ...values });
  const one = await make('chapters', { name: 'One', book: made.id, status: 'published' });
  const two = await make('chapters', { name: 'Two', book: made.id, next: one.id });
  await must(200, `PUT ${admin}/chapters/${one.id}`, { next: two.id });
  return { book: made, one, two };
}

describe('a copy with what belongs to it', () => {
  test('has the values, states that begin anew, slugs that are free, and leads to the other copies', async () => {
    const file = await upload('cover.txt');
    const source = await someBook('Deep', { isbn: '1', secret: 'long enough', cover: file.id });
    const remarked = await make('remarks', { text: 'Good', place: 1, chapter: source.two.id });
    const gone = await make('chapters', { name: 'Gone', book: source.book.id });
    await must(204, `DELETE ${admin}/chapters/${gone.id}`);
    const topics = [await make('topics', { name: 'b' }), await make('topics', { name: 'a' })].map(({ id }) => id);
    await must(200, `PUT ${admin}/chapters/${source.two.id}`, { topics });
    await must(200, `PUT ${admin}/books/${source.book.id}?language=de`, {
      title: 'Tief',
      slug: 'tief',
      lock_version: 1,
    });
    await must(200, `PUT ${admin}/chapters/${source.one.id}?language=de`, { name: 'Eins' });
    const now = await get('books', source.book.id);
    const body = [{ block: 'quote', words: 'x', of: source.two.id }];
    const written = { first: source.two.id, body, lock_version: now.lock_version };
    const changed = await must(200, `PUT ${admin}/books/${source.book.id}`, written);
    await must(200, `PUT ${admin}/books/${source.book.id}?draft=true`, {
      title: 'Draft',
      lock_version: changed.lock_version,
    });

    const { status, json, headers } = await duplicate('books', source.book.id);
    expect([status, json?.copies ?? json, json?.hidden]).toEqual([201, { book: 1, chapter: 2, remark: 1 }, 0]);
    const copy = json.record;
    expect(headers.get('location')).toBe(`${admin}/books/${copy.id}`);
    expect(copy).toMatchObject({
      title: 'Deep',
      slug: 'deep-2',
      status: 'draft',
      isbn: null,
      __draft: null,
      __languages: ['en', 'de'],
    });
    expect(copy.cover.id).toBe(file.id);
    const chapters = await list('chapters', `book = "${copy.id}"`);
    const [one, two] = ['One', 'Two'].map((name) => chapters.find((each: { name: string }) => each.name === name));
    expect(chapters.length).toBe(2);
    expect([one.status, one.next, two.next]).toEqual(['draft', two.id, one.id]);
    expect(two.topics).toEqual(topics);
    expect(one.position < two.position).toBe(true);
    const stored = await get('books', copy.id);
    expect(stored.first).toBe(two.id);
    expect(stored.body).toEqual([{ block: 'quote', id: expect.any(String), words: 'x', of: two.id }]);
    expect(stored.body[0].id).not.toBe((await get('books', source.book.id)).body[0].id);
    const remarks = await list('remarks', `chapter = "${two.id}"`);
    expect(remarks).toMatchObject([{ text: 'Good', place: 1 }]);
    expect(remarks[0].id).not.toBe(remarked.id);
    expect(await get('books', copy.id, '?language=de')).toMatchObject({
      title: 'Tief',
      slug: 'tief-2',
      status: 'draft',
    });
    expect((await get('chapters', one.id, '?language=de')).name).toBe('Eins');
    // The record itself is as it was.
    expect(await get('books', source.book.id)).toMatchObject({ title: 'Deep', slug: 'deep', first: source.two.id });
  });

  test('is of the record alone where that is asked for, with other values where some are sent', async () => {
    const source = await someBook('Alone', { isbn: '2' });
    const { json } = await duplicate('books', source.book.id, { related: false, set: { title: 'Other', isbn: '3' } });
    expect([json.copies, json.record.title, json.record.isbn, json.record.slug]).toEqual([
      { book: 1 },
      'Other',
      '3',
      'other',
    ]);
    expect(await duplicate('books', source.book.id, { set: { isbn: '3' } })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'set.isbn', code: 'taken' }] },
    });
    expect((await duplicate('books', source.book.id, { nothing: 1 })).status).toBe(422);
    expect((await duplicate('books', 'x')).status).toBe(404);
    const sheet = await make('sheets', { code: 'own' });
    expect((await duplicate('sheets', sheet.id)).json.record.code).toBe('own-2');
  });

  test('goes round in circles once', async () => {
    const source = await someBook('Round');
    const first = await make('remarks', { text: 'a', chapter: source.one.id });
    const second = await make('remarks', { text: 'b', answers: first.id });
    await must(200, `PUT ${admin}/remarks/${first.id}`, { answers: second.id });
    const { json } = await duplicate('books', source.book.id);
    expect(json.copies).toEqual({ book: 1, chapter: 2, remark: 2 });
    const [copy] = await list('remarks', `text = "a" && id != "${first.id}"`);
    const other = await get('remarks', copy.answers);
    expect([other.text, other.answers]).toEqual(['b', copy.id]);
    // Removal ends too, and takes all of it.
    await must(204, `DELETE ${admin}/books/${source.book.id}`);
    for (const [plural, id] of [
      ['chapters', source.one.id],
      ['remarks', first.id],
      ['remarks', second.id],
    ])
      expect((await send(`GET ${admin}/${plural}/${id}`)).status).toBe(404);
  });

  test('is all or nothing, and of a bounded number of records', async () => {
    const source = await make('books', { title: 'Many' });
    const text = Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}`, book: source.id }));
    await Promise.all(text.map((values) => service.seed('chapters', values)));
    expect(await duplicate('books', source.id)).toMatchObject({ status: 409, json: { code: 'too_many_records' } });
    expect((await list('books', 'title = "Many"')).length).toBe(1);
  });
});

describe('rights', () => {
  test('each copy is created by the caller, and what they may not get is not copied', async () => {
    const source = await someBook('Rights');
    await must(200, `PUT ${admin}/chapters/${source.one.id}`, { hidden: true });
    expect((await duplicate('books', source.book.id, {}, 'reader')).status).toBe(403);
    const { json } = await duplicate('books', source.book.id, {}, 'writer');
    expect([json.copies, json.hidden]).toEqual([{ book: 1, chapter: 1 }, 1]);
    // The copy leads to no record that its maker does not get.
    const remark = await make('remarks', { text: 'no', chapter: source.two.id });
    expect(await duplicate('books', source.book.id, {}, 'writer')).toMatchObject({ status: 403 });
    expect((await list('books', 'title = "Rights"')).length).toBe(2);
    await must(204, `DELETE ${admin}/remarks/${remark.id}`);
  });

  test('fields that the caller may not read or write are left out', async () => {
    const file = await upload('a.txt');
    const source = await make('books', { title: 'Fields', cover: file.id, body: [{ block: 'quote', words: 'x' }] });
    const { json } = await duplicate('books', source.id, {}, 'outsider');
    expect([json.record.title, 'cover' in json.record, json.record.body]).toEqual(['Fields', false, null]);
    expect(await get('books', json.record.id)).toMatchObject({ cover: null });
  });
});

test('a relation that cascades says so rightly', async () => {
  const refused = async (relation: object, more: object = {}) =>
    TestService.open([topic, { ...page, fields: [{ name: 'of', field_type: 'relation', relation, ...more }] }]).then(
      () => 'taken',
      (error) => String(error),
    );
  expect(await refused({ ...belongsTo('topics'), relation_type: 'many_to_many' })).toMatch(/relation\.cascade/);
  expect(await refused(belongsTo('users'))).toMatch(/do not belong to accounts/);
});
