// databases: sqlite, postgres:rest
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createAdminClient } from '@recto/client/admin';
import { type BulkParts, runBulk } from '../../packages/admin/src/screens/list/actions/bulk-actions.ts';
import type { ListedType } from '../../packages/admin/src/screens/list/data/list-fields.ts';
import { TestService } from '../support/service.ts';

// What the admin does to many records, on a whole service: selections, all that match, jobs, and the way back.

const note = {
  ...{ singular: 'note', plural: 'notes' },
  protocols: ['soft_deletable', { name: 'statusable', values: ['draft', 'published'], default: 'draft' }],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'number', field_type: 'integer' },
  ],
};

let service: TestService;
let parts: BulkParts;
const matching = { filter: '', search: '', sort: '', deleted: false, language: '', missing: '', asOf: '' };

beforeEach(async () => {
  service = await TestService.open([note]);
  await service.account('eve', 'editor');
  const type: ListedType = (await service.send('GET /api/v1/admin/content-types/note', { as: 'eve' })).json;
  const client = createAdminClient({
    url: 'http://recto.test',
    fetch: (request) => Promise.resolve(service.app.fetch(request)),
    token: service.tokenOf('eve'),
  });
  parts = {
    client,
    type,
    isSoft: true,
    statusField: 'status',
    scheduleField: undefined,
    pause: () => service.runJobs(),
  };
});
afterEach(() => service[Symbol.asyncDispose]());

const list = async (query = ''): Promise<readonly Record<string, unknown>[]> =>
  (await service.send(`GET /api/v1/admin/cms/notes?page_size=100&sort=number:asc${query}`, { as: 'eve' })).json.items;
const count = async (filter: string, more = ''): Promise<number> => {
  const line = `GET /api/v1/admin/cms/notes?page_size=1&filter=${encodeURIComponent(filter)}${more}`;
  return (await service.send(line, { as: 'eve' })).json.total;
};
/** As records have an id. */
const records = async () => (await list()).map((record) => ({ ...record, id: String(record.id) }));

/** Some at a time, which share a commit. */
async function seed(many: number, values: (number: number) => object = () => ({})): Promise<void> {
  for (let first = 0; first < many; first += 50) {
    const numbers = Array.from({ length: Math.min(50, many - first) }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => service.seed('notes', { number, ...values(number) })));
  }
}

test('records that were chosen get their own values back', async () => {
  await seed(4, (number) => ({ status: number % 2 === 0 ? 'draft' : 'published', title: `t${number}` }));
  const before = await records();
  const published = await runBulk(parts, { action: 'publish' }, { records: before });
  expect([published.affected, await count('status = "published"')]).toEqual([4, 4]);
  await published.undo?.();
  expect((await list()).map(({ status }) => status)).toEqual(['draft', 'published', 'draft', 'published']);
  const set = await runBulk(parts, { action: 'update', set: { title: 'same' } }, { records: before });
  expect(await count('title = "same"')).toBe(4);
  await set.undo?.();
  expect((await list()).map(({ title }) => title)).toEqual(['t0', 't1', 't2', 't3']);
});

test('deleted records come back, and those that were deleted before do not', async () => {
  await seed(5);
  const all = await records();
  await service.send(`DELETE /api/v1/admin/cms/notes/${all[0]?.id}`, { as: 'eve' });
  const { affected, undo } = await runBulk(
    parts,
    { action: 'delete' },
    { matching: { ...matching, filter: 'number < 3' }, total: 2 },
  );
  expect([affected, await count('number >= 0')]).toEqual([2, 2]);
  await undo?.();
  expect((await list()).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('purged records are gone, one by one', async () => {
  await seed(3);
  const all = await records();
  await runBulk(parts, { action: 'delete' }, { records: all });
  const steps: number[] = [];
  const purged = await runBulk(
    { ...parts, onProgress: (done) => steps.push(done) },
    { action: 'purge' },
    { matching: { ...matching, deleted: true }, total: 3 },
  );
  expect([purged.affected, purged.undo, steps]).toEqual([3, undefined, [1, 2, 3]]);
  expect(await count('number >= 0', '&deleted=with')).toBe(0);
});

test('more than a thousand are changed by a job, with progress, and come back', async () => {
  await seed(1_200);
  await service.send(`DELETE /api/v1/admin/cms/notes/${(await records())[0]?.id}`, { as: 'eve' });
  let shown = 0;
  const result = await runBulk(
    { ...parts, onProgress: (_, total) => (shown = total) },
    { action: 'delete' },
    { matching, total: 1_199 },
  );
  expect([result.affected, result.failed, shown]).toEqual([1_199, 0, 1_199]);
  expect(await count('number >= 0')).toBe(0);
  await result.undo?.();
  expect(await count('number >= 0')).toBe(1_199);
  expect(await count('number >= 0', '&deleted=only')).toBe(1);
});

test('all that a search finds are changed by a job, and come back', async () => {
  await seed(1_100, (number) => ({ title: number < 1_050 ? 'found here' : 'elsewhere' }));
  const result = await runBulk(
    parts,
    { action: 'delete' },
    { matching: { ...matching, search: 'foun' }, total: 1_050 },
  );
  expect([result.affected, await count('number >= 0')]).toEqual([1_050, 50]);
  await result.undo?.();
  expect(await count('number >= 0')).toBe(1_100);
});

test('what has become more than was counted is changed as a whole, and comes back', async () => {
  await seed(1_001);
  // As many as were counted a moment before.
  const result = await runBulk(parts, { action: 'delete' }, { matching, total: 1_000 });
  expect([result.affected, await count('number >= 0')]).toEqual([1_001, 0]);
  await result.undo?.();
  expect(await count('number >= 0')).toBe(1_001);
});

test('nothing chosen is nothing done', async () => {
  expect((await runBulk(parts, { action: 'delete' }, { records: [] })).affected).toBe(0);
});
