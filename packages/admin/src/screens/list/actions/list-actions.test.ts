import { afterEach, describe, expect, test } from 'bun:test';
import type { Answer, UnitPage } from '../../../unit/page.fixture.ts';
import { articles, openList } from '../data/list.fixture.ts';

const rows = ['Paper', 'Ink', 'Glue'].map((title, index) => ({
  ...{ id: `r${index + 1}`, title, status: 'draft', scheduled_at: null, author: null },
}));

const answer: Answer = ({ line, query }) => {
  if (line === 'POST /admin/cms/articles/batch') return { affected: 1 };
  if (line === 'GET /admin/cms/articles')
    return { items: query.get('deleted') === 'only' && query.get('page_size') === '1' ? [] : rows, total: rows.length };
  return line.startsWith('GET') ? { items: [], total: 0 } : undefined;
};

let page: UnitPage | undefined;
let undo: (() => void) | undefined;
afterEach(async () => {
  await page?.[Symbol.asyncDispose]();
  page = undefined;
});

async function open(query = '', how: Answer = answer, type = articles) {
  const list = await openList(`/content/articles${query}`, type, how);
  page = list.page;
  await page.until(() => list.data.total !== undefined);
  return list;
}
const batches = () => (page?.requests ?? []).filter(({ line }) => line.endsWith('/batch')).map(({ body }) => body);
/** What the way back of the last message does. */
async function takeBack(): Promise<void> {
  const { toasts } = await import('../../../ui/toasts.svelte.ts');
  undo = toasts.shown.at(-1)?.action?.run;
  undo?.();
}

describe('what can be done with a selection', () => {
  test('is what the type and the account allow', async () => {
    expect((await open()).actions.offered).toEqual(['publish', 'unpublish', 'set', 'delete']);
    await page?.[Symbol.asyncDispose]();
    const readOnly = { ...articles, may: { ...articles.may, update: false, delete: false } };
    expect((await open('', answer, readOnly)).actions.offered).toEqual(['publish', 'unpublish']);
    await page?.[Symbol.asyncDispose]();
    expect((await open('?deleted=only')).actions.offered).toEqual(['restore', 'purge']);
  });

  test('is done at once where it can be taken back', async () => {
    const { actions, data } = await open();
    actions.selection.setPage(data.rows.slice(0, 2), true);
    actions.ask('delete');
    await page?.until(() => batches().length > 0 && !actions.isWorking);
    expect([actions.asked, batches()]).toEqual([undefined, [{ action: 'delete', ids: ['r1', 'r2'] }]]);
    expect([actions.selection.size, page?.toasts().length]).toEqual([0, 1]);
    await takeBack();
    await page?.until(() => page?.toasts().length === 2);
    expect(batches()[1]).toEqual({ action: 'restore', ids: ['r1', 'r2'] });
  });

  test('is asked about first where it cannot, or where it is done to what nobody sees', async () => {
    const hard = { ...articles, definition: { ...articles.definition, protocols: [] } };
    const kept = await open('', answer, hard);
    kept.actions.selection.setPage(kept.data.rows, true);
    kept.actions.ask('delete');
    expect([kept.actions.asked, batches()]).toEqual([{ action: 'delete', count: 3, isAll: false, linked: [] }, []]);
    await page?.[Symbol.asyncDispose]();
    const all = await open();
    all.actions.selection.selectAll();
    all.actions.ask('publish');
    expect([all.actions.asked, batches()]).toEqual([{ action: 'publish', count: 3, isAll: true, linked: [] }, []]);
    all.actions.ask('set');
    expect(all.actions.asked).toEqual({ action: 'set', count: 3, isAll: true, linked: [] });
  });

  test('names what links to records that visitors will not find any more, also where it can be taken back', async () => {
    const linking = { type: 'article', id: 'other', places: ['body'] };
    const { actions, data } = await open('', (request) => {
      if (request.line === 'GET /admin/links/articles/r1') return { items: [linking] };
      // One of the selected records links to another: it goes as well.
      if (request.line === 'GET /admin/links/articles/r2') return { items: [{ ...linking, id: 'r1' }] };
      return answer(request);
    });
    actions.selection.setPage(data.rows.slice(0, 2), true);
    actions.ask('unpublish');
    await page?.until(() => actions.asked !== undefined);
    expect(actions.asked).toEqual({ action: 'unpublish', count: 2, isAll: false, linked: [linking] });
    expect(batches()).toEqual([]);
    actions.asked = undefined;
    // Publishing hides nothing.
    actions.ask('publish');
    await page?.until(() => batches().length > 0);
    expect(actions.asked).toBe(undefined);
  });

  test('is done to nothing else that is selected while it is found out what links to it', async () => {
    const asked = Promise.withResolvers<object>();
    const { actions, data } = await open('', (request) =>
      request.line === 'GET /admin/links/articles/r1' ? asked.promise : answer(request),
    );
    const [first, second] = data.rows;
    actions.selection.setPage(first === undefined ? [] : [first], true);
    actions.ask('delete');
    await page?.until(() => page?.requests.some(({ line }) => line.startsWith('GET /admin/links/')) === true);
    actions.selection.clear();
    actions.selection.setPage(second === undefined ? [] : [second], true);
    asked.resolve({ items: [] });
    // The next question is heard once that one has been answered.
    await page?.until(() => {
      if (batches().length === 0) actions.ask('unpublish');
      return batches().length > 0;
    });
    expect(batches()).toEqual([{ action: 'unpublish', ids: ['r2'] }]);
  });

  test('publishing sets a field where the status is one of the type, not of the protocol', async () => {
    const own = {
      ...articles,
      fields: articles.fields.map((each) =>
        each.name === 'status' ? { ...each, origin: 'declared' as const, writable: true } : each,
      ),
      definition: {
        ...articles.definition,
        ...{ protocols: [], fields: [{ name: 'status', field_type: 'enum', enum_values: ['open', 'published'] }] },
      },
    };
    const { actions, data } = await open('', answer, own);
    actions.selection.setPage(data.rows.slice(0, 1), true);
    await actions.run({ action: 'publish' });
    actions.selection.setPage(data.rows.slice(0, 1), true);
    await actions.run({ action: 'unpublish' });
    expect(batches().map(({ action, set }) => [action, set])).toEqual([
      ['update', { status: 'published' }],
      ['update', { status: 'open' }],
    ]);
  });
});

describe('an action that fails', () => {
  test('says why, with the first of the errors, and the selection stays', async () => {
    const { actions, data } = await open('', (request) =>
      request.line.endsWith('/batch')
        ? Response.json(
            { code: 'validation_failed', detail: 'Not valid.', errors: [{ path: 'title', message: 'Too long.' }] },
            { status: 422 },
          )
        : answer(request),
    );
    actions.selection.setPage(data.rows, true);
    await actions.run({ action: 'update', set: { title: 'x' } });
    expect(page?.toasts()).toEqual([expect.stringMatching(/Not valid\..*Too long\./)]);
    expect([actions.selection.size, actions.isWorking, actions.asked]).toEqual([3, false, undefined]);
  });

  test('for some of the records says what was done, and why the rest was not', async () => {
    const { actions, data } = await open('?deleted=only', (request) =>
      request.line.startsWith('DELETE')
        ? request.line.includes('r2')
          ? Response.json({ code: 'x', detail: 'It is in use.' }, { status: 409 })
          : new Response(null, { status: 204 })
        : answer(request),
    );
    actions.selection.setPage(data.rows, true);
    await actions.run({ action: 'purge' });
    expect(page?.toasts()).toHaveLength(2);
    expect(page?.toasts()[1]).toContain('It is in use.');
  });

  test('to take it back is said', async () => {
    const { actions, data } = await open();
    actions.selection.setPage(data.rows.slice(0, 1), true);
    await actions.run({ action: 'delete' });
    if (page !== undefined)
      page.answer = (request) =>
        request.line.endsWith('/batch')
          ? Response.json({ code: 'x', detail: 'No.' }, { status: 403 })
          : answer(request);
    await takeBack();
    await page?.until(() => page?.toasts().some((text) => text.includes('No.')) === true);
  });
});

describe('a long change', () => {
  const total = 5_000;
  const long =
    (states: readonly object[]): Answer =>
    (request) => {
      const { line, query } = request;
      if (line === 'GET /admin/cms/articles' && query.get('page_size') === '1' && query.get('deleted') === null)
        return { items: [], total };
      if (line.endsWith('/batch')) return { job: 'j1' };
      if (line === 'GET /admin/jobs/j1') return states[0];
      return answer(request);
    };
  const done = {
    ...{ state: 'done', progress: { done: total, total }, result: { affected: total, failed: 0 }, error: null },
  };

  test('shows how far it is, and no more when it is over, nor when it is taken back', async () => {
    const { actions } = await open('', long([done]));
    actions.selection.selectAll();
    const seen: unknown[] = [];
    const running = actions.run({ action: 'delete' });
    await page?.until(() => {
      if (actions.progress !== undefined) seen.push(actions.progress);
      return !actions.isWorking;
    });
    await running;
    expect(actions.progress).toBeUndefined();
    await takeBack();
    await page?.until(() => page?.toasts().length === 2);
    expect(batches()).toHaveLength(2);
    expect(actions.progress).toBeUndefined();
  });
});

test('a selection is of one question: another one begins without', async () => {
  const { actions, data } = await open();
  actions.selection.setPage(data.rows, true);
  expect(actions.isPageSelected).toBe(true);
  const { navigate } = await import('../../../app/navigation.svelte.ts');
  // Another page or order is the same question.
  navigate('/content/articles?sort=title:asc&page=2');
  await page?.until(() => !data.page.isFetching);
  expect(actions.selection.size).toBe(3);
  navigate('/content/articles?search=ink');
  await page?.until(() => !data.page.isFetching);
  expect([actions.selection.size, actions.isPageSelected]).toEqual([0, false]);
});
