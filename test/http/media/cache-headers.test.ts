import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { getBytes, quarters, uploadRaw } from './media-calls.ts';

/** What anonymous callers get for a public file and a variant of it, and the `Cache-Control` for a caller who may read it. */
async function cachingWith(get: object): Promise<readonly unknown[]> {
  await using service = await TestService.open([{ extends: 'media', api: { get } }], { builtIn: true });
  await service.account('ada', 'admin');
  const sent = await uploadRaw(service, await quarters(40, 20), { as: 'ada', name: 'a.png', fields: { folder: 'a' } });
  const { url, variants } = sent.json;
  const answers = [];
  for (const path of [url, variants.thumb]) {
    // In any order: what one caller may do says nothing of another.
    const before = await getBytes(service, path);
    const own = await getBytes(service, path, { as: 'ada' });
    expect(own.status).toBe(200);
    expect((await getBytes(service, path)).status).toBe(before.status);
    answers.push([before.status, before.headers.get('cache-control'), own.headers.get('cache-control')]);
  }
  expect(answers[0]).toEqual(answers[1] ?? []);
  return answers[0] ?? [];
}

const forever = 'public, max-age=31536000, immutable';
const own = 'private, no-cache';
/** That of errors. */
const fresh = 'no-cache';

describe('a file with the visibility "public" is for shared caches', () => {
  test('where everyone may read its record', async () => {
    expect(await cachingWith({ access: 'public', filter: 'visibility = "public"' })).toEqual([200, forever, forever]);
  });

  test.each([
    ['the type is for members', { access: 'member' }],
    ['a rule is for members', { access: 'public', filter_auth: 'visibility = "public"' }],
    ['a rule hides it', { access: 'public', filter: 'folder = "b"', filter_auth: 'folder = "a"' }],
  ])('not where %s', async (_, get) => {
    expect(await cachingWith(get)).toEqual([404, fresh, own]);
  });

  test('not where time can hide it', async () => {
    expect(await cachingWith({ access: 'public', filter: 'created_at > @now - 1d' })).toEqual([200, own, own]);
  });
});
