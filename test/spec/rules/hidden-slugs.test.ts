// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// A slug that is taken gets a number where the caller can see who has it, and a random ending where not: a number would say how
// many hidden records have the same title.

const fields = [
  { name: 'title', field_type: 'text' },
  { name: 'slug', field_type: 'uid', target_field: 'title' },
  { name: 'state', field_type: 'enum', enum_values: ['draft', 'published'], default: 'draft' },
];
const rules = { filter: 'state = "published"', filter_auth: 'created_by = @request.auth.id' };
const api = { list: rules, get: rules, create: { access: 'public' } };
const definitions = [
  { singular: 'deal', plural: 'deals', protocols: ['ownable'], fields, api },
  {
    singular: 'memo',
    plural: 'memos',
    protocols: ['soft_deletable', 'expirable'],
    fields,
    api: { create: api.create },
  },
  { singular: 'file', plural: 'files', fields, api: { get: { access: 'admin' }, create: api.create } },
  { singular: 'plan', plural: 'plans', protocols: ['tenantable'], fields, api: { create: api.create } },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('mia');
  await service.account('tom');
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
});
afterAll(() => service[Symbol.asyncDispose]());

const published = { state: 'published' };

async function slugOf(plural: string, title: string, as?: string, headers = {}): Promise<string> {
  const path = plural === 'posts' || plural === 'pages' ? plural : `cms/${plural}`;
  const made = await service.send(`POST /api/v1/${path}`, { ...(as && { as }), headers, body: { title } });
  expect(made.status).toBe(201);
  return made.json.slug;
}

const random = (base: string) => new RegExp(`^${base}-[a-z0-9]{6}$`);

describe('a generated slug that is taken', () => {
  test('gets a number where the other records are visible', async () => {
    await service.seed('deals', { title: 'Open day', ...published });
    expect(await slugOf('deals', 'Open day', 'mia')).toBe('open-day-2');
    expect(await slugOf('deals', 'Open day', 'mia')).toBe('open-day-3');
  });

  test('gets a random ending where a rule hides one of them', async () => {
    await service.seed('deals', { title: 'Secret merger' });
    expect(await slugOf('deals', 'Secret merger')).toMatch(random('secret-merger'));
    expect(await slugOf('deals', 'Secret merger', 'tom')).toMatch(random('secret-merger'));
    await service.seed('deals', { title: 'Half open', ...published });
    await service.seed('deals', { title: 'Half open' });
    expect(await slugOf('deals', 'Half open')).toMatch(random('half-open'));
  });

  test('gets a number beside the caller’s own records, and a random ending beside those of others', async () => {
    expect(await slugOf('deals', 'Of mia', 'mia')).toBe('of-mia');
    expect(await slugOf('deals', 'Of mia', 'mia')).toBe('of-mia-2');
    expect(await slugOf('deals', 'Of mia', 'tom')).toMatch(random('of-mia'));
  });

  test('gets a random ending beside deleted and expired records', async () => {
    const { id } = await service.seed('memos', { title: 'Deleted', ...published });
    await service.send(`DELETE /api/v1/admin/cms/memos/${id}`, { as: 'ada' });
    expect(await slugOf('memos', 'Deleted')).toMatch(random('deleted'));
    await service.seed('memos', { title: 'Expired', expires_at: '2000-01-01T00:00:00.000Z' });
    expect(await slugOf('memos', 'Expired', 'mia')).toMatch(random('expired'));
    await service.seed('memos', { title: 'There' });
    expect(await slugOf('memos', 'There')).toBe('there-2');
  });

  test('gets a random ending where the access level of `get` keeps the caller out', async () => {
    await service.seed('files', { title: 'Case' });
    expect(await slugOf('files', 'Case', 'mia')).toMatch(random('case'));
    expect(await slugOf('files', 'Case', 'ada')).toBe('case-2');
  });

  test('gets a random ending beside unpublished posts and pages', async () => {
    for (const plural of ['posts', 'pages']) {
      await service.seed(plural, { title: 'Draft of others' });
      expect(await slugOf(plural, 'Draft of others', 'mia')).toMatch(random('draft-of-others'));
      await service.seed(plural, { title: 'Known', status: 'Published' });
      expect(await slugOf(plural, 'Known', 'mia')).toBe('known-2');
      expect(await slugOf(plural, 'Sitemap', 'mia')).toBe('sitemap-2');
    }
  });

  test('gets a number for editors and admins, who read all records by the admin routes', async () => {
    await service.seed('posts', { title: 'Draft of editors' });
    expect(await slugOf('posts', 'Draft of editors', 'eve')).toBe('draft-of-editors-2');
    await service.seed('deals', { title: 'By editors' });
    expect((await service.seed('deals', { title: 'By editors' })).slug).toBe('by-editors-2');
    const { id } = await service.seed('memos', { title: 'By admins' });
    await service.send(`DELETE /api/v1/admin/cms/memos/${id}`, { as: 'ada' });
    expect((await service.seed('memos', { title: 'By admins' })).slug).toBe('by-admins-2');
  });

  test('is not taken by a record of another tenant', async () => {
    const of = (tenant: string) => slugOf('plans', 'Roadmap', undefined, { 'Recto-Tenant': tenant });
    expect(await of('one')).toBe('roadmap');
    expect(await of('two')).toBe('roadmap');
    expect(await of('one')).toBe('roadmap-2');
  });

  test('is random anew each time, and never one that is taken', async () => {
    await service.seed('deals', { title: 'Many' });
    const slugs = await Promise.all(Array.from({ length: 20 }, () => slugOf('deals', 'Many')));
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(random('many'));
  });
});

test('a given slug that a hidden record has is rejected, which is the one thing that shows it', async () => {
  await service.seed('deals', { title: 'Hidden name' });
  const made = await service.send('POST /api/v1/cms/deals', { body: { title: 'Other', slug: 'hidden-name' } });
  expect([made.status, made.json.errors[0].code]).toEqual([422, 'taken']);
});
