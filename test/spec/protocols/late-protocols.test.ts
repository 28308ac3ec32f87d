// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { compiledQuery } from '../../../packages/recto/src/database/compiled-query.ts';
import { syncSchema } from '../../../packages/recto/src/database/schema/sync-schema.ts';
import { AnswerCache } from '../../../packages/recto/src/records/answer-cache.ts';
import { CursorSealer } from '../../../packages/recto/src/records/cursor-sealer.ts';
import { Records } from '../../../packages/recto/src/records/records.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { definitionsOf } from '../../support/definitions.ts';

// Protocols that a type takes on, or leaves, when it has records already.

const caller = { kind: 'account', id: '01990000-0000-7000-8000-000000000001', role: 'admin', session: 's' } as const;

async function typeWith(database: TestDatabase, protocols: readonly unknown[], more: readonly object[] = []) {
  const fields = [{ name: 'title', field_type: 'text' }, ...more];
  const types = definitionsOf({ singular: 'note', plural: 'notes', protocols, fields });
  await syncSchema(database, types);
  const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
  const cursors = new CursorSealer('a secret of the tests, long enough');
  const records = new Records({ database, types, answers, cursors, limits: { pageSize: 20, maxPageSize: 20 } });
  const type = types.get('note');
  const admin = { type, admin: true, caller, search: '' } as const;
  return {
    make: (payload: object) => records.create({ ...admin, payload: { ...payload } }),
    update: (id: string, payload: object) => records.update({ ...admin, id, ifMatch: null, payload: { ...payload } }),
    remove: (id: string) => records.delete({ ...admin, id, ifMatch: null }),
    revisions: records.revisions,
    whose: (id: string) => ({ type, caller, id, search: '' }),
    // biome-ignore lint/suspicious/noExplicitAny: the body of a list, looked into by paths that fail the test when wrong.
    list: async (view: 'list' | 'admin' = 'list'): Promise<any[]> =>
      JSON.parse(String((await records.list(type, view, caller, '')).body)).items,
  };
}

test('records that are there already fit into protocols that come later', async () => {
  await using database = await openTestDatabase();
  const before = await typeWith(database, []);
  const [a, b] = [await before.make({ title: 'a' }), await before.make({ title: 'b' })];
  const after = await typeWith(database, ['soft_deletable', 'statusable', 'expirable', 'nestable', 'sortable']);
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
  await using database = await openTestDatabase();
  const before = await typeWith(database, [], code);
  await before.make({ title: 'of nobody', code: 'x' });
  const after = await typeWith(database, ['tenantable'], code);
  const other = await after.make({ title: 'a', code: 'x', tenant_id: 'acme' });
  await expect(after.make({ title: 'b', code: 'x', tenant_id: 'acme' })).rejects.toMatchObject({ status: 422 });
  await expect(after.make({ title: 'c', code: 'x' })).rejects.toMatchObject({ status: 422 });
  // The indexes say so too: of two writers at the same moment the database rejects one.
  for (const tenant of ['acme', null]) {
    const row = compiledQuery(
      sql`insert into cms_note (id, code, tenant_id) values ('y', 'x', ${tenant})`,
      database.dialect,
    );
    await expect(database.transaction((transaction) => Promise.resolve(transaction.run(row)))).rejects.toThrow();
  }
  await expect(typeWith(database, [], code)).rejects.toThrow(
    'field "code" is defined as unique, but 1 value of it stands in more',
  );
  await after.remove(other.id);
  const again = await typeWith(database, [], code);
  await expect(again.make({ title: 'd', code: 'x' })).rejects.toMatchObject({ status: 422 });
});

test('marks and times that a type no longer reads are there again when it does', async () => {
  await using database = await openTestDatabase();
  const marking = await typeWith(database, ['soft_deletable']);
  const { id } = await marking.make({ title: 'gone' });
  await marking.remove(id);
  expect(await marking.list()).toEqual([]);
  const plain = await typeWith(database, []);
  expect((await plain.list()).map(({ title }) => title)).toEqual(['gone']);
  expect(await (await typeWith(database, ['soft_deletable'])).list('admin')).toEqual([]);
});

test('of records that were there before their type was versionable, the state before the first change is kept', async () => {
  await using database = await openTestDatabase();
  const { id } = await (await typeWith(database, [])).make({ title: 'old' });
  const { update, revisions, whose } = await typeWith(database, ['versionable']);
  const read = async (number?: number) => {
    const answer =
      number === undefined ? revisions.list(whose(id), { page: 1, pageSize: 20 }) : revisions.get(whose(id), number);
    return JSON.parse(String((await answer).body));
  };
  expect(await read()).toMatchObject({ items: [], total: 0 });
  await update(id, { title: 'old' });
  expect((await read()).total).toBe(0);
  await update(id, { title: 'new' });
  expect((await read()).items).toMatchObject([
    { revision: 2, action: 'update', author: caller.id, changed: ['title'] },
    { revision: 1, action: 'existing', author: null, author_kind: null, changed: [] },
  ]);
  expect((await read(1)).record).toEqual({ id, title: 'old' });
  await update(id, { title: 'newer' });
  expect((await read()).total).toBe(3);
});
