// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { query as statement } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { ReleasesWorld } from '../releases/releases.fixture.ts';

// How records will stand at a time to come, by their own schedules and by scheduled releases.

const open = { access: 'public' };
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', 'lockable', { name: 'statusable', by_language: true, schedule: 'published' }],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'stories' } },
  ],
  api: { list: open, get: open },
};
const offer = {
  singular: 'offer',
  plural: 'offers',
  protocols: [
    'expirable',
    {
      name: 'statusable',
      values: ['draft', 'checked', 'published', 'archived'],
      schedule: 'published',
      transitions: { draft: ['checked'], checked: ['published'], published: ['archived'] },
    },
  ],
  fields: [{ name: 'name', field_type: 'text' }],
};
const dated = { singular: 'dated', plural: 'dateds', fields: [{ name: 'at', field_type: 'text' }] };

const roles = [
  { name: 'reader', types: { article: { list: true, get: true }, story: { list: true, get: true } } },
  { name: 'today', types: { offer: { list: 'expires_at = null || expires_at > @now', get: true } } },
  { name: 'archivist', base: 'editor', types: { offer: { list: true, get: 'expires_at <= @now' } } },
  { name: 'listener', base: 'editor', types: { article: { list: 'status = "published"', get: true } } },
  {
    ...{ name: 'unplanned', base: 'editor' },
    types: { article: { read: { except: ['scheduled_at'] }, write: { except: ['scheduled_at'] } } },
  },
];

let world: ReleasesWorld;
beforeAll(async () => {
  world = await ReleasesWorld.open({ roles, languages: 'en,de', builtIn: true }, [story, offer, dated]);
  await world.service.account('rita', 'reader');
  await world.service.account('theo', 'today');
  await world.service.account('olga', 'archivist');
  await world.service.account('lea', 'listener');
  await world.service.account('nora', 'unplanned');
});
afterAll(() => world[Symbol.asyncDispose]());

const admin = '/api/v1/admin/cms';
const day = (number: number): string => new Date(Date.UTC(2100, 0, number)).toISOString();
const get = (path: string, as = 'eve') => world.must(200, `GET ${path}`, undefined, as);
const query = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString();

describe('schedules', () => {
  test('any records at any time are listed, counted and shown as a model of them has it', async () => {
    const statuses = ['draft', 'published', 'archived'] as const;
    const time = fc.integer({ min: 1, max: 28 });
    const record = fc.record({ status: fc.constantFrom(...statuses), due: fc.option(time, { nil: null }) });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), time, async (wanted, until) => {
        round += 1;
        const title = `Round ${round}`;
        const made = await Promise.all(
          wanted.map(async ({ status, due }) => {
            const values = { title, status, ...(due === null ? {} : { scheduled_at: day(due) }) };
            return world.make('articles', status === 'published' ? { title, status } : values);
          }),
        );
        const model = made.map((each) => {
          const due = each.scheduled_at !== null && each.scheduled_at <= day(until);
          return due
            ? {
                ...each,
                status: 'published',
                scheduled_at: null,
                updated_at: each.scheduled_at,
                updated_by: null,
                lock_version: each.lock_version + 1,
              }
            : each;
        });
        const at = day(until);
        const all = await get(
          `${admin}/articles?${query({ at, filter: `title = "${title}"`, sort: 'updated_at:desc,id:asc' })}`,
        );
        const order = model.toSorted((a, b) =>
          a.updated_at === b.updated_at ? (a.id < b.id ? -1 : 1) : a.updated_at > b.updated_at ? -1 : 1,
        );
        expect(all.items).toEqual(order);
        expect(all.total).toBe(model.length);
        for (const status of statuses) {
          const shown = model
            .filter((each) => each.status === status)
            .map(({ id }) => id)
            .toSorted();
          const found = await get(
            `${admin}/articles?${query({ at, filter: `title = "${title}" && status = "${status}"`, sort: 'id:asc', page_size: '1' })}`,
          );
          expect([found.total, found.items.map(({ id }: { id: string }) => id)]).toEqual([
            shown.length,
            shown.slice(0, 1),
          ]);
        }
        const groups = await get(
          `${admin}/articles/aggregate?${query({ at, filter: `title = "${title}"`, group: 'status' })}`,
        );
        const counts = Object.groupBy(model, ({ status }) => status);
        expect(groups.items).toEqual(
          Object.entries(counts)
            .map(([status, some]) => ({ status, count: some?.length }))
            .toSorted((a, b) => (a.status < b.status ? -1 : 1)),
        );
        const [first] = model;
        expect(await get(`${admin}/articles/${first?.id}?${query({ at })}`)).toEqual(first);
        // Nothing has been written.
        expect(await get(`${admin}/articles/${first?.id}`)).toEqual(made[0]);
      }),
      { numRuns: randomCases(12) },
    );
  });

  test('of languages too, which are included, searched and found by their slugs', async () => {
    const later = await world.make('stories', { title: 'Lantern', scheduled_at: day(10) });
    await world.must(200, `PUT ${admin}/stories/${later.id}?language=de`, { title: 'Laterne', scheduled_at: day(20) });
    const leading = await world.make('stories', { title: 'Leading', next: later.id });
    const state = async (at: string, language: string) =>
      (await get(`${admin}/stories/${later.id}?${query({ at, language })}`)).status;
    expect([
      await state(day(9), 'en'),
      await state(day(10), 'en'),
      await state(day(10), 'de'),
      await state(day(20), 'de'),
    ]).toEqual(['draft', 'published', 'draft', 'published']);
    const found = await get(
      `${admin}/stories?${query({ at: day(15), search: 'lantern', filter: 'status = "published"' })}`,
    );
    expect(found.items.map(({ id }: { id: string }) => id)).toEqual([later.id]);
    const german = await get(
      `${admin}/stories?${query({ at: day(25), language: 'de', search: 'laterne', filter: 'status = "published"' })}`,
    );
    expect(german.items.map(({ id }: { id: string }) => id)).toEqual([later.id]);
    const included = await get(`${admin}/stories/${leading.id}?${query({ at: day(15), include: 'next' })}`);
    expect(included.next.status).toBe('published');
    const through = await get(`${admin}/stories?${query({ at: day(15), filter: 'next.status = "published"' })}`);
    expect(through.items.map(({ id }: { id: string }) => id)).toEqual([leading.id]);
    expect((await get(`${admin}/stories?${query({ filter: 'next.status = "published"' })}`)).total).toBe(0);
  });

  test('what may not become so, stays; what ends by then, has ended', async () => {
    const checked = await world.make('offers', {
      name: 'A',
      status: 'checked',
      scheduled_at: day(5),
      expires_at: day(15),
    });
    // The rule of a move is looked at when the time comes.
    const { table } = world.service.types.get('offer');
    await world.service.database.transaction(async (transaction) => {
      await transaction.run(statement(`update "${table}" set "status" = ? where "id" = ?`, 'draft', checked.id));
      transaction.touch('offer');
    });
    expect((await get(`${admin}/offers/${checked.id}?${query({ at: day(6) })}`)).status).toBe('draft');
    const filter = 'expires_at = null || expires_at > @now';
    const total = async (at: string) => (await get(`${admin}/offers?${query({ at, filter })}`)).total;
    expect([await total(day(14)), await total(day(16))]).toEqual([1, 0]);
  });

  test('posts are in the order of then', async () => {
    const post = async (values: object) => (await world.must(201, 'POST /api/v1/posts', values)).id;
    const first = await post({ title: 'Now', content: 'x', status: 'Published' });
    const later = await post({ title: 'Later', content: 'x' });
    await world.must(200, `PUT /api/v1/admin/posts/${later}/status`, { status: 'Draft' });
    await world.must(200, `PUT /api/v1/admin/posts/${later}`, { scheduled_at: day(3) });
    const { items } = await get(`/api/v1/admin/posts?${query({ at: day(4), sort: 'published_at:desc' })}`);
    expect(items.map(({ id }: { id: string }) => id)).toEqual([later, first]);
    expect(items[0]).toMatchObject({ status: 'Published', published_at: day(3), scheduled_at: null });
  });
});

describe('scheduled releases', () => {
  async function scheduled(at: string, items: readonly (readonly [string, string, object])[], added: object[] = []) {
    const release = await world.release();
    for (const [type, id, body] of items) await world.put(release, type, id, body);
    for (const values of added) await world.add(release, 'article', values);
    await world.must(200, `POST /api/v1/admin/releases/${release}/schedule`, { scheduled_at: at });
    return release;
  }

  test('have made their changes', async () => {
    const one = await world.article({ title: 'Release one', summary: 'old' });
    const two = await world.article({ title: 'Release two' });
    await scheduled(
      day(40),
      [
        ['article', one.id, { action: 'publish', changes: { summary: 'new' } }],
        ['article', two.id, { action: 'archive' }],
      ],
      [{ title: 'Release new' }],
    );
    const listed = async (at: string, as = 'eve') => {
      const { items, total } = await get(
        `${admin}/articles?${query({ at, filter: 'title ~ "Release %"', sort: 'title:asc' })}`,
        as,
      );
      return [
        total,
        ...items.map(({ title, status, summary }: Record<string, string>) => `${title} ${status} ${summary}`),
      ];
    };
    const before = [2, 'Release one published old', 'Release two published null'];
    expect(await listed(day(39))).toEqual(before);
    const after = [3, 'Release new published null', 'Release one published new', 'Release two archived null'];
    expect(await listed(day(40))).toEqual(after);
    // Who may not see releases sees none of their content.
    expect(await listed(day(40), 'rita')).toEqual(before);
    const found = await get(`${admin}/articles?${query({ at: day(41), filter: 'summary = "new"' })}`);
    expect([found.total, found.items[0].updated_at]).toEqual([1, day(40)]);
    expect((await world.record('articles', one.id)).summary).toBe('old');
    expect((await get(`${admin}/articles?${query({ filter: 'title ~ "Release %"' })}`)).total).toBe(2);
  });

  test('come before and behind schedules in their order, and change nothing that they cannot change', async () => {
    const record = await world.make('articles', { title: 'Order', scheduled_at: day(50) });
    await scheduled(day(51), [['article', record.id, { action: 'unpublish' }]]);
    const status = async (at: string) => (await get(`${admin}/articles/${record.id}?${query({ at })}`)).status;
    expect([await status(day(49)), await status(day(50)), await status(day(51))]).toEqual([
      'draft',
      'published',
      'draft',
    ]);
    const other = await world.article({ title: 'Refused' });
    const bad = await scheduled(day(52), [['article', other.id, { action: 'publish', changes: { title: 'Changed' } }]]);
    // Somebody changes the field meanwhile: the release will be refused at its time.
    await world.must(200, `PUT ${admin}/articles/${other.id}`, {
      title: 'Meanwhile',
      lock_version: other.lock_version,
    });
    expect((await get(`${admin}/articles/${other.id}?${query({ at: day(53) })}`)).title).toBe('Meanwhile');
    await world.must(200, `POST /api/v1/admin/releases/${bad}/cancel`);
  });
});

describe('what is asked', () => {
  const refused = async (path: string, as = 'eve') => {
    const { status, json } = await world.send(`GET ${path}`, undefined, as);
    return [status, json.code];
  };

  test('is a time to come, by people who see what is not published', async () => {
    for (const at of ['tomorrow', '', '2100-13-01T09:00:00Z', '9999'])
      expect([at, ...(await refused(`${admin}/articles?${query({ at })}`))]).toEqual([at, 400, 'invalid_parameter']);
    expect(await refused(`${admin}/articles?at=2020-01-01T00:00:00Z`)).toEqual([400, 'time_passed']);
    expect(await refused(`${admin}/articles?${query({ at: day(1), format: 'csv' })}`)).toEqual([
      400,
      'invalid_parameter',
    ]);
    expect((await world.service.send(`GET ${admin}/articles?${query({ at: day(1) })}`)).status).toBe(401);
    expect((await world.service.send(`GET /api/v1/cms/articles?${query({ at: day(1) })}`)).json).toMatchObject({
      status: 400,
      code: 'unknown_parameter',
    });
    expect(await refused(`${admin}/articles/x?${query({ at: day(1) })}`)).toEqual([404, 'not_found']);
    const { headers } = await world.send(`GET ${admin}/articles?${query({ at: day(1) })}`);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    const zoned = await get(`${admin}/articles?${query({ at: '2100-01-01T09:00:00+01:00', page_size: '1' })}`);
    expect(zoned.page_size).toBe(1);
  });

  test('shows no role what it does not read yet, and no schedule that it does not read', async () => {
    const offer = await world.make('offers', { name: 'Not yet', expires_at: day(20) });
    const planned = await world.make('articles', { title: 'Planned', scheduled_at: day(10) });
    const asked = query({ at: day(28) });
    // By its rule it reads what has expired, or is published: at that time, it would read both of these.
    for (const as of ['olga', 'theo', 'lea'])
      for (const path of [`offers/${offer.id}`, 'offers', 'articles', 'articles/aggregate'])
        expect([as, path, ...(await refused(`${admin}/${path}?${asked}`, as))]).toEqual([
          ...[as, path, 403, 'insufficient_role'],
        ]);
    // Who does not read when it is to be published must not find out by trying times.
    const status = async (as: string) => (await get(`${admin}/articles/${planned.id}?${asked}`, as)).status;
    expect([await status('eve'), await status('nora')]).toEqual(['published', 'draft']);
    const published = query({ at: day(28), filter: 'title = "Planned" && status = "published"' });
    const ids = async (as: string) =>
      (await get(`${admin}/articles?${published}`, as)).items.map(({ id }: { id: string }) => id);
    expect([await ids('eve'), await ids('nora')]).toEqual([[planned.id], []]);
  });

  test('is a filter of the field of a type that has one of that name', async () => {
    await world.make('dateds', { at: 'noon' });
    expect((await get(`${admin}/dateds?at=noon`)).total).toBe(1);
  });
});
