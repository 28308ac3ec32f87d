// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { type ServiceOptions, TestService } from '../../support/service.ts';

// What users of other systems complain about their releases, each by its public issue: it does not happen here.

const root = '/api/v1/admin/releases';
const hour = 3_600_000;

const plain = {
  singular: 'plain',
  plural: 'plains',
  fields: [{ name: 'title', field_type: 'text', required: true, unique: true }],
};
const staged = {
  ...{ ...plain, singular: 'staged', plural: 'stageds' },
  protocols: [
    {
      name: 'statusable',
      values: ['draft', 'review', 'published'],
      transitions: { draft: ['review'], review: ['published'] },
    },
  ],
};

async function open(options: ServiceOptions = {}) {
  let now = Date.parse('2031-03-01T12:00:00Z');
  const service = await TestService.open([plain, staged], { now: () => now, ...options });
  await service.account('ada', 'admin');
  const must = async (line: string, body?: object) => {
    const reply = await service.send(line, { as: 'ada', ...(body && { body }) });
    expect([line, reply.status < 300, reply.text]).toEqual([line, true, reply.text]);
    return reply.json;
  };
  return {
    must,
    made: (plural: string, body: object) => must(`POST /api/v1/admin/cms/${plural}`, body),
    /** A release with a change of a title, scheduled in an hour. */
    async scheduled(type: string, record: string, title: string): Promise<string> {
      const { id } = await must(`POST ${root}`, { name: 'Spring' });
      await must(`PUT ${root}/${id}/items/${type}/${record}`, { action: 'publish', changes: { title } });
      await must(`POST ${root}/${id}/schedule`, { scheduled_at: new Date(now + hour).toISOString() });
      return id;
    },
    check: (id: string) => must(`GET ${root}/${id}/check`),
    async later() {
      now += hour;
      await service.runJobs();
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

describe('strapi/strapi', () => {
  test('#27722: a release that was valid when it was checked is not published once it is not', async () => {
    await using world = await open();
    const { id } = await world.made('plains', { title: 'One' });
    const release = await world.scheduled('plain', id, 'Two');
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    await world.made('plains', { title: 'Two' });
    await world.later();
    const { status, problems } = await world.must(`GET ${root}/${release}`);
    expect([status, problems]).toMatchObject(['failed', [{ record: id, field: 'title', code: 'taken' }]]);
    expect((await world.must(`GET /api/v1/admin/cms/plains/${id}`)).title).toBe('One');
  });

  test('#21290: a release that was blocked is ready as soon as nothing blocks it, without its records being opened', async () => {
    await using world = await open();
    const { id } = await world.made('plains', { title: 'One' });
    const other = await world.made('plains', { title: 'Two' });
    const release = await world.scheduled('plain', id, 'Two');
    expect((await world.check(release)).ok).toBe(false);
    await world.must(`PUT /api/v1/admin/cms/plains/${other.id}`, { title: 'Three' });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    await world.later();
    expect((await world.must(`GET ${root}/${release}`)).status).toBe('done');
    expect((await world.must(`GET /api/v1/admin/cms/plains/${id}`)).title).toBe('Two');
  });

  test('#23036: releases need nothing of stages, nor stages anything of releases', async () => {
    await using world = await open();
    const { id } = await world.made('plains', { title: 'One' });
    const release = await world.scheduled('plain', id, 'Two');
    const other = await world.made('stageds', { title: 'One' });
    await world.must(`PUT /api/v1/admin/cms/stageds/${other.id}`, { status: 'review' });
    const second = await world.scheduled('staged', other.id, 'Two');
    await world.later();
    for (const each of [release, second]) expect((await world.must(`GET ${root}/${each}`)).status).toBe('done');
    expect(await world.must(`GET /api/v1/admin/cms/plains/${id}`)).toMatchObject({ title: 'Two' });
    expect(await world.must(`GET /api/v1/admin/cms/stageds/${other.id}`)).toMatchObject({
      title: 'Two',
      status: 'published',
    });
  });
});
