// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { createClient } from '../index.ts';
import { failure, serviceOfFile, url } from './service.fixture.ts';

const { admin, through, watched } = serviceOfFile();

describe('a change', () => {
  test('fails where the record has changed since it was read', async () => {
    const [one, other] = [await admin(), await admin()];
    const { id } = await one.collection('topics').create({ name: 'First' });
    await other.admin.collection('topics').get(id);
    await one.admin.collection('topics').update(id, { name: 'Second' });
    const error = await failure(other.admin.collection('topics').update(id, { name: 'Mine' }));
    expect(error).toMatchObject({ status: 409, code: 'stale' });
    await other.admin.collection('topics').update(id, { name: 'Mine' }, { if_match: false });
    expect(await other.admin.collection('topics').get(id)).toMatchObject({ name: 'Mine' });
    // What this client wrote last is what it knows.
    await other.admin.collection('topics').update(id, { name: 'Mine again' });
  });

  test('is made with the service’s own tag where a proxy has marked it as weak, as it does with what it compresses', async () => {
    const recto = await admin(async (request) => {
      const response = await through(request);
      const tag = response.headers.get('etag');
      if (tag !== null && !tag.startsWith('W/')) response.headers.set('etag', `W/${tag}`);
      return response;
    });
    const articles = recto.admin.collection('articles');
    const { id } = await articles.create({ title: 'Compressed' });
    expect(await articles.update(id, { title: 'Compressed well' })).toMatchObject({ title: 'Compressed well' });
  });

  test('has a random key, also on pages without TLS', async () => {
    // The service is in the same process, and needs it: it answers nothing here.
    const { sent, fetch } = watched(() => Response.json({ id: 'made' }, { status: 201 }));
    const own = Object.getOwnPropertyDescriptor(crypto, 'randomUUID');
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const recto = createClient({ url, fetch });
      for (const name of ['One', 'Two']) await recto.collection('topics').create({ name });
    } finally {
      if (own === undefined) Reflect.deleteProperty(crypto, 'randomUUID');
      else Object.defineProperty(crypto, 'randomUUID', own);
    }
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('that is sent again is done once', async () => {
    const lost = watched((request, count) =>
      request.method === 'POST' && count === 2
        ? through(request).then(() => Promise.reject(new TypeError('connection lost')))
        : undefined,
    );
    const recto = await admin(lost.fetch);
    const made = await recto.collection('topics').create({ name: 'Only once' });
    const again = lost.sent.filter(({ url }) => url.endsWith('/cms/topics'));
    expect(again.length).toBe(2);
    expect(again[0]?.headers.get('idempotency-key')).toBe(again[1]?.headers.get('idempotency-key') ?? 'none');
    const found = await recto.collection('topics').list({ filter: { name: 'Only once' } });
    expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  });

  test('with a condition is not sent again when nobody knows whether it was done', async () => {
    let broken = false;
    const { sent, fetch } = watched((request) =>
      broken && request.method === 'PUT' ? Promise.reject(new TypeError('connection lost')) : undefined,
    );
    const recto = await admin(fetch);
    const { id } = await recto.collection('topics').create({ name: 'Kept' });
    broken = true;
    const error = await failure(recto.collection('topics').update(id, { name: 'Changed' }));
    expect(error).toMatchObject({ status: 0, code: 'offline' });
    expect(sent.filter(({ method }) => method === 'PUT').length).toBe(1);
  });

  test('reports every field that is wrong', async () => {
    const recto = await admin();
    const error = await failure(recto.collection('articles').create({ titel: 'x', featured: 'yes' }));
    expect(error.is('validation_failed')).toBe(true);
    expect(Object.keys(error.fields).toSorted()).toEqual(['featured', 'titel', 'title']);
  });
});
