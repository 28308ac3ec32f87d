import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Answer, UnitPage } from '../../../unit/page.fixture.ts';
import { openList, steps } from '../data/list.fixture.ts';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly position: number;
}
/** What the service has. */
let stored: readonly Step[];
let page: UnitPage;

beforeEach(() => {
  stored = ['Cut', 'Fold', 'Sew', 'Glue', 'Press'].map((title, position) => ({ id: title, title, position }));
});
afterEach(() => page[Symbol.asyncDispose]());

const inOrder = () => stored.toSorted((a, b) => a.position - b.position);
const answer: Answer = ({ line, body }) => {
  if (line === 'GET /admin/cms/steps') return { items: inOrder(), total: stored.length };
  if (line !== 'PUT /admin/cms/steps/reorder') return line.startsWith('GET') ? { items: [], total: 0 } : undefined;
  const { items }: { readonly items: readonly Omit<Step, 'title'>[] } = body;
  stored = stored.map((each) => ({ ...each, ...items.find(({ id }) => id === each.id) }));
  return { items: [] };
};

async function open(query = '') {
  const list = await openList(`/content/steps${query}`, steps, answer);
  page = list.page;
  return { ...list, titles: () => list.order.rows.map(({ title }) => title) };
}
const sent = () => page.requests.filter(({ line }) => line.startsWith('PUT'));

test('a move is shown at once, stored, and said', async () => {
  const { order, titles } = await open();
  expect([order.isShown, order.move(0, 1)]).toEqual([true, true]);
  expect(titles()).toEqual(['Fold', 'Cut', 'Sew', 'Glue', 'Press']);
  await page.until(() => order.announced !== '');
  expect(order.announced).toBe('Cut is now number 2.');
  expect(inOrder().map(({ title }) => title)).toEqual(['Fold', 'Cut', 'Sew', 'Glue', 'Press']);
});

test('a key that is faster than the service is not ahead of itself: one move follows the other', async () => {
  const { order, data, titles } = await open();
  const held = Promise.withResolvers<void>();
  page.answer = async (request) => {
    if (request.line.startsWith('PUT')) await held.promise;
    return answer(request);
  };
  for (const from of [4, 3, 2]) order.move(from, from - 1);
  expect(titles()).toEqual(['Cut', 'Press', 'Fold', 'Sew', 'Glue']);
  await page.until(() => sent().length === 1);
  // What the service has from before does not take it back meanwhile.
  void data.page.reload();
  held.resolve();
  await page.until(() => order.announced === 'Press is now number 2.' && !data.page.isFetching);
  expect(sent()).toHaveLength(3);
  expect([titles(), inOrder().map(({ title }) => title)]).toEqual([
    ['Cut', 'Press', 'Fold', 'Sew', 'Glue'],
    ['Cut', 'Press', 'Fold', 'Sew', 'Glue'],
  ]);
});

test('what cannot be stored is where it was, and several that fail are one message', async () => {
  const { order, titles } = await open();
  page.answer = (request) =>
    request.line.startsWith('PUT') ? Response.json({ code: 'x', detail: 'No.' }, { status: 403 }) : answer(request);
  for (const from of [4, 3, 2]) order.move(from, from - 1);
  await page.until(() => page.toasts().length > 0);
  await page.until(() => titles()[4] === 'Press');
  expect(titles()).toEqual(['Cut', 'Fold', 'Sew', 'Glue', 'Press']);
  expect(page.toasts()).toHaveLength(1);
  // Another one begins anew.
  page.answer = answer;
  order.move(4, 3);
  await page.until(() => order.announced !== '');
  expect(titles()).toEqual(['Cut', 'Fold', 'Sew', 'Press', 'Glue']);
});

test('there is nothing to move where the list shows another order', async () => {
  for (const query of ['?sort=title:asc', '?search=cut', '?deleted=only', '?end=1']) {
    const { order } = await open(query);
    expect([query, order.isShown]).toEqual([query, false]);
    await page[Symbol.asyncDispose]();
  }
  const { order } = await open();
  expect([order.move(9, 0), sent()]).toEqual([false, []]);
});
