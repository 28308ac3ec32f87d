// databases: sqlite, postgres:rest
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Receiver } from '../../../packages/recto/src/webhooks/receiver.fixture.ts';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// What webhooks get of a release: each record, or the release as one.

let now: number;
let world: ReleasesWorld;
let receiver: Receiver;
beforeEach(async () => {
  now = Date.now();
  receiver = new Receiver();
  world = await ReleasesWorld.open({ now: () => now });
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const hook = (input: object) => world.must(201, 'POST /api/v1/admin/webhooks', { url: receiver.url, ...input }, 'ada');
async function settle(): Promise<
  readonly { readonly type: string; readonly timestamp: string; readonly data: object }[]
> {
  for (let round = 0; round < 2; round += 1) {
    now += 1_000;
    await world.service.runJobs();
  }
  return receiver.received.splice(0).map(({ json }) => json);
}

test('a webhook that takes releases gets one message for all records, and others one for each', async () => {
  const [one, two] = [await world.article(), await world.article({ title: 'Two' })];
  await hook({ types: ['articles', 'authors'], releases: true, description: 'site' });
  const release = await world.release();
  await world.put(release, 'article', one.id, { action: 'publish', changes: { title: 'A' } });
  await world.put(release, 'article', two.id, { action: 'unpublish' });
  const ines = await world.add(release, 'author', { name: 'Ines' });
  await world.add(release, 'topic', { name: 'Not asked for' });
  expect((await world.publish(release)).status).toBe(200);
  const messages = await settle();
  expect(messages).toEqual([
    {
      type: 'release.publish',
      timestamp: expect.any(String),
      data: {
        ...{ seq: expect.any(Number), type: 'release', id: release, action: 'publish' },
        items: [
          { type: 'authors', id: ines.id, action: 'create', seq: expect.any(Number) },
          { type: 'articles', id: one.id, action: 'publish', seq: expect.any(Number) },
          { type: 'articles', id: two.id, action: 'unpublish', seq: expect.any(Number) },
        ],
      },
    },
  ]);
  // What is no release comes as ever.
  await world.must(200, `PUT /api/v1/admin/cms/articles/${one.id}`, { title: 'B' });
  expect((await settle()).map(({ type }) => type)).toEqual(['articles.update']);
});

test('a webhook that does not take releases gets each record', async () => {
  const made = await hook({ types: ['articles'] });
  expect(made.releases).toBe(false);
  const { id } = await world.article();
  await settle();
  const release = await world.release();
  await world.put(release, 'article', id, { action: 'publish', changes: { title: 'A' } });
  await world.add(release, 'article', { title: 'B' });
  expect((await world.publish(release)).status).toBe(200);
  expect((await settle()).map(({ type }) => type).toSorted()).toEqual(['articles.create', 'articles.publish']);
});

test('a release without what a webhook asks for is no message', async () => {
  await hook({ types: ['articles'], filter: 'title = "Only this"', releases: true });
  const release = await world.release();
  const { id } = await world.article();
  await settle();
  await world.put(release, 'article', id, { action: 'publish', changes: { title: 'Other' } });
  expect((await world.publish(release)).status).toBe(200);
  expect(await settle()).toEqual([]);
  const other = await world.release();
  await world.put(other, 'article', id, { action: 'publish', changes: { title: 'Only this' } });
  expect((await world.publish(other)).status).toBe(200);
  expect((await settle()).map(({ type }) => type)).toEqual(['release.publish']);
  expect((await world.must(200, `GET ${root}`)).total).toBe(2);
});
