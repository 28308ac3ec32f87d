// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTwins, type Twins, task, topicId, unread } from '../../support/roles/twins.ts';

// A field that a role does not read exists nowhere for it. Two services that differ in such values alone answer alike.

const base = '/api/v1/admin/cms';
const callers = ['clara', 'charlotte'];

let twins: Twins;
beforeAll(async () => {
  twins = await openTwins();
  // Both have a second version and a draft, whose changes the roles read in part.
  await twins.change(`PUT ${base}/tasks/${task(1)}`, { left: { fee: 77 }, right: { codename: 'rightsecret again' } });
  await twins.change(`PUT ${base}/tasks/${task(1)}`, {
    left: { title: 'amber lamp lit', fee: 78 },
    right: { title: 'amber lamp lit', codename: 'rightsecret' },
  });
  await twins.change(`PUT ${base}/tasks/${task(2)}?draft=true`, {
    left: { codename: 'leftsecret drafted', title: 'birch bowl drafted' },
    right: { memo: 'rightsecret drafted', title: 'birch bowl drafted' },
  });
});
afterAll(async () => {
  await twins[Symbol.asyncDispose]();
});

/** Asks as both roles. */
async function ask(line: string, status: number, body?: unknown) {
  const replies = [];
  for (const as of callers) {
    const reply = await twins.ask(line, as, body);
    expect({ as, line, status: reply.status, body: reply.status === status ? '' : reply.text }).toEqual({
      ...{ as, line, status },
      body: '',
    });
    replies.push(reply);
  }
  return replies;
}

describe('a field that a role does not read', () => {
  test('is in no list and no record, and the records of a hidden order come as they were made', async () => {
    for (const { json } of await ask(`GET ${base}/tasks`, 200)) {
      expect(json.total).toBe(3);
      expect(json.items.map(({ id }: { id: string }) => id)).toEqual([task(1), task(2), task(3)]);
      for (const item of json.items) for (const name of unread) expect(Object.keys(item)).not.toContain(name);
    }
    for (const { json } of await ask(`GET ${base}/tasks/${task(1)}`, 200)) {
      for (const name of unread) expect(Object.keys(json)).not.toContain(name);
    }
  });

  test('is the same as no field in every parameter', async () => {
    for (const name of [...unread, 'bogus']) {
      for (const query of [
        `${name}=1`,
        `sort=${name}:asc`,
        `fields=${name}`,
        `include=${name}`,
        `filter=${name}:isset`,
        `filter=${encodeURIComponent(`topic.checks.${name} ?= "x"`)}`,
      ]) {
        await ask(`GET ${base}/tasks?${query}`, 400);
      }
      for (const query of [`group=${name}`, `sum=${name}`, `max=${name}`, `min=${name}`, `avg=${name}`]) {
        await ask(`GET ${base}/tasks/aggregate?${query}`, 400);
      }
      await ask(`GET ${base}/tasks/${task(1)}?include=${name}`, 400);
      await ask(`GET ${base}/tasks/${task(1)}?fields=${name}`, 400);
    }
    for (const query of ['__meta.color=leftsecret', 'vault.deep=leftsecret'])
      await ask(`GET ${base}/tasks?${query}`, 400);
    for (const path of ['vault.deep', '__meta.color', 'checker.name', 'details.inner', 'quiet.name']) {
      await ask(`GET ${base}/tasks?filter=${encodeURIComponent(`${path} = "leftsecret"`)}`, 400);
    }
  });

  test('is named by no error', async () => {
    for (const line of [
      `GET ${base}/tasks?sort=fee:asc`,
      `GET ${base}/tasks/aggregate?group=fee`,
      `GET ${base}/tasks?fee=1`,
    ]) {
      for (const reply of await ask(line, 400)) {
        for (const name of ['codename', 'memo', 'serial', 'quiet', 'vault']) expect(reply.text).not.toContain(name);
      }
    }
  });

  test('is searched by no search', async () => {
    for (const { json } of await ask(`GET ${base}/tasks?search=walnut`, 200)) expect(json.total).toBe(0);
    for (const { json } of await ask(`GET ${base}/tasks?search=leftsecret`, 200)) expect(json.total).toBe(0);
    // In a title, and for who reads `details` in all of them.
    const found = await ask(`GET ${base}/tasks?search=amber`, 200);
    expect(found.map(({ json }) => json.total)).toEqual([3, 1]);
    await ask(`GET ${base}/tasks/aggregate?search=walnut&count=true`, 200);
  });

  test('leads nowhere: not from the other side, not by usage', async () => {
    for (const { json } of await ask(`GET ${base}/topics/${topicId(1)}`, 200)) expect(json.checks).toEqual([]);
    await ask(`GET ${base}/topics?include=tasks`, 200);
    await ask(`GET ${base}/topics?filter=${encodeURIComponent('tasks:length > 1')}`, 200);
    for (const name of ['checks:length = 0', 'checks.title ?= "x"', 'checks:isset']) {
      await ask(`GET ${base}/topics?filter=${encodeURIComponent(name)}`, 400);
    }
    await ask(`GET ${base}/topics/${topicId(1)}/usage`, 200);
    await ask(`GET ${base}/topics/${topicId(2)}/usage`, 200);
  });

  test('is in no version, no difference of versions and no draft', async () => {
    for (const { json } of await ask(`GET ${base}/tasks/${task(1)}/revisions`, 200)) {
      for (const { changed } of json.items) for (const name of unread) expect(changed).not.toContain(name);
      const numbers: readonly number[] = json.items.map(({ revision }: { revision: number }) => revision);
      const [newest, oldest] = [Math.max(...numbers), Math.min(...numbers)];
      await ask(`GET ${base}/tasks/${task(1)}/revisions/${newest}`, 200);
      await ask(`GET ${base}/tasks/${task(1)}/revisions/${newest}/diff/${oldest}`, 200);
    }
    await ask(`GET ${base}/tasks/${task(2)}?draft=true`, 200);
    await ask(`GET ${base}/tasks/${task(2)}`, 200);
  });

  test('makes drafts none of the role: it neither changes nor publishes them', async () => {
    await ask(`PUT ${base}/tasks/${task(2)}?draft=true`, 403, { title: 'x' });
    await ask(`DELETE ${base}/tasks/${task(2)}/draft`, 403);
    await ask(`DELETE ${base}/tasks/${task(3)}/draft`, 403);
    // One of them has a draft and the other has none.
    for (const place of [2, 3]) {
      for (const { json } of await ask(`POST ${base}/tasks/${task(place)}/publish`, 409)) {
        expect(json.code).toBe('no_draft');
      }
    }
    await ask(`GET ${base}/tasks?has_draft=true`, 400);
    const kept = await twins.left.send(`GET ${base}/tasks/${task(2)}?draft=true`, { as: 'ada' });
    expect(kept.json.title).toBe('birch bowl drafted');
  });

  test('cannot be written, whatever it holds', async () => {
    for (const name of unread) {
      for (const value of [1, 77, 'leftsecret', null, [], true]) {
        const [reply] = await ask(`PUT ${base}/tasks/${task(3)}`, 422, { [name]: value });
        const [none] = await ask(`PUT ${base}/tasks/${task(3)}`, 422, { bogus: value });
        expect(reply?.text.replaceAll(name, 'bogus').replace(/"request_id":"[^"]*"/, '')).toBe(
          none?.text.replace(/"request_id":"[^"]*"/, '') ?? '',
        );
      }
    }
  });

  test('does not decide what the role may do with a record', async () => {
    for (const { json } of await ask(`GET ${base}/tasks?may=true`, 200))
      for (const { __may: may } of json.items) expect(may).toEqual(['update', 'delete', 'publish']);
    for (const { json } of await ask(`GET ${base}/tasks/${task(1)}?may=true&fields=title`, 200))
      expect(Object.keys(json)).toEqual(['id', 'title', '__may']);
    await ask(`GET ${base}/topics?may=true`, 200);
  });

  test('is named by no conflict of values that are unique together with it', async () => {
    for (const { json, text: body } of await ask(`PUT ${base}/tasks/${task(3)}`, 422, { lot: 'lot 1' })) {
      expect(json.errors).toEqual([
        { field: 'lot', code: 'taken', message: 'Another record has these values already.' },
      ]);
      expect(body).not.toContain('codename');
    }
  });

  test('does not decide on a batch', async () => {
    await ask(`POST ${base}/tasks/batch`, 400, { action: 'update', filter: 'fee = 2', set: { title: 'x' } });
    await ask(`POST ${base}/tasks/batch`, 422, { action: 'update', ids: [task(3)], set: { fee: 2 } });
  });

  test('is in no event', async () => {
    const replies = await Promise.all(
      callers.map((as) => twins.left.send('GET /api/v1/admin/events?type=task', { as })),
    );
    for (const { text } of replies)
      for (const name of ['fee', 'codename', 'memo']) expect(text).not.toContain(`"${name}"`);
  });

  test('opens no route by which it could be read', async () => {
    // Exports, webhooks with their previews, and definitions with their history are for admins.
    for (const line of [
      'GET /api/v1/admin/exports',
      'POST /api/v1/admin/exports',
      'GET /api/v1/admin/webhooks',
      'POST /api/v1/admin/webhooks',
      'GET /api/v1/admin/content-types/task/revisions',
      'GET /api/v1/admin/imports',
      'GET /api/v1/admin/api-tokens',
      'GET /api/v1/admin/users',
    ]) {
      await ask(line, 403, line.startsWith('POST') ? {} : undefined);
    }
  });

  test('is in no description of the type', async () => {
    await ask('GET /api/v1/admin/content-types', 200);
    for (const { text, json } of await ask('GET /api/v1/admin/content-types/task', 200)) {
      for (const name of ['codename', 'memo', 'serial', 'vault', '__meta']) expect(text).not.toContain(`"${name}"`);
      expect(json.definition.admin).toEqual({ labels: { status: { en: 'Stage', de: 'Stand' } } });
    }
  });
});
