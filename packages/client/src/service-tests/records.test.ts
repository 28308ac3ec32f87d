// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { createClient, createReader } from '../index.ts';
import { credentials, failure, serviceOfFile, url } from './service.fixture.ts';

const { admin, service, through, watched } = serviceOfFile();

interface Settings {
  title: string | null;
}
interface SettingsEntry {
  kind: 'single';
  plural: 'site-settings';
  get: Settings;
  list: Settings;
  created: Settings;
  updated: Settings;
  admin: Settings;
  create: Settings;
  update: Partial<Settings>;
  relations: Record<never, never>;
}

describe('records', () => {
  test('are created, read, changed and deleted, with what is related', async () => {
    const recto = await admin();
    const author = await recto.collection('authors').create({ name: 'Ines Ferreira' });
    const made = await recto.admin
      .collection('articles')
      .create({ title: 'On margins', status: 'published', author: author.id });
    const read = await recto.collection('articles').get(made.id, { include: ['author'] as never[] });
    expect(read).toMatchObject({ title: 'On margins', author: { name: 'Ines Ferreira' } });
    const changed = await recto.admin.collection('articles').update(made.id, { title: 'On wide margins' });
    expect(changed.title).toBe('On wide margins');
    const page = await recto.collection('articles').list({ filter: { author: { name: { like: 'ines%' } } } });
    expect(page).toMatchObject({ total: 1, items: [{ title: 'On wide margins' }] });
    await recto.admin.collection('articles').delete(made.id);
    expect(await failure(recto.collection('articles').get(made.id))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('of a single type have no id, and names in camelCase are the same', async () => {
    const recto = createClient<{ 'site-settings': SettingsEntry }>({ url, fetch: through });
    await recto.auth.login(credentials);
    expect(await recto.siteSettings.update({ title: 'The Review' })).toMatchObject({ title: 'The Review' });
    expect(await recto['site-settings'].get()).toEqual(await recto.siteSettings.get());
  });

  test('of the simple mode are written at its addresses', async () => {
    const recto = createClient({ url, fetch: through, simple_mode: ['orders'] });
    await recto.auth.login(credentials);
    const orders = recto.collection('orders');
    const { id } = await orders.create({ code: 'a' });
    expect(await orders.update(id, { code: 'b' })).toMatchObject({ id, code: 'b' });
    await orders.delete(id);
    expect((await failure(orders.get(id))).status).toBe(404);
  });

  test('of a list are all gone through, a page at a time', async () => {
    const recto = await admin();
    for (let count = 0; count < 7; count += 1) await recto.collection('topics').create({ name: `Topic ${count}` });
    const { sent, fetch } = watched();
    const reader = createReader({ url, fetch });
    const names: string[] = [];
    for await (const topic of reader.topics?.all({ page_size: 3, sort: 'name:asc' }) ?? []) {
      names.push(topic.name);
      expect(sent.length).toBe(Math.ceil(names.length / 3));
      if (names.length === 5) break;
    }
    expect(names).toEqual(['Topic 0', 'Topic 1', 'Topic 2', 'Topic 3', 'Topic 4']);
    expect(sent.length).toBe(2);
  });

  test('of a list arrive as CSV', async () => {
    const recto = await admin();
    for (const name of ['Gulf', 'Gulf =1+1']) await recto.collection('topics').create({ name });
    const options = { filter: { name: { like: 'Gulf%' } }, sort: 'name:asc', fields: ['name'] } as const;
    const rows = await createReader({ url, fetch: through }).topics?.csv(options);
    const lines = (await new Response(rows).text()).split('\r\n').map((line) => line.replace(/^[0-9a-f-]{36},/, ''));
    expect(lines).toEqual(['id,name', 'Gulf', 'Gulf =1+1', '']);
    const { fetch, sent } = watched();
    await (await admin(fetch)).admin.collection('topics').csv({ filter: { name: 'Gulf' } });
    expect(new URL(sent.at(-1)?.url ?? '').searchParams.get('format')).toBe('csv');
    const wrong = recto.collection('topics').csv({ query: { unknown: 1 } });
    expect(await failure(wrong)).toMatchObject({ status: 400, code: 'unknown_parameter' });
  });

  test('are counted in groups', async () => {
    const recto = await admin();
    const topics = recto.collection('topics');
    for (const name of ['Sea 1', 'Sea 2']) await topics.create({ name });
    const { items, truncated } = await topics.aggregate({
      group: ['name'],
      count: true,
      filter: { name: { like: 'Sea%' } },
      sort: 'name:desc',
    });
    expect(items).toEqual([
      { name: 'Sea 2', count: 1 },
      { name: 'Sea 1', count: 1 },
    ]);
    expect(truncated).toBe(false);
  });

  test('are returned in part where fields are named, and changed all the same', async () => {
    const { fetch, sent } = watched();
    const recto = await admin(fetch);
    const { id } = await recto.collection('topics').create({ name: 'In part' });
    const other = await admin(fetch);
    const topics = other.collection('topics');
    const { items } = await topics.list({ filter: { id }, fields: ['name', 'slug'] });
    expect(items).toEqual([{ id, name: 'In part', slug: 'in-part' }]);
    for await (const topic of topics.all({ filter: { id }, fields: ['name'] })) {
      expect(topic).toEqual({ id, name: 'In part' });
    }
    expect(await topics.get(id, { fields: ['slug'] })).toEqual({ id, slug: 'in-part' });
    const post = await recto.collection('posts').create({ title: 'In part', content: 'x', status: 'Published' });
    const shown = await other.collection('posts').get('in-part', {
      fields: ['title'],
      query: { include: 'author' },
    });
    expect(Object.keys(shown)).toEqual(['id', 'title', 'author']);
    expect(shown.id).toBe(post.id);
    // The tag of a part is not that of the record.
    expect(await topics.update(id, { name: 'Whole' })).toMatchObject({ name: 'Whole' });
    expect(sent.at(-1)?.headers.has('if-match')).toBe(false);
  });

  test('have one revision for each sitting, and names for revisions', async () => {
    const [recto, other] = [await admin(), await admin()];
    const posts = recto.admin.collection('posts');
    const { id } = await recto.collection('posts').create({ title: 'Sitting', content: '' });
    const sitting = posts.sitting(id);
    for (const content of ['P', 'Paper', 'Paper is']) await sitting.autosave({ content });
    const heads = async () =>
      (await posts.revisions(id).list()).items.map(({ revision, action, name }) => [revision, action, name]);
    expect(await heads()).toEqual([
      [2, 'autosave', null],
      [1, 'create', null],
    ]);
    expect(await sitting.keep({ content: 'Paper is patient.' })).toMatchObject({ content: 'Paper is patient.' });
    expect(await posts.revisions(id).name(2, 'First version')).toMatchObject({ revision: 2, name: 'First version' });
    expect(await heads()).toEqual([
      [2, 'update', 'First version'],
      [1, 'create', null],
    ]);
    expect((await posts.revisions(id).name(2, null)).name).toBeNull();
    // It is the record itself that a sitting changes, so its tag holds for both.
    await other.admin.collection('posts').get(id);
    await posts.update(id, { content: 'Mine' });
    const late = other.admin.collection('posts').sitting(id);
    expect(await failure(late.autosave({ content: 'Late' }))).toMatchObject({ status: 409, code: 'stale' });
    await late.autosave({ content: 'Late' }, { if_match: false });
    await late.keep();
    expect((await other.admin.collection('posts').get(id)).content).toBe('Late');
  });

  test('have drafts, revisions and a status', async () => {
    const recto = await admin();
    const post = await recto.collection('posts').create({ title: 'News', content: 'One', status: 'Published' });
    await recto.admin.collection('posts').draft(post.id).update({ content: 'Two' });
    expect((await recto.admin.collection('posts').draft(post.id).get()).content).toBe('Two');
    expect((await recto.collection('posts').get('news')).content).toBe('One');
    expect(await recto.admin.collection('posts').publish(post.id)).toMatchObject({ content: 'Two' });
    const revisions = await recto.admin.collection('posts').revisions(post.id).list();
    const [newest, , first] = [revisions.items[0]?.revision ?? 0, 0, revisions.items.at(-1)?.revision ?? 0];
    expect((await recto.admin.collection('posts').revisions(post.id).get(first)).record).toMatchObject({
      content: 'One',
    });
    const diff = await recto.admin.collection('posts').revisions(post.id).diff(first, newest);
    expect(diff.map(({ path }) => path)).toContain('/content');
    expect(await recto.admin.collection('posts').revisions(post.id).restore(first)).toMatchObject({ content: 'One' });
    expect(await recto.admin.collection('posts').status(post.id, 'Archived')).toMatchObject({ status: 'Archived' });
  });
});

describe('the comments of a post', () => {
  test('are read as threads, and written as a guest or as an account', async () => {
    const recto = await admin();
    const { id } = await recto.collection('posts').create({ title: 'Letters', content: 'x', status: 'Published' });
    const guest = createClient({ url, fetch: through });
    const asked = await guest.thread('letters').create({ content: 'Who wrote this?', nickname: 'Bo' });
    expect(asked).toMatchObject({ status: 'Pending', author_id: null });
    const answered = await recto.thread('letters').create({ content: 'I did.', parent_id: asked.id });
    expect(answered.author_id).toBe(service.idOf('ada'));
    await recto.admin.collection('comments').batch({ action: 'approve', ids: [asked.id, answered.id] });
    const { items } = await guest.thread('letters').list();
    expect(items).toMatchObject([{ nickname: 'Bo', post_id: id, replies: [{ content: 'I did.', replies: [] }] }]);
  });
});
