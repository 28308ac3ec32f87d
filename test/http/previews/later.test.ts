// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';
import { ok, preview, read, share } from './previews.fixture.ts';

// Previews of a time to come: what readers will see then, by schedules and releases, and nothing that a role does not read.

const status = { name: 'statusable', values: ['new', 'live', 'old'], published: 'live', schedule: 'live' };
const live = { access: 'public', filter: 'status = "live"', cache: true };
const relation = { relation_type: 'many_to_one' };
const definitions = [
  {
    ...{ singular: 'story', plural: 'stories', protocols: [status, { name: 'versionable', drafts: true }] },
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'offer', field_type: 'relation', relation: { ...relation, target: 'offers' } },
    ],
    api: { list: live, get: live },
  },
  {
    ...{ singular: 'offer', plural: 'offers' },
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'from', field_type: 'datetime' },
    ],
    api: { list: { access: 'public', filter: 'from <= @now' }, get: { access: 'public', filter: 'from <= @now' } },
  },
  {
    ...{ singular: 'secret', plural: 'secrets' },
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'until', field_type: 'datetime', private: true },
    ],
    api: { get: { access: 'public', filter: 'until <= @now' } },
  },
];
const roles = [
  { name: 'writer', base: 'editor', types: { offer: { list: 'from <= @now', get: 'from <= @now' } } },
  { name: 'unreleased', base: 'editor', may: { releases: false } },
  {
    ...{ name: 'unplanned', base: 'editor' },
    types: { story: { read: { except: ['scheduled_at'] }, write: { except: ['scheduled_at'] } } },
  },
  {
    ...{ name: 'unaware', base: 'editor' },
    types: { secret: { read: { except: ['until'] }, write: { except: ['until'] } } },
  },
];
const day = (number: number): string => new Date(Date.UTC(2100, 0, number)).toISOString();

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { roles });
  for (const [name, role] of [
    ['ada', 'admin'],
    ['eve', 'editor'],
    ['will', 'writer'],
    ['uma', 'unreleased'],
    ['nora', 'unplanned'],
    ['ned', 'unaware'],
  ] as const)
    await service.account(name, role);
});
afterAll(() => service[Symbol.asyncDispose]());

const story = async (values: object) =>
  ok(service.send('POST /api/v1/admin/cms/stories', { as: 'eve', body: values }), 201);
const shown = async (token: string, path: string) => {
  const reply = await read(service, token, path);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  return reply.status === 200 ? reply.json : reply.status;
};

test('a record is there once its schedule has come, with what is planned and no more', async () => {
  const { id, slug } = await story({ title: 'Soon', scheduled_at: day(10) });
  const asked = { type: 'story', id };
  const before = await preview(service, { ...asked, at: day(9) });
  const after = await preview(service, { ...asked, at: '2100-01-10T02:00:00+02:00' });
  expect(await shown(before.token, `cms/stories/${id}`)).toBe(404);
  expect((await shown(before.token, 'cms/stories')).total).toBe(0);
  expect(await shown(after.token, `cms/stories/slug/${slug}`)).toMatchObject({ title: 'Soon', status: 'live' });
  expect((await shown(after.token, 'cms/stories')).items.map((each: { id: string }) => each.id)).toEqual([id]);
  // A draft is planned by nobody.
  const other = await story({ title: 'Old', status: 'live' });
  await ok(service.send(`PUT /api/v1/admin/cms/stories/${other.id}?draft=true`, { as: 'eve', body: { title: 'New' } }));
  const { token } = await preview(service, { type: 'story', id: other.id, at: day(20) });
  expect((await shown(token, `cms/stories/${other.id}`)).title).toBe('Old');
  // This record alone.
  expect(await shown(token, `cms/stories/${id}`)).toBe(404);
  expect((await shown(token, 'cms/stories')).total).toBe(1);
  expect((await ok(service.send(`GET /api/v1/admin/cms/stories/${id}`, { as: 'eve' }))).status).toBe('new');
});

test('rules go by that time, and a preview of the site shows every record as it will stand', async () => {
  const offer = await ok(
    service.send('POST /api/v1/admin/cms/offers', { as: 'eve', body: { name: 'Spring', from: day(5) } }),
    201,
  );
  const { id } = await story({ title: 'With an offer', scheduled_at: day(3), offer: offer.id });
  const asked = { type: 'story', id, scope: 'site' };
  const early = await preview(service, { ...asked, at: day(4) });
  const late = await preview(service, { ...asked, at: day(6) });
  const titles = async (token: string) =>
    (await shown(token, 'cms/stories?sort=title:asc')).items.map(({ title }: { title: string }) => title);
  expect(await titles(early.token)).toContain('With an offer');
  expect(await titles(early.token)).not.toContain('Soon');
  expect(await shown(early.token, `cms/offers/${offer.id}`)).toBe(404);
  expect((await shown(late.token, `cms/offers/${offer.id}`)).name).toBe('Spring');
  const included = (token: string) => shown(token, `cms/stories/${id}?include=offer`);
  expect((await included(early.token)).offer).toBe(null);
  expect((await included(late.token)).offer.name).toBe('Spring');
});

test('scheduled releases have been published, for those who may see releases', async () => {
  const { id } = await story({ title: 'Before', status: 'live' });
  const release = await ok(service.send('POST /api/v1/admin/releases', { as: 'eve', body: { name: 'Fair' } }), 201);
  const path = `/api/v1/admin/releases/${release.id}`;
  const body = { action: 'publish', changes: { title: 'Of the fair' } };
  await ok(service.send(`PUT ${path}/items/story/${id}`, { as: 'eve', body }));
  const times = { scheduled_at: day(8), time_zone: 'UTC' };
  await ok(service.send(`POST ${path}/schedule`, { as: 'eve', body: times }));
  const title = async (as: string, at: string) => {
    const { token } = await preview(service, { type: 'story', id, at }, as);
    return (await shown(token, `cms/stories/${id}`)).title;
  };
  expect(await title('eve', day(7))).toBe('Before');
  expect(await title('eve', day(9))).toBe('Of the fair');
  expect(await title('uma', day(9))).toBe('Before');
});

describe('a time', () => {
  test('is one to come, for a role that reads all of the site, and for no link', async () => {
    const { id } = await story({ title: 'Refused' });
    const asked = { type: 'story', id };
    for (const at of ['tomorrow', '2100-01-01', '2100-01-01T00:00:00', new Date(Date.now() - 1000).toISOString()])
      await preview(service, { ...asked, at }, 'eve', 422);
    await share(service, { ...asked, at: day(9) }, 'eve', 422);
    const release = await ok(service.send('POST /api/v1/admin/releases', { as: 'eve', body: { name: 'R' } }), 201);
    await preview(service, { ...asked, at: day(9), release: release.id }, 'eve', 422);
    // The offers that are still to come are none of this role's.
    await preview(service, asked, 'will');
    await preview(service, { ...asked, at: day(9) }, 'will', 403);
  });

  test('shows nobody what their role does not read: a schedule, or what a rule compares with the time', async () => {
    const { id } = await story({ title: 'Planned', scheduled_at: day(10) });
    const seen = async (as: string, at: string) =>
      shown((await preview(service, { type: 'story', id, at }, as)).token, `cms/stories/${id}`);
    expect(await seen('eve', day(11))).toMatchObject({ title: 'Planned', status: 'live' });
    expect(await seen('nora', day(11))).toBe(404);
    const body = { name: 'Sealed', until: day(10) };
    const secret = await ok(service.send('POST /api/v1/admin/cms/secrets', { as: 'eve', body }), 201);
    await preview(service, { type: 'secret', id: secret.id, at: day(11) }, 'ned', 403);
    const { token } = await preview(service, { type: 'secret', id: secret.id, at: day(11) });
    expect(await shown(token, `cms/secrets/${secret.id}`)).toMatchObject({ name: 'Sealed' });
  });

  test('ends with the rights to all of the site', async () => {
    const { id } = await story({ title: 'Ended', status: 'live' });
    await service.account('zoe', 'editor');
    const { token } = await preview(service, { type: 'story', id, at: day(9) }, 'zoe');
    expect((await shown(token, `cms/stories/${id}`)).title).toBe('Ended');
    const role = (to: string) =>
      ok(service.send(`PUT /api/v1/admin/users/${service.idOf('zoe')}`, { as: 'ada', body: { role: to } }));
    await role('writer');
    expect((await read(service, token, `cms/stories/${id}`)).json.code).toBe('preview_ended');
  });

  test('that has come shows what readers see now', async () => {
    const { id } = await story({ title: 'Waits', scheduled_at: day(2) });
    const { token } = await preview(service, { type: 'story', id, at: day(9) });
    expect((await shown(token, `cms/stories/${id}`)).title).toBe('Waits');
    await service.database.transaction(async (transaction) => {
      const passed = new Date(Date.now() - 1000).toISOString();
      await transaction.run(query('update recto_previews set at = ? where record = ?', passed, id));
    });
    expect(await shown(token, `cms/stories/${id}`)).toBe(404);
  });
});

test('the page of the service shows it too, and nothing where the record is not there then', async () => {
  const { id } = await story({ title: 'On the page', scheduled_at: day(10) });
  const data = async (at: string) => {
    const { token } = await preview(service, { type: 'story', id, at });
    const request = new Request('http://localhost/recto-preview/data', { method: 'POST', body: token });
    const response = await service.app.fetch(request);
    // What the page is sent.
    const shownPage = response.status === 200 ? ((await response.json()) as { record: { title: string } }) : undefined;
    return shownPage?.record.title ?? response.status;
  };
  expect(await data(day(11))).toBe('On the page');
  expect(await data(day(9))).toBe(404);
});
