import '../../text/en/comments.ts';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Answer, type UnitPage, unitPage } from '../../unit/page.fixture.ts';
import type { CommentRecord, Status } from './comment-record.ts';

// What a moderator does, against a service that answers as the test says. Keys, focus and looks are tested in the browser.

const comment = (id: string, status: Status = 'Pending') => ({
  ...{ id, status, post_id: 'p1', parent_id: null, author_id: null },
  ...{ nickname: id.toUpperCase(), email: null, content: `of ${id}`, created_at: '2026-01-01T00:00:00Z' },
});

describe('the moderation queue', () => {
  let page: UnitPage;
  /** What the service has. */
  let stored: ReturnType<typeof comment>[];
  let pageSize: number;
  beforeEach(() => {
    stored = ['ann', 'ben', 'cid', 'dee'].map((id) => comment(id));
    pageSize = 30;
  });
  afterEach(() => page[Symbol.asyncDispose]());

  const answer: Answer = ({ line, query, body }) => {
    if (line === 'GET /admin/comments') {
      const status = query.get('status');
      const found = stored.filter((each) => status === null || each.status === status);
      // A page begins behind the last comment of the one before, whatever has become of that.
      const last = stored.findIndex(({ id }) => id === query.get('cursor'));
      const rest = found.filter((each) => stored.indexOf(each) > last);
      const items = rest.slice(0, Math.min(pageSize, Number(query.get('page_size'))));
      const next = items.length < rest.length ? { next_cursor: items.at(-1)?.id } : {};
      return { items, total: found.length, ...next };
    }
    if (line === 'GET /admin/comments/aggregate') {
      const counts = Map.groupBy(stored, ({ status }) => status);
      return { items: [...counts].map(([status, same]) => ({ status, count: same.length })) };
    }
    if (line === 'POST /admin/comments/batch') {
      const { action, ids }: { readonly action: string; readonly ids: readonly string[] } = body;
      const became = { approve: 'Approved', reject: 'Rejected', spam: 'Spam', pending: 'Pending' } as const;
      stored = stored.flatMap((each) => {
        if (!ids.includes(each.id)) return [each];
        return action === 'delete' ? [] : [{ ...each, status: became[action as keyof typeof became] }];
      });
      return { affected: ids.length };
    }
    return line.startsWith('GET') ? { items: [], total: 0 } : undefined;
  };

  async function open(path = '/comments', how: Answer = answer) {
    page = await unitPage(path, how);
    const { CommentQueue } = await import('./comment-queue.svelte.ts');
    const queue = page.make(() => new CommentQueue());
    await page.until(() => !queue.list.isLoading && queue.counts !== undefined);
    return queue;
  }
  type Queue = Awaited<ReturnType<typeof open>>;
  const ids = (queue: Queue) => queue.list.items.map(({ id }) => id);
  const byId = (queue: Queue, id: string): CommentRecord => {
    const found = queue.list.items.find((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} is not shown.`);
    return found;
  };
  const batches = () => page.requests.filter(({ line }) => line.endsWith('/batch')).map(({ body }) => body);
  const statusOf = (id: string) => stored.find((each) => each.id === id)?.status;

  test('shows what waits, the oldest first, and means the first of it', async () => {
    const queue = await open();
    expect(ids(queue)).toEqual(['ann', 'ben', 'cid', 'dee']);
    expect(queue.current?.id).toBe('ann');
    expect(page.requests.find(({ line }) => line === 'GET /admin/comments')?.query.get('sort')).toBe('created_at:asc');
    expect([queue.total, queue.counts?.get('Pending')]).toEqual([4, 4]);
  });

  test('what is decided leaves the list of another status, and counts follow', async () => {
    const queue = await open();
    await queue.decide([byId(queue, 'ben')], 'approve');
    await page.until(() => queue.counts?.get('Approved') === 1);
    expect([ids(queue), queue.list.total, statusOf('ben')]).toEqual([['ann', 'cid', 'dee'], 3, 'Approved']);
    expect([...queue.busy]).toEqual([]);
  });

  test('what is decided stays, with its status, where all are shown', async () => {
    const queue = await open('/comments?status=all');
    await queue.decide([byId(queue, 'ben')], 'spam');
    expect(ids(queue)).toEqual(['ann', 'ben', 'cid', 'dee']);
    expect(byId(queue, 'ben').status).toBe('Spam');
  });

  test('what has the status already is not sent, nor is anything twice at once', async () => {
    const queue = await open('/comments?status=all');
    await queue.decide([byId(queue, 'ann')], 'pending');
    expect(batches()).toEqual([]);
    const held = Promise.withResolvers<void>();
    page.answer = async (asked) => {
      if (asked.line.endsWith('/batch')) await held.promise;
      return answer(asked);
    };
    const [ann, ben] = [byId(queue, 'ann'), byId(queue, 'ben')];
    const first = queue.decide([ann], 'approve');
    expect(queue.busy.has('ann')).toBe(true);
    const second = queue.decide([ann, ben], 'spam');
    held.resolve();
    await Promise.all([first, second]);
    expect(batches().map((body) => [body.action, body.ids])).toEqual([
      ['approve', ['ann']],
      ['spam', ['ben']],
    ]);
    expect(queue.busy.size).toBe(0);
  });

  test('of several that leave, those that come after are meant next', async () => {
    const queue = await open();
    queue.selection.set([byId(queue, 'ben'), byId(queue, 'cid')]);
    await queue.decide(queue.selected, 'reject');
    expect([ids(queue), queue.current?.id, queue.selection.size]).toEqual([['ann', 'dee'], 'dee', 0]);
    await queue.decide([byId(queue, 'dee'), byId(queue, 'ann')], 'reject');
    expect([ids(queue), queue.current]).toEqual([[], undefined]);
  });

  test('the last decision is taken back, each to the status that it had', async () => {
    stored = [comment('ann'), comment('ben', 'Spam'), comment('cid', 'Approved')];
    const queue = await open('/comments?status=all');
    await queue.decide(queue.list.items, 'reject');
    expect(stored.map(({ status }) => status)).toEqual(['Rejected', 'Rejected', 'Rejected']);
    queue.undo?.();
    expect(queue.undo).toBeUndefined();
    await page.until(() => byId(queue, 'cid').status === 'Approved');
    expect(stored.map(({ status }) => status)).toEqual(['Pending', 'Spam', 'Approved']);
    expect(batches().slice(1)).toEqual([
      { action: 'pending', ids: ['ann'] },
      { action: 'approve', ids: ['cid'] },
      { action: 'spam', ids: ['ben'] },
    ]);
  });

  test('one message is shown for decisions that follow each other', async () => {
    const queue = await open();
    await queue.decide([byId(queue, 'ann')], 'approve');
    await queue.decide([byId(queue, 'ben')], 'approve');
    expect(page.toasts()).toHaveLength(1);
  });

  test('a decision that the service rejects changes nothing, and is said', async () => {
    const queue = await open();
    page.answer = (asked) =>
      asked.line.endsWith('/batch')
        ? Response.json({ code: 'internal', detail: 'It went wrong.' }, { status: 500 })
        : answer(asked);
    await queue.decide([byId(queue, 'ann')], 'approve');
    expect([ids(queue), queue.busy.size, queue.undo]).toEqual([['ann', 'ben', 'cid', 'dee'], 0, undefined]);
    expect(page.toasts().join()).toContain('It went wrong.');
  });

  test('the next page is loaded when the first one is done', async () => {
    pageSize = 2;
    const queue = await open();
    expect(ids(queue)).toEqual(['ann', 'ben']);
    await queue.decide(queue.list.items, 'approve');
    expect(ids(queue)).toEqual(['cid', 'dee']);
  });

  test('the one before and the one after are meant, and near the end more is loaded', async () => {
    pageSize = 2;
    stored = Array.from({ length: 6 }, (_, index) => comment(`c${index}`));
    const queue = await open();
    queue.move(-1);
    expect(queue.current?.id).toBe('c0');
    queue.move(1);
    expect(queue.current?.id).toBe('c1');
    await page.until(() => queue.list.items.length > 2);
    queue.move(1);
    expect(queue.current?.id).toBe('c2');
  });

  test('deleting asks first, takes the replies too, and goes on behind them', async () => {
    const queue = await open();
    queue.act(byId(queue, 'ben'), 'delete');
    expect([queue.deleting.map(({ id }) => id), batches()]).toEqual([['ben'], []]);
    page.answer = (asked) => {
      const answered = answer(asked);
      // A reply to it goes with it.
      if (asked.body?.action === 'delete') stored = stored.filter(({ id }) => id !== 'cid');
      return answered;
    };
    await queue.remove();
    expect([ids(queue), queue.current?.id, queue.deleting]).toEqual([['ann', 'dee'], 'dee', []]);
    expect(queue.undo).toBeUndefined();
  });

  test('a deletion that fails stays asked', async () => {
    const queue = await open();
    queue.act(byId(queue, 'ben'), 'delete');
    page.answer = (asked) =>
      asked.line.endsWith('/batch') ? Response.json({ code: 'x', detail: 'No.' }, { status: 403 }) : answer(asked);
    await queue.remove();
    expect([ids(queue).length, queue.deleting.length]).toEqual([4, 1]);
  });

  test('a reply that is written is kept while others are decided, and given up when asked', async () => {
    const queue = await open();
    queue.act(byId(queue, 'ben'), 'reply');
    queue.replies.set('ben', 'Thank you');
    expect(queue.isWriting).toBe(true);
    await queue.decide([byId(queue, 'ann')], 'approve');
    queue.act(byId(queue, 'ben'), 'reply');
    expect(queue.replies.get('ben')).toBe('Thank you');
    queue.giveUpReply(byId(queue, 'ben'));
    expect([queue.isWriting, queue.replies.size]).toEqual([false, 0]);
  });

  test('whoever is answered leaves the list of what waits, and stays in the list of all', async () => {
    const queue = await open();
    await queue.replied(byId(queue, 'ann'));
    expect([ids(queue), queue.current?.id]).toEqual([['ben', 'cid', 'dee'], 'ben']);
  });

  test('another question forgets the selection, and an answer to the one before is not shown', async () => {
    stored.push(comment('eve', 'Spam'));
    const queue = await open();
    queue.selectAll();
    expect(queue.isAllSelected).toBe(true);
    const { navigate } = await import('../../app/navigation.svelte.ts');
    const late = Promise.withResolvers<void>();
    const isLate = ({ line, query }: Parameters<Answer>[0]) =>
      line === 'GET /admin/comments' && query.get('search') === 'first';
    page.answer = async (asked) => {
      if (isLate(asked)) await late.promise;
      return answer(asked);
    };
    navigate('/comments?search=first');
    await page.until(() => page.requests.some(isLate) || queue.list.isLoading);
    expect(queue.selection.size).toBe(0);
    navigate('/comments?status=spam');
    await page.until(() => ids(queue).includes('eve'));
    late.resolve();
    await page.until(() => !queue.list.isLoading);
    expect(ids(queue)).toEqual(['eve']);
  });
});
