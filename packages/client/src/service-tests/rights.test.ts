// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { createAdminClient } from '../create-admin-client.ts';
import { credentials, failure, serviceOfFile, url } from './service.fixture.ts';

const { admin, through } = serviceOfFile();

/** Proves that it is her, as changes of roles and tokens ask for. */
async function provenAdmin() {
  const recto = await admin();
  await recto.auth.stepUp({ current_password: credentials.password });
  return recto;
}

describe('rights', () => {
  test('are those of the role, and of each record with `may`', async () => {
    const recto = createAdminClient({ url, fetch: through });
    await recto.auth.login({ ...credentials, email: 'wim@example.com' });
    const { role, types, may } = await recto.admin.permissions();
    expect({ role, names: Object.keys(types), may: may.media }).toEqual({
      role: 'writer',
      names: ['article'],
      may: 'none',
    });
    expect(types.article).toMatchObject({ list: 'all', update: 'some', delete: 'none', write: ['title'] });
    expect(types.article?.read).not.toContain('featured');
    const own = await recto.admin.collection('articles').create({ title: 'Mine' });
    const others = await (await admin()).admin.collection('articles').create({ title: 'Hers' });
    const articles = recto.admin.collection('articles');
    const { items } = await articles.list({ may: true, filter: { id: [own.id, others.id] }, sort: 'title:desc' });
    expect(items.map(({ title, __may }) => [title, __may])).toEqual([
      ['Mine', ['update']],
      ['Hers', []],
    ]);
    expect((await articles.get(own.id, { may: true })).__may).toEqual(['update']);
    // The tag of such a read is not that of the record, and is not sent with the change.
    expect(await articles.update(own.id, { title: 'Mine still' })).toMatchObject({ title: 'Mine still' });
    for await (const { __may } of articles.all({ may: true, filter: { id: own.id } }))
      expect(__may).toEqual(['update']);
    await (await admin()).admin.collection('articles').batch({ action: 'delete', ids: [own.id, others.id] });
  });

  test('roles are created, read, replaced and deleted', async () => {
    const { roles } = (await provenAdmin()).admin;
    const made = await roles.create({ name: 'proofreader', types: { article: { list: true, get: true } } });
    expect(made).toMatchObject({ name: 'proofreader', source: 'api', revision: 1 });
    expect((await roles.get('writer')).source).toBe('file');
    expect(await roles.update('proofreader', { label: 'Proofs', base: 'editor' })).toMatchObject({ label: 'Proofs' });
    // Once more, after the tag of the first change: roles are replaced whatever they were.
    expect(await roles.update('proofreader', { label: 'Proof' })).toMatchObject({ label: 'Proof', base: 'member' });
    expect((await roles.list({ page_size: 10 })).items.map(({ name }) => name)).toEqual(['proofreader', 'writer']);
    await roles.delete('proofreader');
    expect((await failure(roles.get('proofreader'))).code).toBe('not_found');
    expect((await failure(roles.delete('writer'))).code).toBe('belongs_to_deployment');
  });

  test('API tokens are narrowed by scopes', async () => {
    const { apiTokens } = (await provenAdmin()).admin;
    const { id, token, scopes } = await apiTokens.create({ name: 'Shop', role: 'editor', scopes: ['articles:read'] });
    expect(scopes).toEqual(['articles:read']);
    const shop = createAdminClient({ url, fetch: through, token });
    expect((await shop.admin.permissions()).types).toMatchObject({ article: { list: 'all', update: 'none' } });
    expect((await failure(shop.admin.collection('authors').list())).code).toBe('insufficient_scope');
    expect((await apiTokens.list()).items.map((each) => each.id)).toContain(id);
    expect(await apiTokens.get(id)).toMatchObject({ name: 'Shop', role: 'editor' });
    await apiTokens.delete(id);
    expect((await failure(shop.admin.permissions())).status).toBe(401);
  });
});

test('saved views and preferences of the caller', async () => {
  const { savedViews, myPreferences } = (await admin()).admin;
  const made = await savedViews.create({ type: 'articles', name: 'Drafts', filter: 'status = "draft"' });
  expect(made).toMatchObject({ type: 'articles', shared: false, columns: [], may_change: true });
  expect(await savedViews.update(made.id, { shared: true })).toMatchObject({ id: made.id, shared: true });
  expect((await savedViews.list({ query: { type: 'articles' } })).items.map(({ name }) => name)).toEqual(['Drafts']);
  expect((await savedViews.get(made.id)).filter).toBe('status = "draft"');
  await savedViews.delete(made.id);
  expect((await failure(savedViews.get(made.id))).code).toBe('not_found');
  await myPreferences.update('list:articles', { value: { columns: ['title'] } });
  const [only] = (await myPreferences.list()).items;
  expect(only).toMatchObject({ name: 'list:articles', value: { columns: ['title'] } });
  await myPreferences.delete('list:articles');
  expect((await myPreferences.list()).items).toEqual([]);
});
