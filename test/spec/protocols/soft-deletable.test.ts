// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../support/definitions.ts';
import { TestService } from '../../support/service.ts';

// A delete that marks: who sees what is marked, what references to it return, and how it comes back or goes for good.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    protocols: ['soft_deletable', 'timestampable', 'lockable'],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'code', field_type: 'text', unique: true },
      relation('links', 'one_to_many', 'links', { mapped_by: 'note' }),
    ],
    api: { ...open, list: { cache: true }, get: { cache: true } },
  },
  {
    singular: 'link',
    plural: 'links',
    protocols: ['soft_deletable'],
    fields: [
      { ...relation('note', 'many_to_one', 'notes'), required: true },
      relation('others', 'many_to_many', 'notes'),
    ],
    api: { ...open, list: { cache: true }, get: { cache: true } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('mia');
  await service.account('eve', 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const ids = async (path: string, as?: string): Promise<readonly string[]> => {
  const { status, json } = await service.send(`GET ${path}`, as === undefined ? {} : { as });
  expect(status).toBe(200);
  expect(json.total).toBe(json.items.length);
  return json.items.map(({ id }: { id: string }) => id);
};
const admin = '/api/v1/admin/cms/notes';
const notes = '/api/v1/cms/notes';
let count = 0;
const made = (more: object = {}) => service.seed('notes', { title: `word${++count}`, code: `c${count}`, ...more });
async function deleted(more: object = {}, as = 'mia') {
  const note = await made(more);
  expect((await service.send(`DELETE ${notes}/${note.id}`, { as })).status).toBe(204);
  return note;
}

describe('what is deleted', () => {
  test('is returned by no read, cached or not, except to admins who ask for it', async () => {
    const note = await made();
    const listed = `${notes}?code=${note.code}`;
    const searched = `${notes}?search=${note.title}`;
    for (const path of [listed, searched]) expect(await ids(path)).toEqual([note.id]);
    expect((await service.send(`DELETE ${notes}/${note.id}`, { as: 'mia' })).status).toBe(204);
    for (const path of [listed, searched]) expect(await ids(path)).toEqual([]);
    for (const as of [undefined, 'mia', 'eve', 'ada']) {
      const reply = await service.send(`GET ${notes}/${note.id}`, as === undefined ? {} : { as });
      expect([reply.status, reply.json.code]).toEqual([404, 'not_found']);
    }
    expect(await ids(`${admin}?code=${note.code}`, 'eve')).toEqual([]);
    expect((await service.send(`GET ${admin}/${note.id}`, { as: 'eve' })).status).toBe(404);
    for (const choice of ['only', 'with']) {
      expect(await ids(`${admin}?code=${note.code}&deleted=${choice}`, 'eve')).toEqual([note.id]);
      const { json } = await service.send(`GET ${admin}/${note.id}?deleted=${choice}`, { as: 'ada' });
      expect(json).toMatchObject({ ...note, deleted_at: expect.any(String), deleted_by: service.idOf('mia') });
    }
  });

  test('only lists what is deleted, with lists all', async () => {
    const [gone, kept] = [await deleted({ title: 'pair' }), await made({ title: 'pair' })];
    expect(await ids(`${admin}?title=pair`, 'ada')).toEqual([kept.id]);
    expect(await ids(`${admin}?title=pair&deleted=only`, 'ada')).toEqual([gone.id]);
    expect(await ids(`${admin}?title=pair&deleted=with`, 'ada')).toEqual([gone.id, kept.id]);
  });

  test.each([
    [`${notes}?deleted=with`, 'unknown_parameter'],
    [`${admin}?deleted=yes`, 'invalid_parameter'],
    [`${admin}?deleted=`, 'invalid_parameter'],
  ])('%s is 400', async (path, code) => {
    const { status, json } = await service.send(`GET ${path}`, { as: 'ada' });
    expect([status, json.code]).toEqual([400, code]);
  });

  test('is updated and deleted no more, not by admins either', async () => {
    const { id } = await deleted();
    for (const base of [notes, admin]) {
      expect((await service.send(`PUT ${base}/${id}`, { as: 'ada', body: { title: 'x' } })).status).toBe(404);
      expect((await service.send(`DELETE ${base}/${id}`, { as: 'ada' })).status).toBe(404);
    }
  });

  test('keeps its unique values', async () => {
    const { code } = await deleted();
    const { status, json } = await service.send(`POST ${notes}`, { body: { code } });
    expect([status, json.errors?.[0]?.code]).toEqual([422, 'taken']);
  });

  test('an anonymous caller deletes as nobody', async () => {
    const { id } = await made();
    await service.send(`DELETE ${notes}/${id}`);
    const { json } = await service.send(`GET ${admin}/${id}?deleted=only`, { as: 'ada' });
    expect([typeof json.deleted_at, json.deleted_by]).toEqual(['string', null]);
  });

  test('what is sent for its columns is ignored', async () => {
    const { id } = await made();
    const body = { deleted_at: '2020-01-01T00:00:00Z', deleted_by: id };
    const { status, json } = await service.send(`PUT ${notes}/${id}`, { body });
    expect([status, json.deleted_at, json.deleted_by]).toEqual([200, null, null]);
  });
});

describe('references', () => {
  test('to what is deleted stay, and show nothing of it', async () => {
    const [note, other] = [await made(), await made()];
    const link = await service.seed('links', { note: note.id, others: [note.id, other.id] });
    const path = `/api/v1/cms/links/${link.id}`;
    const included = async () => (await service.send(`GET ${path}?include=note,others`)).json;
    expect(await included()).toMatchObject({ note: { id: note.id }, others: [{ id: note.id }, { id: other.id }] });
    // Required, and nothing stands against the delete: it is not left empty.
    expect((await service.send(`DELETE ${notes}/${note.id}`)).status).toBe(204);
    expect(await included()).toMatchObject({ note: null, others: [{ id: other.id }] });
    const asAdmin = await service.send(`GET /api/v1/admin/cms/links/${link.id}?include=note`, { as: 'ada' });
    expect(asAdmin.json.note).toBeNull();
    const { json } = await service.send(`GET ${path}`);
    expect(json.note).toBe(note.id);
    // A fetched record can be put back whole, but nothing new points to what is deleted.
    expect((await service.send(`PUT ${path}`, { body: json })).status).toBe(200);
    for (const body of [{ note: note.id }, { note: other.id, others: [note.id] }]) {
      const refused = await service.send('POST /api/v1/cms/links', { body });
      expect([refused.status, refused.json.errors?.[0]?.code]).toEqual([422, 'unknown_record']);
    }
    await service.send(`POST ${admin}/${note.id}/restore`, { as: 'ada' });
    expect(await included()).toMatchObject({ note: { id: note.id }, others: [{ id: note.id }, { id: other.id }] });
  });

  test('from what is deleted are no longer returned', async () => {
    const note = await made();
    const link = await service.seed('links', { note: note.id });
    const links = async (query = '') => (await service.send(`GET ${notes}/${note.id}${query}`)).json.links;
    expect(await links()).toEqual([link.id]);
    await service.send(`DELETE /api/v1/cms/links/${link.id}`);
    expect(await links()).toEqual([]);
    expect(await links('?include=links')).toEqual([]);
    const asAdmin = await service.send(`GET ${admin}/${note.id}?include=links`, { as: 'ada' });
    expect(asAdmin.json.links).toEqual([]);
  });
});

describe('restore', () => {
  test('brings a record back, as an update', async () => {
    const note = await deleted();
    const back = await service.send(`POST ${admin}/${note.id}/restore`, { as: 'eve' });
    expect(back.status).toBe(200);
    expect(back.json).toMatchObject({ ...note, updated_at: expect.any(String), lock_version: 2, deleted_at: null });
    expect(back.json.deleted_by).toBeNull();
    expect(await ids(`${notes}?code=${note.code}`)).toEqual([note.id]);
    expect(await ids(`${notes}?search=${note.title}`)).toEqual([note.id]);
    expect((await service.send(`GET ${notes}/${note.id}`)).json).toEqual(back.json);
  });
});

describe('purge', () => {
  test('removes a record for good, and its unique values with it', async () => {
    const note = await deleted();
    expect((await service.send(`DELETE ${admin}/${note.id}/purge`, { as: 'eve' })).status).toBe(204);
    expect(await ids(`${admin}?code=${note.code}&deleted=with`, 'ada')).toEqual([]);
    expect((await service.send(`POST ${notes}`, { body: { code: note.code } })).status).toBe(201);
  });

  test('is rejected while a record needs it', async () => {
    const note = await deleted();
    await service.send(`POST ${admin}/${note.id}/restore`, { as: 'ada' });
    const link = await service.seed('links', { note: note.id });
    await service.send(`DELETE ${notes}/${note.id}`);
    const purge = () => service.send(`DELETE ${admin}/${note.id}/purge`, { as: 'ada' });
    const refused = await purge();
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    // The reference of a deleted record counts as well: it may come back.
    await service.send(`DELETE /api/v1/cms/links/${link.id}`);
    expect((await purge()).status).toBe(409);
    await service.send(`DELETE /api/v1/admin/cms/links/${link.id}/purge`, { as: 'ada' });
    expect((await purge()).status).toBe(204);
  });
});

describe.each([
  ['POST', 'restore'],
  ['DELETE', 'purge'],
])('%s …/{id}/%s', (method, name) => {
  test.each([
    [undefined, 401],
    ['mia', 403],
  ])('by %p is %d', async (as, status) => {
    const { id } = await deleted();
    const sent = as === undefined ? {} : { as };
    expect((await service.send(`${method} ${admin}/${id}/${name}`, sent)).status).toBe(status);
    expect((await service.send(`GET ${admin}/${id}?deleted=only`, { as: 'ada' })).status).toBe(200);
  });
  test('of a record that is not deleted, or of none, is 404', async () => {
    const { id } = await made();
    for (const one of [id, id.replace(/.{4}$/, '0000'), 'nonsense']) {
      expect((await service.send(`${method} ${admin}/${one}/${name}`, { as: 'ada' })).status).toBe(404);
    }
    expect((await service.send(`GET ${notes}/${id}`)).status).toBe(200);
  });
  test('with a stale If-Match is 409', async () => {
    const { id } = await deleted();
    const sent = { as: 'ada', headers: { 'If-Match': '"stale"' } };
    expect((await service.send(`${method} ${admin}/${id}/${name}`, sent)).status).toBe(409);
    const { headers } = await service.send(`GET ${admin}/${id}?deleted=with`, { as: 'ada' });
    const current = { as: 'ada', headers: { 'If-Match': headers.get('etag') ?? '' } };
    expect((await service.send(`${method} ${admin}/${id}/${name}`, current)).status).toBeLessThan(300);
  });
});

test.each([
  [{ kind: 'single' }, /for a type that is a collection/],
  [{ protocols: [{ name: 'soft_deletable', days: 3 }] }, /takes no options/],
  [{ fields: [{ name: 'deleted', field_type: 'boolean' }] }, /a parameter of lists/],
  [{ fields: [{ name: 'deleted_at', field_type: 'datetime' }] }, /a column of a protocol/],
])('a definition with %j is refused', (more, message) => {
  const definition = { singular: 'a', plural: 'as', protocols: ['soft_deletable'], fields: [], ...more };
  expect(() => definitionsOf(definition)).toThrow(message);
});
