import { afterEach, describe, expect, test } from 'bun:test';
import type { Answer, Asked, UnitPage } from '../../../unit/page.fixture.ts';
import { articles, openList, steps } from './list.fixture.ts';

const rows = [
  { id: 'r1', title: 'Paper', status: 'draft', author: { id: 'a1', name: 'Ines' } },
  { id: 'r2', title: 'Ink', status: 'published', author: null },
];

const isPage = ({ line, query }: Asked) => line === 'GET /admin/cms/articles' && query.get('skip_total') === 'true';
const isTotal = ({ line, query }: Asked) => line === 'GET /admin/cms/articles' && query.get('page_size') === '1';
const isCounts = ({ line }: Asked) => line === 'GET /admin/cms/articles/aggregate';

const answer: Answer = (asked) => {
  if (isCounts(asked))
    return {
      items: [
        { status: 'draft', count: 1 },
        { status: 'published', count: 1 },
      ],
    };
  if (isTotal(asked)) return { items: rows.slice(0, 1), total: rows.length };
  if (isPage(asked)) return { items: rows, next_cursor: 'next' };
  return asked.line.startsWith('GET') ? { items: [], total: 0 } : undefined;
};

let page: UnitPage | undefined;
afterEach(async () => {
  await page?.[Symbol.asyncDispose]();
  page = undefined;
});

async function open(query = '', how: Answer = answer, type = articles) {
  const list = await openList(`/content/${type.plural}${query}`, type, how);
  page = list.page;
  return list;
}
const asked = (of: (request: Asked) => boolean): readonly URLSearchParams[] =>
  (page?.requests ?? []).filter(of).map(({ query }) => query);
const totalsOf = (filter: RegExp) => asked(isTotal).filter((query) => filter.test(query.get('filter') ?? ''));
const navigate = async (path: string): Promise<void> =>
  (await import('../../../app/navigation.svelte.ts')).navigate(`/content/${path}`);

describe('the records', () => {
  test('come as the address says, with the titles of what columns relate to', async () => {
    const { data } = await open('?filter=reads+>+1&sort=title:asc&size=20&page=3');
    expect(data.rows.map(({ id }) => id)).toEqual(['r1', 'r2']);
    const [query] = asked(isPage);
    expect(Object.fromEntries(query ?? [])).toEqual({
      ...{
        filter: 'reads > 1',
        sort: 'title:asc:natural',
        page: '3',
        page_size: '20',
        skip_total: 'true',
        include: 'author',
      },
    });
  });

  test('of a list that nobody sorts are the newest first, and the best first of a search', async () => {
    await open();
    expect(asked(isPage)[0]?.get('sort')).toBe('id:desc');
    await page?.[Symbol.asyncDispose]();
    await open('?search=ink');
    expect(asked(isPage)[0]?.has('sort')).toBe(false);
  });

  test('are read from the end the other way round, and shown in order', async () => {
    const { data } = await open('?sort=title:asc&end=1&after=here');
    const [query] = asked(isPage);
    expect([query?.get('sort'), query?.get('cursor'), query?.has('page')]).toEqual([
      'title:desc:natural',
      'here',
      false,
    ]);
    expect(data.rows.map(({ id }) => id)).toEqual(['r2', 'r1']);
  });

  test('that are deleted are asked for as such', async () => {
    await open('?deleted=only');
    expect(asked(isPage)[0]?.get('deleted')).toBe('only');
    expect(asked(isCounts)).toEqual([]);
  });

  test('are shown without the titles of relations when a response cannot hold them', async () => {
    const { data } = await open('', (request) =>
      isPage(request) && request.query.has('include')
        ? Response.json({ code: 'answer_too_large', detail: 'Too much.' }, { status: 422 })
        : answer(request),
    );
    await page?.until(() => data.rows.length > 0);
    expect(asked(isPage).map((query) => query.get('include'))).toEqual(['author', null]);
    expect(data.error).toBeUndefined();
  });

  test('stay while the next ones are on their way, and an answer that comes too late is not shown', async () => {
    const first = Promise.withResolvers<void>();
    const { data } = await open('', async (request) => {
      const search = request.query.get('search');
      if (isPage(request) && search === 'first') await first.promise;
      return isPage(request) && search !== null ? { items: [{ id: search }] } : answer(request);
    });
    await navigate('articles?search=first');
    await page?.until(() => asked(isPage).some((query) => query.get('search') === 'first'));
    expect(data.rows.map(({ id }) => id)).toEqual(['r1', 'r2']);
    await navigate('articles?search=second');
    await page?.until(() => data.rows[0]?.id === 'second');
    first.resolve();
    await page?.until(() => !data.page.isFetching);
    expect(data.rows.map(({ id }) => id)).toEqual(['second']);
  });

  test('that could not be loaded are an error, until they can', async () => {
    const { data } = await open('', (request) =>
      isPage(request) ? Response.json({ code: 'invalid_filter', detail: 'Not so.' }, { status: 400 }) : answer(request),
    );
    expect(String(data.error)).toContain('Not so.');
    if (page !== undefined) page.answer = answer;
    await data.page.reload();
    await page?.until(() => data.error === undefined);
    expect(data.rows).toHaveLength(2);
  });
});

describe('how many there are', () => {
  test('is asked once for all pages', async () => {
    const { data } = await open('?filter=reads+>+1');
    await page?.until(() => data.total !== undefined);
    await navigate('articles?filter=reads+>+1&page=2');
    await page?.until(() => asked(isPage).length === 2 && !data.page.isFetching);
    expect([data.total, data.inexact, totalsOf(/^reads > 1$/).length]).toEqual([2, undefined, 1]);
  });

  test('is an estimate where the service says so, and at least that where a search has counted enough', async () => {
    const { data } = await open('', (request) =>
      isTotal(request) ? { items: [], total: 90_000, total_is_estimate: true } : answer(request),
    );
    await page?.until(() => data.total !== undefined);
    expect(data.inexact).toBe('estimate');
    await page?.[Symbol.asyncDispose]();
    const searched = await open('?search=ink', (request) =>
      isTotal(request) ? { items: [], total: 10_000 } : answer(request),
    );
    await page?.until(() => searched.data.total !== undefined);
    expect(searched.data.inexact).toBe('least');
  });
});

describe('how many there are of each status', () => {
  test('does not depend on which of them is shown', async () => {
    const { data } = await open('?filter=status+=+"draft"+%26%26+reads+>+1');
    await page?.until(() => data.counts.data !== undefined && data.scheduled.data !== undefined);
    expect(Object.fromEntries(data.counts.data ?? [])).toEqual({ draft: 1, published: 1 });
    expect(asked(isCounts).map((query) => [query.get('filter'), query.get('group')])).toEqual([
      ['reads > 1', 'status'],
    ]);
    expect(totalsOf(/scheduled_at/).map((query) => query.get('filter'))).toEqual(['reads > 1 && scheduled_at != null']);
  });

  test('nor on whether those with a schedule are shown', async () => {
    const { data } = await open('?filter=scheduled_at+!=+null');
    await page?.until(() => data.counts.data !== undefined);
    expect(asked(isCounts).map((query) => query.get('filter'))).toEqual([null]);
  });

  test('is asked under a filter that the builder cannot read as it is, and schedules are not', async () => {
    const { data } = await open('?filter=titel+%3F%3F');
    await page?.until(() => data.counts.data !== undefined);
    expect(asked(isCounts).map((query) => query.get('filter'))).toEqual(['titel ??']);
    expect(totalsOf(/scheduled_at/)).toEqual([]);
  });
});

test('records inside of others are a tree, as long as nothing is asked for', async () => {
  const nested = { ...steps, definition: { ...steps.definition, protocols: ['nestable'] } };
  const { data } = await open('', answer, nested);
  expect([data.isTree, page?.requests.some(({ query }) => query.get('skip_total') === 'true')]).toEqual([true, false]);
  for (const query of ['search=a', 'filter=title+=+"a"', 'sort=title:asc', 'deleted=only']) {
    await navigate(`steps?${query}`);
    expect([query, data.isTree]).toEqual([query, false]);
  }
});
