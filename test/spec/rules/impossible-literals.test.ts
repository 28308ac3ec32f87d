import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  author,
  impossible,
  relation,
  withRule,
} from '../../../packages/recto/src/definition/impossible-literals.fixture.ts';
import { TestService } from '../../support/service.ts';

// A literal that a field can never hold is an error when the rule loads.

describe('a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    const api = { list: { filter: 'post.status = "PUBLISHED"' }, get: { filter: 'post.status != "draft"' } };
    const fields = [relation('post', 'many_to_one', 'posts')];
    service = await TestService.open([author, { singular: 'link', plural: 'links', fields, api }], { builtIn: true });
    await service.account('ada', 'admin');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(impossible.slice(0, 6))('rejects a definition with %s', async (rule, _, message) => {
    const { status, json } = await service.send('POST /api/v1/admin/content-types', {
      as: 'ada',
      body: withRule(rule),
    });
    expect([status, json.errors.length, json.errors[0].field]).toEqual([422, 1, 'api.list.filter']);
    expect(json.errors[0]).toMatchObject({
      code: 'bad_rule',
      message: expect.stringContaining(message.replace(/[.]$/, '')),
    });
    expect((await service.send('GET /api/v1/cms/articles')).status).toBe(404);
  });

  test('rejects replacing a rule by one', async () => {
    const made = { singular: 'memo', plural: 'memos', protocols: ['statusable'] };
    const path = '/api/v1/admin/content-types';
    expect((await service.send(`POST ${path}`, { as: 'ada', body: made })).status).toBe(201);
    const changed = { ...made, api: { list: { filter: 'status != "publised"' } } };
    const { status, json } = await service.send(`PUT ${path}/memo`, { as: 'ada', body: changed });
    expect([status, json.errors?.[0].code]).toEqual([422, 'bad_rule']);
  });

  test('compares statuses of posts in the spelling that is stored', async () => {
    const shown = await service.seed('posts', { title: 'Shown', status: 'published' });
    const draft = await service.seed('posts', { title: 'Draft' });
    const links = [await service.seed('links', { post: shown.id }), await service.seed('links', { post: draft.id })];
    const { json } = await service.send('GET /api/v1/cms/links');
    expect(json.items).toEqual([expect.objectContaining({ id: links[0].id })]);
    expect((await service.send(`GET /api/v1/cms/links/${links[1].id}`)).status).toBe(404);
  });
});
