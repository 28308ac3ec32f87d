// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

const item = {
  singular: 'item',
  plural: 'items',
  fields: [
    { name: 'n', field_type: 'integer' },
    { name: 'open', field_type: 'boolean' },
  ],
  api: { list: { filter: 'open = true', cache: true } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([item], { exactTotals: 3 });
  await service.account('ada', 'admin');
  for (let n = 0; n < 5; n += 1) await service.seed('items', { n, open: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const list = async (query = ''): Promise<Reply> => service.send(`GET /api/v1/cms/items?page_size=2${query}`);
const totalOf = ({ json }: Reply): unknown[] => [json.total, json.total_is_estimate];

/** Asks until the total is exact again, as it becomes while nobody waits. */
async function exact(query = ''): Promise<Reply> {
  for (;;) {
    const reply = await list(query);
    if (reply.json.total_is_estimate === undefined) return reply;
    await Bun.sleep(1);
  }
}

test('a great total is an estimate after a write, and then exact again', async () => {
  expect(totalOf(await list())).toEqual([5, undefined]);
  const { id } = await service.seed('items', { n: 9, open: true });
  expect(totalOf(await list())).toEqual([5, true]);
  expect(totalOf(await exact())).toEqual([6, undefined]);
  await service.send(`DELETE /api/v1/admin/cms/items/${id}`, { as: 'ada' });
  expect(totalOf(await list())).toEqual([6, true]);
  expect(totalOf(await exact())).toEqual([5, undefined]);
});

test('an answer with an estimate is not cached, and one with the exact total is', async () => {
  await exact();
  await service.seed('items', { n: 10, open: false });
  const [first, second] = [await list(), await exact()];
  expect(first.headers.get('cache-status')).not.toContain('stored');
  expect(second.json.total_is_estimate).toBeUndefined();
  expect((await list()).headers.get('cache-status')).toContain('hit');
});

test('a small total is always exact, and so is a list that nobody has counted', async () => {
  expect(totalOf(await list('&n=1'))).toEqual([1, undefined]);
  await service.seed('items', { n: 1, open: true });
  expect(totalOf(await list('&n=1'))).toEqual([2, undefined]);
  expect(totalOf(await list('&filter=n%20%3C%20100'))).toEqual([6, undefined]);
});

test('an estimate ends no list: pages follow by cursor to the last record', async () => {
  await exact();
  await service.seed('items', { n: 11, open: true });
  await service.seed('items', { n: 12, open: true });
  const seen: number[] = [];
  let reply = await list();
  expect(reply.json.total_is_estimate).toBe(true);
  for (;;) {
    seen.push(...reply.json.items.map(({ n }: { n: number }) => n));
    const next = reply.json.next_cursor;
    if (next === undefined) break;
    reply = await list(`&cursor=${next}`);
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 1, 11, 12]);
});
