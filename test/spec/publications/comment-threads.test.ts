// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { query } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { plant, plantedId } from '../rules/planted.ts';

// What the statement that nests replies returns, against the same in a few lines: any forest of comments, in any states,
// also deeper than a reply may be today.

interface Node {
  readonly parent: number | null;
  readonly status: string;
  /** Seconds after noon: the order is that of time, and that of the ids where it is the same. */
  readonly second: number;
}

const forest: fc.Arbitrary<readonly Node[]> = fc
  .array(
    fc.record({
      up: fc.option(fc.nat({ max: 8 }), { freq: 4 }),
      status: fc.oneof(
        { weight: 5, arbitrary: fc.constant('Approved') },
        fc.constantFrom('Pending', 'Approved', 'Rejected', 'Spam'),
      ),
      second: fc.nat({ max: 5 }),
    }),
    { maxLength: 30, size: 'max' },
  )
  .map((made) =>
    made.map(({ up, ...rest }, index) => ({
      ...rest,
      parent: up === null || index === 0 ? null : Math.max(0, index - 1 - up),
    })),
  );

type Thread = readonly [id: string, replies: readonly Thread[]];

function threads(nodes: readonly Node[], parent: number | null = null, depth = 0): readonly Thread[] {
  return nodes
    .map((node, index) => ({ ...node, index }))
    .filter((node) => node.parent === parent && node.status === 'Approved' && depth <= 5)
    .toSorted((a, b) => a.second - b.second || a.index - b.index)
    .map(({ index }) => [plantedId(index), threads(nodes, index, depth + 1)]);
}

const count = (some: readonly Thread[]): number => some.reduce((sum, [, replies]) => sum + 1 + count(replies), 0);

type ThreadJson = { readonly id: string; readonly replies: readonly ThreadJson[] };
const shape = (threads: readonly ThreadJson[]): readonly Thread[] =>
  threads.map(({ id, replies }) => [id, shape(replies)]);

test('any forest of comments is returned as it is', async () => {
  await using service = await TestService.open([], { builtIn: true, cacheSeconds: 0 });
  let posts = 0;
  let nested = 0;
  const posted = randomCases(60);
  const page = fc.record({ page: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(forest, page, async (nodes, { page, size }) => {
      posts += 1;
      await replant(service, posts, nodes);
      const reply: Reply = await service.send(`GET /api/v1/posts/p${posts}/comments?page=${page}&page_size=${size}`);
      const all = threads(nodes);
      const items = all.slice((page - 1) * size, page * size);
      expect({ ...reply.json, items: shape(reply.json.items) }).toEqual({
        items,
        total: count(all),
        page,
        page_size: size,
      });
      if (items.some(([, replies]) => count(replies) > 2)) nested += 1;
    }),
    { numRuns: posted },
  );
  // The comparison would show nothing if there were hardly ever replies.
  expect(nested).toBeGreaterThan(posted / 12);
});

/** A new post with these comments, in the place of all that were there before. */
async function replant(service: TestService, number: number, nodes: readonly Node[]): Promise<void> {
  const { table } = service.types.get('comment');
  const change = (statements: readonly (readonly [sql: string, ...parameters: readonly string[]])[]) =>
    service.database.transaction(async (transaction) => {
      for (const [sql, ...parameters] of statements) await transaction.run(query(sql, ...parameters));
      transaction.touch('comment');
    });
  await change([[`delete from "${table}"`]]);
  const post = plantedId(1_000 + number);
  await plant(service, [
    { type: 'post', id: post, body: { title: 'A post', slug: `p${number}`, status: 'Published' } },
    ...nodes.map(({ parent, status }, index) => ({
      type: 'comment',
      id: plantedId(index),
      body: { post_id: post, parent_id: parent === null ? null : plantedId(parent), status, content: 'x' },
    })),
  ]);
  const times = nodes.map(({ second }) => `2026-11-21T12:00:0${second}.000Z`);
  await change(
    times.map((time, index) => [`update "${table}" set "created_at" = ? where "id" = ?`, time, plantedId(index)]),
  );
}

test('a filter selects threads by the comments that begin them', async () => {
  await using service = await TestService.open([], { builtIn: true, cacheSeconds: 30 });
  // The second thread has two replies, the third waits for approval.
  await replant(service, 1, [
    { parent: null, status: 'Approved', second: 0 },
    { parent: null, status: 'Approved', second: 1 },
    { parent: 1, status: 'Approved', second: 2 },
    { parent: 2, status: 'Approved', second: 3 },
    { parent: null, status: 'Pending', second: 4 },
  ]);
  const list = async (filter: string) => {
    const { status, json } = await service.send(`GET /api/v1/posts/p1/comments?${new URLSearchParams({ filter })}`);
    if (status !== 200) return [status, json.code, json.position];
    return [json.total, shape(json.items)];
  };
  const [first, second] = [0, 1].map(plantedId);
  const later: Thread = [plantedId(1), [[plantedId(2), [[plantedId(3), []]]]]];
  expect(await list(`id = "${second}"`)).toEqual([3, [later]]);
  expect(await list(`id != "${second}"`)).toEqual([1, [[plantedId(0), []]]]);
  expect(await list(`id = "${second}"`)).toEqual([3, [later]]);
  expect(await list(`created_at < @now && id in ["${first}", "${second}"]`)).toEqual([4, [[plantedId(0), []], later]]);
  expect(await list(`id = "${plantedId(4)}"`)).toEqual([0, []]);
  expect(await list('')).toEqual([4, [[plantedId(0), []], later]]);
  expect(await list('email ~ "%"')).toEqual([400, 'invalid_filter', 1]);
  expect(await list('id:isset && author_id = @request.auth.id')).toEqual([400, 'invalid_filter', 25]);
});
