import type { TestService } from '../service.ts';

interface World {
  readonly service: TestService;
}

interface ReleaseCall {
  readonly path: string;
  readonly as: 'ada';
  readonly body?: object;
}

type MakeReleaseCall = (world: World, operation: { readonly path: string }) => Promise<ReleaseCall> | ReleaseCall;

const root = '/api/v1/admin/releases';

async function made({ service }: World, line: string, body?: object) {
  const reply = await service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(`${line} failed: ${reply.text}`);
  return reply.json;
}

let count = 0;

/** A release with one record in it. */
async function release(world: World): Promise<{ readonly id: string; readonly record: string }> {
  const { id } = await made(world, `POST ${root}`, { name: 'Spring' });
  const { id: record } = await made(world, 'POST /api/v1/admin/cms/categories', { name: `c${++count}` });
  await made(world, `PUT ${root}/${id}/items/category/${record}`, {
    action: 'publish',
    changes: { description: 'New' },
  });
  return { id, record };
}

const scheduled_at = '2099-03-01T09:00:00.000Z';

/** A call of an operation on such a release, after `before` and with a body. */
const ofRelease =
  (body?: object, before?: { readonly first: string; readonly body?: object }): MakeReleaseCall =>
  async (world, { path }) => {
    const { id, record } = await release(world);
    if (before !== undefined) await made(world, `POST ${root}/${id}/${before.first}`, before.body);
    const filled = path.replace('{id}', id).replace('{type}', 'category').replace('{record}', record);
    return { path: filled, as: 'ada', ...(body === undefined ? {} : { body }) };
  };

/** How the operations on releases are called. */
export const releaseCalls: Readonly<Record<string, MakeReleaseCall>> = {
  listReleases: (_, { path }) => ({ path, as: 'ada' }),
  createRelease: (_, { path }) => ({ path, as: 'ada', body: { name: 'Spring' } }),
  getRelease: ofRelease(),
  updateRelease: ofRelease({ name: 'Summer' }),
  deleteRelease: ofRelease(),
  putReleaseItem: ofRelease({ action: 'publish', changes: { description: 'Newer' } }),
  addReleaseItem: ofRelease({ name: 'A category' }),
  removeReleaseItem: ofRelease(),
  checkRelease: ofRelease(),
  publishRelease: ofRelease(),
  scheduleRelease: ofRelease({ scheduled_at }),
  cancelRelease: ofRelease(undefined, { first: 'schedule', body: { scheduled_at } }),
  revertRelease: ofRelease(undefined, { first: 'publish' }),
};

const scheduled = { first: 'schedule', body: { scheduled_at } };

/** A release that is scheduled stays as it is. */
export const releaseRefusals: Readonly<Record<string, Readonly<Record<409, MakeReleaseCall>>>> = {
  updateRelease: { 409: ofRelease({ scheduled_at: '2098-03-01T09:00:00.000Z' }, scheduled) },
  deleteRelease: { 409: ofRelease(undefined, scheduled) },
  putReleaseItem: { 409: ofRelease({ action: 'publish' }, scheduled) },
  removeReleaseItem: { 409: ofRelease(undefined, scheduled) },
};
