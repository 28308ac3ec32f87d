// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// What roles of the installation's own do with releases, and what nobody learns from one.

const roles = [
  {
    name: 'desk',
    types: {
      article: {
        ...{ list: true, get: 'title != "Secret"', create: true, update: 'title != "Secret"', delete: false },
        ...{ publish: 'title != "Locked"', read: { except: ['summary'] } },
      },
      author: { list: true, get: true },
    },
    may: { releases: true },
  },
  {
    name: 'writer',
    types: { article: { list: true, get: true, create: true, update: true } },
    may: { releases: true },
  },
  { name: 'reader', types: { article: { list: true, get: true } } },
];

let world: ReleasesWorld;
beforeAll(async () => {
  world = await ReleasesWorld.open({ roles });
  for (const { name } of roles) await world.service.account(name, name);
  await world.service.account('mia', 'member');
  await world.service.account('tea', 'editor', 'acme');
});
afterAll(() => world[Symbol.asyncDispose]());

const codeOf = async (line: string, body: object | undefined, as: string): Promise<readonly unknown[]> => {
  const { status, json } = await world.send(line, body, as);
  return [status, json?.code];
};

describe('the right to releases', () => {
  test('is what lets a role in', async () => {
    for (const as of ['reader', 'mia'])
      expect(await codeOf(`GET ${root}`, undefined, as)).toEqual([403, 'insufficient_role']);
    expect(await codeOf(`POST ${root}`, { name: 'A' }, 'desk')).toEqual([201, undefined]);
    const may = async (as: string) =>
      (await world.must(200, 'GET /api/v1/auth/me/permissions', undefined, as)).may.releases;
    expect([await may('ada'), await may('eve'), await may('desk'), await may('reader'), await may('mia')]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('is a scope of API tokens', async () => {
    const token = async (scopes: readonly string[]) =>
      (await world.must(201, 'POST /api/v1/admin/api-tokens', { name: scopes.join(), role: 'editor', scopes }, 'ada'))
        .token;
    const send = async (line: string, bearer: string, body?: object) =>
      (await world.service.send(line, { headers: { Authorization: `Bearer ${bearer}` }, ...(body && { body }) }))
        .status;
    const [none, reading, writing] = [
      await token(['articles:write']),
      await token(['releases:read']),
      await token(['releases:write', 'articles:write']),
    ];
    expect([
      await send(`GET ${root}`, none),
      await send(`GET ${root}`, reading),
      await send(`GET ${root}`, writing),
    ]).toEqual([403, 200, 200]);
    expect([
      await send(`POST ${root}`, reading, { name: 'A' }),
      await send(`POST ${root}`, writing, { name: 'A' }),
    ]).toEqual([403, 201]);
  });

  test('gives none to records: each is asked for when it is added, and when it is published', async () => {
    const { id } = await world.article({ title: 'Mine' });
    const locked = await world.article({ title: 'Locked' });
    const secret = await world.article({ title: 'Secret' });
    const release = await world.release('Desk', 'desk');
    const item = (record: string, type = 'article') => `PUT ${root}/${release}/items/${type}/${record}`;
    const publish = { action: 'publish', changes: { title: 'New' } };
    expect(await codeOf(item(id), { action: 'delete' }, 'desk')).toEqual([403, 'rule_refused']);
    expect(await codeOf(item(locked.id), publish, 'desk')).toEqual([403, 'rule_refused']);
    expect(await codeOf(item(secret.id), publish, 'desk')).toEqual([404, 'not_found']);
    expect(await codeOf(item(id), { action: 'publish', changes: { summary: 'x' } }, 'desk')).toEqual([
      422,
      'validation_failed',
    ]);
    const ines = await world.make('authors', { name: 'Ines' });
    expect(await codeOf(item(ines.id, 'author'), publish, 'desk')).toEqual([403, 'rule_refused']);
    expect(await codeOf(item(id, 'topic'), publish, 'desk')).toEqual([404, 'not_found']);
    expect(await codeOf(`POST ${root}/${release}/items/author`, { name: 'Tom' }, 'desk')).toEqual([
      403,
      'insufficient_role',
    ]);
    // Who may not publish, adds nothing.
    const drafts = await world.release('Writer', 'writer');
    expect(await codeOf(`PUT ${root}/${drafts}/items/article/${id}`, publish, 'writer')).toEqual([
      403,
      'insufficient_role',
    ]);
    expect(await codeOf(`POST ${root}/${drafts}/items/article`, { title: 'A' }, 'writer')).toEqual([
      403,
      'insufficient_role',
    ]);
    await world.put(release, 'article', id, publish, 'desk');
    // The rule holds no more when it comes to it.
    await world.must(200, `PUT /api/v1/admin/cms/articles/${id}`, { title: 'Locked' });
    await world.put(release, 'article', id, publish, 'eve');
    expect(await world.problems(release, 'desk')).toEqual([['article', id, '', 'rule_refused']]);
    const refused = await world.publish(release, 'desk');
    expect([refused.status, refused.json.problems.length]).toEqual([422, 1]);
    expect((await world.record('articles', id)).title).toBe('Locked');
    expect((await world.publish(release)).status).toBe(200);
  });
});

describe('what a caller may not see', () => {
  test('is not in a release, its check, its problems or its failure', async () => {
    const [seen, hidden] = [
      await world.article({ title: 'Seen' }),
      await world.article({ title: 'Secret', summary: 'Walnut' }),
    ];
    const release = await world.release('Both');
    await world.put(release, 'article', seen.id, {
      action: 'publish',
      changes: { summary: 'Walnut', title: 'Seen too' },
    });
    await world.put(release, 'article', hidden.id, { action: 'publish', changes: { summary: 'Walnut tree' } });
    const topic = await world.make('topics', { name: 'Walnut' });
    await world.put(release, 'topic', topic.id, { action: 'delete' });
    const fresh = await world.add(release, 'topic', { name: 'Walnut' });
    const whole = await world.must(200, `GET ${root}/${release}`, undefined, 'desk');
    expect(whole.items).toMatchObject([{ record: seen.id, changes: { title: 'Seen too' }, base: { title: 'Seen' } }]);
    expect(await world.problems(release, 'desk')).toEqual([[null, null, '', 'hidden_items']]);
    // In a field that the caller does not read, in a record that they do not get, and in both.
    await world.must(200, `PUT /api/v1/admin/cms/articles/${seen.id}`, { summary: 'Walnut wood' });
    await world.must(200, `PUT /api/v1/admin/cms/articles/${hidden.id}`, { summary: 'Walnut wood' });
    const answers = [whole, await world.check(release, 'desk'), (await world.publish(release, 'desk')).json];
    const revealing = [
      /walnut/i,
      /summary/,
      new RegExp(hidden.id),
      /topic/,
      new RegExp(topic.id),
      new RegExp(fresh.id),
    ];
    for (const answer of answers) {
      for (const word of revealing) expect(JSON.stringify(answer)).not.toMatch(word);
    }
    expect(await world.problems(release, 'desk')).toEqual([
      ['article', seen.id, '', 'not_allowed'],
      [null, null, '', 'hidden_items'],
    ]);
    // Nor can it be taken out, replaced, or wiped by what is sent without it.
    for (const record of [hidden.id, fresh.id])
      expect(await codeOf(`DELETE ${root}/${release}/items/article/${record}`, undefined, 'desk')).toEqual([
        404,
        'not_found',
      ]);
    await world.put(release, 'article', seen.id, { action: 'publish', changes: { title: 'Theirs' } }, 'desk');
    const { items } = await world.must(200, `GET ${root}/${release}`);
    expect(items[0]).toMatchObject({ changes: { title: 'Theirs', summary: 'Walnut' }, base: { summary: null } });
  });

  test('is not taken back by them either', async () => {
    const { id } = await world.article({ title: 'To be changed' });
    const release = await world.release('Change');
    await world.put(release, 'article', id, { action: 'publish', changes: { summary: 'Walnut' } });
    expect((await world.publish(release)).status).toBe(200);
    expect(await codeOf(`POST ${root}/${release}/revert`, undefined, 'desk')).toEqual([403, 'insufficient_role']);
  });

  test('is what another tenant has', async () => {
    const own = await world.release('Acme', 'tea');
    expect(await codeOf(`GET ${root}/${own}`, undefined, 'eve')).toEqual([404, 'not_found']);
    const of = async (as: string, headers = {}) =>
      (await world.service.send(`GET ${root}?page_size=100`, { as, headers })).json.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await of('tea')).toEqual([own]);
    expect((await of('ada')).includes(own)).toBe(false);
    expect(await of('ada', { 'Recto-Tenant': 'acme' })).toEqual([own]);
  });
});
