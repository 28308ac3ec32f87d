import { afterEach, expect, test } from 'bun:test';
import { type UnitPage, unitPage } from '../../../unit/page.fixture.ts';
import { steps } from '../data/list.fixture.ts';

let page: UnitPage | undefined;
afterEach(async () => {
  await page?.[Symbol.asyncDispose]();
  page = undefined;
});

test('a tree is asked for once, although what arrives is what the request was made of', async () => {
  const opened = await unitPage('/content/steps', ({ line }) =>
    line === 'GET /admin/cms/steps' ? { items: [], total: 0 } : undefined,
  );
  page = opened;
  const [{ Tree }, { createQuery }, { session }] = await Promise.all([
    import('./tree.svelte.ts'),
    import('../../../api/query.svelte.ts'),
    import('../../../app/session.svelte.ts'),
  ]);
  const { tree, query } = opened.make(() => {
    const tree = new Tree(session.client, steps, () => []);
    const load = async (signal: AbortSignal): Promise<boolean> => {
      await tree.reload(signal);
      return true;
    };
    return { tree, query: createQuery(() => ({ key: ['list', 'steps', 'tree'], load })) };
  });
  await opened.until(() => tree.isLoaded && !query.isFetching);
  let looks = 0;
  await opened.until(() => {
    looks += 1;
    return looks > 20;
  });
  expect(opened.requests.map(({ line }) => line)).toEqual(['GET /admin/cms/steps']);
});
