// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { newTestLocation, query, type TestLocation } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Protocols that a type takes on, or leaves, when it has records already.

const admin = '/api/v1/admin/cms/notes';

/** A service that starts on the same database, with the type as it is by now. */
async function typeWith({ location }: TestLocation, protocols: readonly unknown[], more: readonly object[] = []) {
  const fields = [{ name: 'title', field_type: 'text' }, ...more];
  const types = [{ singular: 'note', plural: 'notes', protocols, fields }];
  const service = await TestService.open(types, { database: { location } });
  const as = `ada-${crypto.randomUUID()}`;
  const author = await service.account(as, 'admin');
  const ok = async (line: string, body?: object): Promise<Reply['json']> => {
    const { status, json, text } = await service.send(line, { as, ...(body === undefined ? {} : { body }) });
    expect({ line, status: status < 300, text }).toEqual({ line, status: true, text });
    return json;
  };
  return {
    service,
    author,
    ok,
    make: (body: object) => ok(`POST ${admin}`, body),
    /** The status of a creation that is rejected, with what it is about. */
    refused: async (body: object) => {
      const { status, json } = await service.send(`POST ${admin}`, { as, body });
      return [status, json.errors?.[0].field];
    },
    update: (id: string, body: object) => ok(`PUT ${admin}/${id}`, body),
    remove: (id: string) => ok(`DELETE ${admin}/${id}`),
    list: async (path = '/api/v1/cms/notes'): Promise<Reply['json'][]> => (await ok(`GET ${path}`)).items,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

test('records that are there already fit into protocols that come later', async () => {
  await using place = await newTestLocation();
  await using before = await typeWith(place, []);
  const [a, b] = [await before.make({ title: 'a' }), await before.make({ title: 'b' })];
  await using after = await typeWith(place, ['soft_deletable', 'statusable', 'expirable', 'nestable', 'sortable']);
  for (const record of await after.list()) {
    expect(record).toMatchObject({ status: 'draft', expires_at: null, deleted_at: null, parent_id: null, depth: 0 });
  }
  await after.make({ title: 'c', parent_id: b.id });
  expect((await after.list()).map(({ title, depth }) => [title, depth])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 1],
  ]);
  await after.update(b.id, { parent_id: a.id, status: 'published' });
  expect((await after.list()).map(({ title, depth }) => [title, depth])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ]);
});

test('unique values become those of a tenant, and of all again where they may', async () => {
  const code = [{ name: 'code', field_type: 'text', unique: true }];
  await using place = await newTestLocation();
  await using before = await typeWith(place, [], code);
  await before.make({ title: 'of nobody', code: 'x' });
  await using after = await typeWith(place, ['tenantable'], code);
  const other = await after.make({ title: 'a', code: 'x', tenant_id: 'acme' });
  expect(await after.refused({ title: 'b', code: 'x', tenant_id: 'acme' })).toEqual([422, 'code']);
  expect(await after.refused({ title: 'c', code: 'x' })).toEqual([422, 'code']);
  // The indexes say so too: of two writers at the same moment the database rejects one.
  for (const tenant of ['acme', null]) {
    const row = query("insert into cms_note (id, code, tenant_id) values ('y', 'x', ?)", tenant);
    const { database } = after.service;
    await expect(database.transaction((transaction) => Promise.resolve(transaction.run(row)))).rejects.toThrow();
  }
  await expect(typeWith(place, [], code)).rejects.toThrow(
    'field "code" is defined as unique, but 1 value of it stands in more',
  );
  await after.remove(other.id);
  await using again = await typeWith(place, [], code);
  expect(await again.refused({ title: 'd', code: 'x' })).toEqual([422, 'code']);
});

test('marks and times that a type no longer reads are there again when it does', async () => {
  await using place = await newTestLocation();
  await using marking = await typeWith(place, ['soft_deletable']);
  const { id } = await marking.make({ title: 'gone' });
  await marking.remove(id);
  expect(await marking.list()).toEqual([]);
  await using plain = await typeWith(place, []);
  expect((await plain.list()).map(({ title }) => title)).toEqual(['gone']);
  await using again = await typeWith(place, ['soft_deletable']);
  expect(await again.list(admin)).toEqual([]);
});

test('of records that were there before their type was versionable, the state before the first change is kept', async () => {
  await using place = await newTestLocation();
  await using plain = await typeWith(place, []);
  const { id } = await plain.make({ title: 'old' });
  await using after = await typeWith(place, ['versionable']);
  const { update } = after;
  const read = (number?: number) => after.ok(`GET ${admin}/${id}/revisions${number === undefined ? '' : `/${number}`}`);
  expect(await read()).toMatchObject({ items: [], total: 0 });
  await update(id, { title: 'old' });
  expect((await read()).total).toBe(0);
  await update(id, { title: 'new' });
  expect((await read()).items).toMatchObject([
    { revision: 2, action: 'update', author: after.author, changed: ['title'] },
    { revision: 1, action: 'existing', author: null, author_kind: null, changed: [] },
  ]);
  expect((await read(1)).record).toEqual({ id, title: 'old' });
  await update(id, { title: 'newer' });
  expect((await read()).total).toBe(3);
});
