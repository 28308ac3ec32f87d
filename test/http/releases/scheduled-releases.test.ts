// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// Releases that are published by themselves, at times of the service's clock, which the tests set.

const hour = 3_600_000;
let now: number;
let world: ReleasesWorld;
beforeEach(async () => {
  now = Date.parse('2031-03-01T12:00:00Z');
  world = await ReleasesWorld.open({ now: () => now });
});
afterEach(() => world[Symbol.asyncDispose]());

const at = (time: number): string => new Date(time).toISOString();
const stateOf = async (release: string, as = 'ada') => {
  const { status, problems } = await world.must(200, `GET ${root}/${release}`, undefined, as);
  return [status, problems.map(({ field, code }: Record<string, unknown>) => [field, code])];
};
/** A release that changes a title, scheduled in an hour. */
async function scheduled(as = 'eve'): Promise<{ readonly release: string; readonly id: string }> {
  const { id } = await world.article();
  const release = await world.release('Spring', as);
  await world.put(release, 'article', id, { action: 'publish', changes: { title: 'New' } }, as);
  await world.must(200, `POST ${root}/${release}/schedule`, { scheduled_at: at(now + hour) }, as);
  return { release, id };
}

test('is published at its time, once, by whoever scheduled it', async () => {
  const { release, id } = await scheduled();
  expect(await stateOf(release)).toEqual(['scheduled', []]);
  await world.service.runJobs();
  expect((await world.record('articles', id)).title).toBe('One');
  now += hour;
  expect(await stateOf(release)).toEqual(['publishing', []]);
  await world.service.runJobs();
  expect(await stateOf(release)).toEqual(['done', []]);
  expect(await world.record('articles', id)).toMatchObject({ title: 'New', updated_by: world.service.idOf('eve') });
  await world.service.runJobs();
  const events = await world.must(200, `GET /api/v1/admin/events?record=${release}&action=publish`, undefined, 'ada');
  expect(events.items).toMatchObject([{ type: 'recto:release', actor: { id: world.service.idOf('eve') } }]);
});

test('stays as it was checked until it is cancelled', async () => {
  const { release, id } = await scheduled();
  const refused = [
    await world.must(409, `PUT ${root}/${release}/items/article/${id}`, { action: 'unpublish' }),
    await world.must(409, `POST ${root}/${release}/items/author`, { name: 'Ines' }),
    await world.must(409, `DELETE ${root}/${release}/items/article/${id}`),
    await world.must(409, `POST ${root}/${release}/publish`),
    await world.must(409, `POST ${root}/${release}/schedule`, { scheduled_at: at(now + hour) }),
    await world.must(409, `PUT ${root}/${release}`, { scheduled_at: at(now + 2 * hour) }),
    await world.must(409, `DELETE ${root}/${release}`),
  ];
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'release_scheduled'));
  await world.must(200, `PUT ${root}/${release}`, { name: 'Renamed' });
  expect((await world.must(200, `POST ${root}/${release}/cancel`)).status).toBe('open');
  expect((await world.must(409, `POST ${root}/${release}/cancel`)).code).toBe('not_scheduled');
  now += hour;
  await world.service.runJobs();
  expect((await world.record('articles', id)).title).toBe('One');
  // Its time is kept, and has passed.
  expect((await world.must(422, `POST ${root}/${release}/schedule`, {})).errors).toMatchObject([
    { code: 'in_the_past' },
  ]);
  expect((await world.publish(release)).status).toBe(200);
});

test('needs a time', async () => {
  const release = await world.release();
  expect((await world.must(422, `POST ${root}/${release}/schedule`, {})).errors).toMatchObject([
    { field: 'scheduled_at', code: 'required' },
  ]);
});

describe('one that cannot be published', () => {
  test('fails as a whole, and says why', async () => {
    const { release, id } = await scheduled();
    await world.must(200, `PUT /api/v1/admin/cms/articles/${id}`, { title: 'Theirs' });
    now += hour;
    await world.service.runJobs();
    expect(await stateOf(release)).toEqual(['failed', [['title', 'draft_conflict']]]);
    expect((await world.record('articles', id)).title).toBe('Theirs');
    // It is tried again by people alone, and what has been settled is known at once.
    now += hour;
    await world.service.runJobs();
    expect(await stateOf(release)).toEqual(['failed', [['title', 'draft_conflict']]]);
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'New' } });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await world.publish(release)).json).toMatchObject({ status: 'done', problems: [] });
  });

  test('notifies who scheduled it, as long as they may see releases, and nobody else', async () => {
    const notifications = async (as: string) =>
      (await world.must(200, 'GET /api/v1/auth/me/notifications', undefined, as)).items.filter(
        ({ kind }: { kind: string }) => kind === 'release_failed',
      );
    // The reader of the log begins at its end.
    await world.service.runJobs();
    const { release, id } = await scheduled();
    await world.must(200, `PUT /api/v1/admin/cms/articles/${id}`, { title: 'Theirs' }, 'ada');
    now += hour;
    await world.service.runJobs();
    now += 1_000;
    await world.service.runJobs();
    expect(await stateOf(release)).toEqual(['failed', [['title', 'draft_conflict']]]);
    expect(await notifications('eve')).toMatchObject([{ release, title: 'Spring', actor: null, read_at: null }]);
    expect(await notifications('ada')).toEqual([]);
    // Once, however often the log is read.
    now += 1_000;
    await world.service.runJobs();
    expect(await notifications('eve')).toHaveLength(1);
    // A release that is gone has no name to show.
    await world.must(204, `DELETE ${root}/${release}`);
    expect(await notifications('eve')).toEqual([]);
  });

  // strapi/strapi#27722: a release that was found valid once was published although it was not valid any more.
  test('is checked as it is at its time: an earlier check that found nothing publishes nothing', async () => {
    const { release, id } = await scheduled();
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    // What was valid then needs a longer title now, and is not published.
    const other = await world.article({ title: 'Other' });
    const second = await world.release('Second');
    const { id: author } = await world.make('authors', { name: 'Ines', handle: 'ines' });
    await world.put(second, 'author', author, { action: 'publish', changes: { handle: 'i' } });
    await world.put(second, 'article', other.id, { action: 'publish', changes: { title: 'Changed' } });
    expect(await world.check(second)).toEqual({ ok: true, problems: [] });
    await world.make('authors', { name: 'Ida', handle: 'i' });
    expect((await world.publish(second)).status).toBe(422);
    expect((await world.record('articles', other.id)).title).toBe('Other');
    expect((await world.record('articles', id)).title).toBe('One');
  });

  // strapi/strapi#21290: a release stayed blocked until each of its records was opened and saved again.
  test('is ready at once when what stood in its way is settled, although nobody has opened it since', async () => {
    const { id: author } = await world.make('authors', { name: 'Ines', handle: 'ines' });
    const { id: in_its_way } = await world.make('authors', { name: 'Ida', handle: 'i' });
    const release = await world.release();
    await world.put(release, 'author', author, { action: 'publish', changes: { handle: 'i' } });
    expect((await world.check(release)).ok).toBe(false);
    await world.must(200, `PUT /api/v1/admin/cms/authors/${in_its_way}`, { handle: 'ida' });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await world.publish(release)).json).toMatchObject({ status: 'done' });
  });

  test('fails where whoever scheduled it may not do so any more', async () => {
    const [one, other] = [await scheduled('eve'), await scheduled('ada')];
    const { database } = world.service;
    await database.transaction(async (transaction) => {
      const id = world.service.idOf('eve');
      await transaction.run({ sql: `update recto_accounts set role = 'member' where id = '${id}'`, parameters: [] });
      transaction.touch('recto:auth');
    });
    now += hour;
    await world.service.runJobs();
    expect(await stateOf(one.release)).toEqual(['failed', [['', 'not_allowed']]]);
    expect(await stateOf(other.release)).toEqual(['done', []]);
    const titles = [];
    for (const { id } of [one, other])
      titles.push((await world.must(200, `GET /api/v1/admin/cms/articles/${id}`, undefined, 'ada')).title);
    expect(titles).toEqual(['One', 'New']);
  });
});

describe('times', () => {
  const read = async (scheduled_at: string, time_zone?: string) => {
    const { status, json } = await world.send(`POST ${root}`, {
      name: 'A',
      scheduled_at,
      ...(time_zone && { time_zone }),
    });
    return status === 201
      ? json.scheduled_at
      : json.errors.map(({ field, code }: Record<string, unknown>) => [field, code]);
  };

  test('are those of clocks in the time zone, in summer and in winter', async () => {
    expect(await read('2031-01-15T09:00', 'Europe/Berlin')).toBe('2031-01-15T08:00:00.000Z');
    expect(await read('2031-07-15T09:00', 'Europe/Berlin')).toBe('2031-07-15T07:00:00.000Z');
    expect(await read('2031-07-15T09:00', 'America/New_York')).toBe('2031-07-15T13:00:00.000Z');
    expect(await read('2031-07-15T09:00', 'Asia/Kolkata')).toBe('2031-07-15T03:30:00.000Z');
    expect(await read('2031-07-15T09:00')).toBe('2031-07-15T09:00:00.000Z');
    expect(await read('2031-07-15T09:00:00+02:00', 'America/New_York')).toBe('2031-07-15T07:00:00.000Z');
  });

  test('are right on both sides of a change, and none is invented', async () => {
    // In Berlin clocks go from 2:00 to 3:00 on 30 March 2031, and from 3:00 back to 2:00 on 26 October.
    expect(await read('2031-03-30T01:59', 'Europe/Berlin')).toBe('2031-03-30T00:59:00.000Z');
    expect(await read('2031-03-30T02:30', 'Europe/Berlin')).toEqual([['scheduled_at', 'no_such_time']]);
    expect(await read('2031-03-30T03:00', 'Europe/Berlin')).toBe('2031-03-30T01:00:00.000Z');
    expect(await read('2031-10-26T01:59', 'Europe/Berlin')).toBe('2031-10-25T23:59:00.000Z');
    // Of a time that comes twice, the first is meant; an offset names the second.
    expect(await read('2031-10-26T02:30', 'Europe/Berlin')).toBe('2031-10-26T00:30:00.000Z');
    expect(await read('2031-10-26T02:30:00+01:00', 'Europe/Berlin')).toBe('2031-10-26T01:30:00.000Z');
    expect(await read('2031-10-26T03:00', 'Europe/Berlin')).toBe('2031-10-26T02:00:00.000Z');
    // Half an hour, and the south.
    expect(await read('2031-10-05T02:15', 'Australia/Lord_Howe')).toEqual([['scheduled_at', 'no_such_time']]);
    expect(await read('2031-10-05T02:30', 'Australia/Lord_Howe')).toBe('2031-10-04T15:30:00.000Z');
  });

  test('across a change hold for the schedule', async () => {
    now = Date.parse('2031-03-29T12:00:00Z');
    const { id } = await world.article();
    const release = await world.release();
    await world.put(release, 'article', id, { action: 'publish', changes: { title: 'New' } });
    const body = { scheduled_at: '2031-03-30T09:00', time_zone: 'Europe/Berlin' };
    const made = await world.must(200, `POST ${root}/${release}/schedule`, body);
    expect(made).toMatchObject({ scheduled_at: '2031-03-30T07:00:00.000Z', time_zone: 'Europe/Berlin' });
    now = Date.parse('2031-03-30T06:59:59Z');
    await world.service.runJobs();
    expect((await world.record('articles', id)).title).toBe('One');
    now += 1_000;
    await world.service.runJobs();
    expect((await world.record('articles', id)).title).toBe('New');
  });
});
