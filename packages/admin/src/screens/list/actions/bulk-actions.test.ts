import { describe, expect, test } from 'bun:test';
import { RectoError } from '@recto/client';
import { createAdminClient } from '@recto/client/admin';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import type { RectoClient } from '../data/recto-client.ts';
import { type BulkParts, type BulkTarget, mostAtOnce, mostUndone, runBulk, TooManyFound } from './bulk-actions.ts';

const type: ListedType = {
  ...{ singular: 'article', plural: 'articles', source: 'file', fields: [] },
  definition: { protocols: ['soft_deletable', 'statusable'] },
};

interface Asked {
  readonly line: string;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong path fails the test.
  readonly body: any;
  readonly headers: Headers;
}

/** Parts for a service that answers as a test says: with a value as JSON, or with a response. */
function service(answer: (asked: Asked, index: number) => unknown, more: Partial<BulkParts> = {}) {
  const requests: Asked[] = [];
  const client: RectoClient = createAdminClient({
    url: 'http://recto.test',
    token: 'x',
    retries: 0,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      const asked: Asked = {
        line: `${request.method} ${pathname.replace('/api/v1', '')}`,
        ...{ query: searchParams, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) },
      };
      requests.push(asked);
      const answered = await answer(asked, requests.length - 1);
      return answered instanceof Response ? answered : Response.json(answered);
    },
  });
  const parts: BulkParts = {
    ...{ client, type, isSoft: true, statusField: 'status', scheduleField: 'scheduled_at' },
    ...{ pause: () => Promise.resolve(), ...more },
  };
  return { parts, requests, bodies: () => requests.map(({ body }) => body) };
}

const records = (...values: readonly Readonly<Record<string, unknown>>[]): readonly ListRecord[] =>
  values.map((value, index) => ({ id: `r${index + 1}`, ...value }));
const two = records({ status: 'draft', scheduled_at: null }, { status: 'published', scheduled_at: null });
const matching = (total: number, state: Partial<Extract<BulkTarget, { total: number }>['matching']> = {}) => ({
  matching: { filter: '', search: '', sort: '', deleted: false, language: '', missing: '', asOf: '', ...state },
  total,
});
/** A service that keeps records: batches change them, and lists show those of the ids that are asked for. */
function keeping(all: readonly ListRecord[], more: Partial<BulkParts> = {}) {
  const stored = new Map(all.map((record) => [record.id, { ...record }]));
  const deleted = new Set<string>();
  const made = service(({ line, query, body }) => {
    if (line.startsWith('GET')) {
      const ids: readonly string[] = JSON.parse((query.get('filter') ?? '').replace('id in ', ''));
      const names = (query.get('fields') ?? '').split(',');
      const found = ids.filter((id) => stored.has(id) && deleted.has(id) === (query.get('deleted') === 'only'));
      const shown = (id: string) => Object.fromEntries(names.map((name) => [name, stored.get(id)?.[name] ?? null]));
      return { items: found.map(shown), total: -1 };
    }
    for (const id of body.ids) {
      const record = stored.get(id) ?? { id };
      if (body.action === 'update') stored.set(id, { ...record, ...body.set });
      if (body.action === 'publish') stored.set(id, { ...record, status: 'published', scheduled_at: null });
      if (body.action === 'delete') deleted.add(id);
      if (body.action === 'restore') deleted.delete(id);
    }
    return { affected: body.ids.length };
  }, more);
  const batches = () => made.bodies().filter((body) => body !== undefined);
  return { ...made, stored, deleted, batches };
}
const problem = (status: number, code: string, detail: string): Response =>
  Response.json({ status, code, detail }, { status });
/** What `work` rejects with. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('records that were chosen', () => {
  test('are changed by one request, which is not done twice when it is sent twice', async () => {
    const { parts, requests } = keeping(two);
    const { affected, failed } = await runBulk(parts, { action: 'publish' }, { records: two });
    expect([affected, failed]).toEqual([2, 0]);
    const [change, ...others] = requests.filter(({ line }) => !line.startsWith('GET'));
    expect([change?.line, change?.body, others.length]).toEqual([
      ...['POST /admin/cms/articles/batch', { action: 'publish', ids: ['r1', 'r2'] }, 0],
    ]);
    expect(change?.headers.get('Idempotency-Key')).toMatch(/./);
  });

  test('none of them: nothing is asked, and there is nothing to take back', async () => {
    const { parts, requests } = service(() => ({}));
    const result = await runBulk(parts, { action: 'delete' }, { records: [] });
    expect([result.affected, result.undo, requests]).toEqual([0, undefined, []]);
  });

  test('an error of the service is that of the action', async () => {
    const { parts } = service(() => problem(409, 'transition_not_allowed', 'Not from there.'));
    const error = await failureOf(runBulk(parts, { action: 'publish' }, { records: two }));
    expect(error).toBeInstanceOf(RectoError);
    expect(String(error)).toContain('Not from there.');
  });

  test('deleting is taken back by restoring, where records are kept, and the other way round', async () => {
    const { parts, batches, deleted } = keeping(two);
    await (await runBulk(parts, { action: 'delete' }, { records: two })).undo?.();
    expect(deleted.size).toBe(0);
    await (await runBulk(parts, { action: 'restore' }, { records: two })).undo?.();
    expect(batches().map(({ action }) => action)).toEqual(['delete', 'restore', 'restore', 'delete']);
    const hard = service(() => ({ affected: 2 }), { isSoft: false });
    expect((await runBulk(hard.parts, { action: 'delete' }, { records: two })).undo).toBeUndefined();
  });

  test('of records that were removed for good meanwhile, or restored, the others are still taken back', async () => {
    const { parts, batches, deleted } = keeping(two);
    const { undo } = await runBulk(parts, { action: 'delete' }, { records: two });
    deleted.delete('r1');
    expect((await undo?.())?.map(({ id }) => id)).toEqual(['r1']);
    expect(batches()[1]).toEqual({ action: 'restore', ids: ['r2'] });
    const restored = await runBulk(parts, { action: 'restore' }, { records: two });
    deleted.add('r1').add('r2');
    expect((await restored.undo?.())?.length).toBe(2);
    expect(batches()).toHaveLength(3);
  });

  test('each gets its own values back, by one request for all that had equal ones', async () => {
    const chosen = records({ author: 'a1' }, { author: null }, { author: 'a1' });
    const { parts, batches, stored } = keeping(chosen);
    const { undo } = await runBulk(parts, { action: 'update', set: { author: 'a2' } }, { records: chosen });
    expect(await undo?.()).toEqual([]);
    expect(batches().slice(1)).toEqual([
      { action: 'update', set: { author: 'a1' }, ids: ['r1', 'r3'] },
      { action: 'update', set: { author: null }, ids: ['r2'] },
    ]);
    expect([...stored.values()].map(({ author }) => author)).toEqual(['a1', null, 'a1']);
  });

  test('they are the values right before the action, whatever the list has shown', async () => {
    const shown = records({ author: { id: 'a1', name: 'Ines' } }, { author: null });
    const { parts, batches, stored } = keeping(shown);
    stored.set('r1', { id: 'r1', author: 'a7' });
    const { undo } = await runBulk(parts, { action: 'update', set: { author: 'a2' } }, { records: shown });
    await undo?.();
    expect(batches()[1]).toEqual({ action: 'update', set: { author: 'a7' }, ids: ['r1'] });
  });

  test('what somebody has changed since stays, and is named', async () => {
    const chosen = records({ title: 'Ink', reads: 1 }, { title: 'Paper', reads: 2 }, { title: 'Glue', reads: 3 });
    const { parts, batches, stored } = keeping(chosen);
    const { undo } = await runBulk(parts, { action: 'update', set: { reads: 9 } }, { records: chosen });
    stored.set('r2', { id: 'r2', title: 'Paper', reads: 7 });
    stored.delete('r3');
    expect((await undo?.())?.map(({ title }) => title)).toEqual(['Paper', 'Glue']);
    expect(batches().slice(1)).toEqual([{ action: 'update', set: { reads: 1 }, ids: ['r1'] }]);
    expect(stored.get('r2')?.reads).toBe(7);
  });

  test('a status that is given back brings its schedule back, but for a time that is past', async () => {
    const chosen = records(
      { status: 'draft', scheduled_at: '2999-01-01T10:00:00.000Z' },
      { status: 'draft', scheduled_at: '2001-01-01T10:00:00.000Z' },
    );
    const { parts, batches } = keeping(chosen);
    await (await runBulk(parts, { action: 'publish' }, { records: chosen })).undo?.();
    expect(batches().slice(1)).toEqual([
      { action: 'update', set: { status: 'draft', scheduled_at: '2999-01-01T10:00:00.000Z' }, ids: ['r1'] },
      { action: 'update', set: { status: 'draft', scheduled_at: null }, ids: ['r2'] },
    ]);
  });

  test('a field besides the status leaves the schedule alone', async () => {
    const chosen = records({ reads: 1, scheduled_at: '2999-01-01T10:00:00.000Z' });
    const { parts, batches } = keeping(chosen);
    await (await runBulk(parts, { action: 'update', set: { reads: 9 } }, { records: chosen })).undo?.();
    expect(batches()[1]).toEqual({ action: 'update', set: { reads: 1 }, ids: ['r1'] });
  });

  test('a status that no field holds cannot be given back', async () => {
    const { parts } = service(() => ({ affected: 2 }), { statusField: undefined });
    expect((await runBulk(parts, { action: 'archive' }, { records: two })).undo).toBeUndefined();
  });
});

describe('removing for good', () => {
  const many = records(...Array.from({ length: 9 }, () => ({})));

  test('goes on after one that cannot be removed, and says how many and why', async () => {
    const progress: (readonly [number, number])[] = [];
    const { parts, requests } = service(
      ({ line }) =>
        line.includes('/r3/') || line.includes('/r5/')
          ? problem(409, 'in_use', `${line} is in use.`)
          : new Response(null, { status: 204 }),
      { onProgress: (done, total) => progress.push([done, total]) },
    );
    const { affected, failed, reason, undo } = await runBulk(parts, { action: 'purge' }, { records: many });
    expect([affected, failed, undo]).toEqual([7, 2, undefined]);
    expect(reason).toContain('is in use.');
    expect(requests.map(({ line }) => line).toSorted()).toEqual(
      many.map(({ id }) => `DELETE /admin/cms/articles/${id}/purge`),
    );
    expect(progress).toEqual(many.map((_, index) => [index + 1, 9] as const));
  });

  test('asks for no more than four at a time', async () => {
    let running = 0;
    let most = 0;
    const { parts } = service(async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return new Response(null, { status: 204 });
    });
    await runBulk(parts, { action: 'purge' }, { records: many });
    expect(most).toBeLessThanOrEqual(4);
  });

  test('rejects when none could be removed', async () => {
    const { parts } = service(() => problem(403, 'insufficient_role', 'Not you.'));
    expect(String(await failureOf(runBulk(parts, { action: 'purge' }, { records: many })))).toContain('Not you.');
  });

  test('of all that match asks which they are, also when there are very many', async () => {
    const { parts, requests } = service(({ line }) =>
      line.startsWith('GET') ? { items: [{ id: 'only' }], total: 1 } : new Response(null, { status: 204 }),
    );
    await runBulk(parts, { action: 'purge' }, matching(mostAtOnce + 1, { deleted: true }));
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /admin/cms/articles',
      'DELETE /admin/cms/articles/only/purge',
    ]);
    expect(requests[0]?.query.get('deleted')).toBe('only');
  });
});

describe('all that match', () => {
  test('are read page after page, in the order of the list, and changed by their ids', async () => {
    const { parts, requests } = service(({ query, body }) => {
      if (body !== undefined) return { affected: 3 };
      return query.get('cursor') === null
        ? { items: [{ id: 'a' }, { id: 'b' }], total: 3, next_cursor: 'next' }
        : { items: [{ id: 'c' }], total: 3 };
    });
    const target = matching(3, { filter: 'reads > 1', search: 'ink', sort: 'reads:asc' });
    const { affected, undo } = await runBulk(parts, { action: 'delete' }, target);
    expect(affected).toBe(3);
    expect(undo).toBeDefined();
    const [first, second, change] = requests;
    expect([first?.query.get('filter'), first?.query.get('search'), first?.query.get('sort')]).toEqual([
      ...['reads > 1', 'ink', 'reads:asc'],
    ]);
    expect(second?.query.get('cursor')).toBe('next');
    expect(change?.body).toEqual({ action: 'delete', ids: ['a', 'b', 'c'] });
  });

  test('are not changed when they have become too many meanwhile', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ id: `r${index}` }));
    const { parts, requests } = service(() => ({ items, total: 50_000, next_cursor: 'next' }));
    const error = await failureOf(runBulk(parts, { action: 'publish' }, matching(10)));
    expect(error).toBeInstanceOf(TooManyFound);
    expect(requests.some(({ line }) => line.startsWith('POST'))).toBe(false);
  });
});

describe('in a list of another language', () => {
  const german = { language: 'de' };

  test('what is shown is changed, in that language', async () => {
    const { parts, requests } = service(
      ({ body }) => (body === undefined ? { items: [{ id: 'a', status: 'draft' }], total: 1 } : { affected: 1 }),
      german,
    );
    await runBulk(parts, { action: 'publish' }, matching(1, { ...german, missing: 'de', filter: 'title = "x"' }));
    const [read] = requests;
    const change = requests.find(({ line }) => line.startsWith('POST'));
    expect(Object.fromEntries(read?.query ?? [])).toMatchObject({
      ...{ language: 'de', fallback: 'true', missing_language: 'de', filter: 'title = "x"' },
    });
    expect([change?.query.get('language'), change?.query.get('fallback')]).toEqual(['de', null]);
  });

  test('a job reads its filter as the list does', async () => {
    const { parts, requests } = service(() => ({ affected: 1 }), german);
    await runBulk(parts, { action: 'publish' }, matching(mostUndone + 1, german));
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({ language: 'de', fallback: 'true' });
  });

  test('what a language lacks is never a filter: more than are changed at once change nothing', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ id: `r${index}` }));
    const { parts, requests } = service(() => ({ items, total: 50_000, next_cursor: 'next' }), german);
    const target = matching(mostUndone + 1, { missing: 'de' });
    expect(await failureOf(runBulk(parts, { action: 'delete' }, target))).toBeInstanceOf(TooManyFound);
    expect(requests.some(({ line }) => line.startsWith('POST'))).toBe(false);
  });

  test('undoing it gives back what that language said, which may be nothing', async () => {
    const { parts, requests, batches } = keeping(records({ text: 'Eigenes' }, { text: null }), german);
    // As the list shows them: English stands in for the second.
    const shown = records({ text: 'Eigenes' }, { text: 'English', __fallback: ['text'] });
    await (await runBulk(parts, { action: 'update', set: { text: 'x' } }, { records: shown })).undo?.();
    expect(batches().slice(1)).toEqual([
      { action: 'update', set: { text: 'Eigenes' }, ids: ['r1'] },
      { action: 'update', set: { text: null }, ids: ['r2'] },
    ]);
    expect(new Set(requests.map(({ query }) => query.get('language')))).toEqual(new Set(['de']));
    expect(requests.some(({ query }) => query.has('fallback'))).toBe(false);
  });
});

describe('more than one request changes', () => {
  const many = records(
    ...Array.from({ length: 2_500 }, (_, index) => ({
      ...{ status: index % 2 === 0 ? 'draft' : 'published', scheduled_at: null, reads: index % 3 },
    })),
  );
  const state = (stored: ReadonlyMap<string, ListRecord>) => [...stored.values()];
  /** A service that keeps records, and lists all of them page after page. */
  function keepingAll(refuse: (index: number) => Response | undefined = () => undefined) {
    const progress: number[] = [];
    const kept = keeping(many, { onProgress: (done) => progress.push(done) });
    let batches = 0;
    const { parts } = service(async ({ line, query, body }) => {
      if (line.startsWith('GET') && query.get('filter')?.startsWith('id in ') !== true)
        return { items: many, total: many.length };
      if (body !== undefined) {
        expect(body.ids.length).toBeLessThanOrEqual(mostAtOnce);
        const refused = refuse(batches);
        batches += 1;
        if (refused !== undefined) return refused;
      }
      return kept.parts.client.request(line.split(' ')[0] ?? '', line.split(' ')[1] ?? '', {
        ...(body === undefined ? {} : { body }),
        query: Object.fromEntries(query),
      });
    });
    return { ...kept, parts: { ...parts, onProgress: (done: number) => void progress.push(done) }, progress };
  }

  test.each([{ action: 'update', set: { reads: 9 } }, { action: 'publish' }, { action: 'delete' }] as const)(
    'are changed by several, and $action is taken back exactly',
    async (action) => {
      const { parts, stored, deleted, progress } = keepingAll();
      const { affected, failed, undo } = await runBulk(parts, action, matching(many.length));
      expect([affected, failed, progress]).toEqual([2_500, 0, [1_000, 2_000, 2_500]]);
      expect(
        action.action === 'delete' ? deleted.size : state(stored).filter((one, at) => one !== many[at]).length,
      ).toBe(many.length);
      if (action.action !== 'delete') expect(state(stored)).not.toEqual([...many]);
      expect(await undo?.()).toEqual([]);
      expect(state(stored)).toEqual([...many]);
      expect(deleted.size).toBe(0);
    },
  );

  test('one that is refused ends it: what was done is said, and can be taken back', async () => {
    const { parts, stored } = keepingAll((index) => (index === 1 ? problem(409, 'locked', 'Locked.') : undefined));
    const { affected, failed, reason, undo } = await runBulk(parts, { action: 'publish' }, matching(many.length));
    expect([affected, failed, reason]).toEqual([1_000, 1_500, 'Locked.']);
    expect(state(stored).filter(({ status }) => status === 'published').length).toBe(1_750);
    await undo?.();
    expect(state(stored)).toEqual([...many]);
  });

  test('what somebody else has changed since is not taken back', async () => {
    const { parts, stored } = keepingAll();
    const { undo } = await runBulk(parts, { action: 'update', set: { reads: 9 } }, matching(many.length));
    const theirs = many[1_700];
    if (theirs !== undefined) stored.set(theirs.id, { ...theirs, reads: 77 });
    expect((await undo?.())?.map(({ id }) => id)).toEqual([theirs?.id ?? '']);
    expect(stored.get(theirs?.id ?? '')?.reads).toBe(77);
  });

  test('records that go for good are left to a job of the service, which says before that nothing brings them back', async () => {
    const { parts, requests } = service(() => ({ affected: 2_500 }), { isSoft: false });
    const { undo } = await runBulk(parts, { action: 'delete' }, matching(2_500));
    expect(undo).toBeUndefined();
    expect(requests.map(({ body }) => body)).toEqual([{ action: 'delete', filter: 'id != null' }]);
  });
});

describe('more than can be taken back', () => {
  const beyond = mostUndone + 1;

  test('are changed by a filter, in a job whose progress is shown', async () => {
    const progress: (readonly [number, number])[] = [];
    const states = [
      { state: 'queued', progress: null, result: null, error: null },
      { state: 'running', progress: { done: 400, total: null }, result: null, error: null },
      { state: 'running', progress: { done: 800, total: beyond }, result: null, error: null },
      {
        ...{ state: 'done', progress: { done: beyond, total: beyond }, error: null },
        result: {
          affected: 9_999,
          failed: 2,
          errors: [
            { id: 'a', code: 'of_a_project', detail: 'Locked.' },
            { id: 'b', code: 'of_a_project', detail: 'Gone.' },
          ],
        },
      },
    ];
    let pauses = 0;
    const { parts, requests } = service(({ line }) => (line.startsWith('POST') ? { job: 'j1' } : states.shift()), {
      onProgress: (done, total) => progress.push([done, total]),
      pause: async () => {
        pauses += 1;
      },
    });
    const result = await runBulk(parts, { action: 'publish' }, matching(beyond, { search: 'ink' }));
    expect(result).toEqual({ affected: 9_999, failed: 2, reason: 'Locked.', undo: undefined });
    // A batch needs a filter, also where the list has none.
    expect(requests[0]?.body).toEqual({ action: 'publish', filter: 'id != null', search: 'ink' });
    expect(requests.slice(1).map(({ line }) => line)).toEqual(Array(4).fill('GET /admin/jobs/j1'));
    expect(progress).toEqual([
      [400, 400],
      [800, beyond],
      [beyond, beyond],
    ]);
    expect(pauses).toBe(3);
  });

  test.each(['failed', 'cancelled'] as const)('a job that is %s is an error', async (state) => {
    const { parts } = service(({ line }) =>
      line.startsWith('POST') ? { job: 'j1' } : { state, progress: null, result: null, error: null },
    );
    const error = await failureOf(runBulk(parts, { action: 'publish' }, matching(beyond)));
    expect(error).toMatchObject({ code: 'job_failed' });
    expect(String(error)).toContain(state);
  });

  test('whoever leaves asks no more for the job', async () => {
    const leaving = new AbortController();
    const { parts, requests } = service(
      ({ line }) =>
        line.startsWith('POST') ? { job: 'j1' } : { state: 'running', progress: null, result: null, error: null },
      { signal: leaving.signal, pause: async () => leaving.abort(new Error('left')) },
    );
    expect(await failureOf(runBulk(parts, { action: 'publish' }, matching(beyond)))).toEqual(new Error('left'));
    expect(requests).toHaveLength(2);
  });

  test('are restored by what was deleted since, by whom, and of what the list shows', async () => {
    const { parts, bodies } = service(({ line, query }) => {
      if (line.startsWith('POST')) return { affected: beyond };
      expect([query.get('deleted'), query.get('sort'), query.get('page_size')]).toEqual([
        ...['only', 'deleted_at:desc', '1'],
      ]);
      return { items: [{ id: 'old', deleted_at: '2026-01-01T00:00:00.000Z' }], total: 1 };
    });
    // A comment at the end of the filter does not hide the rest of it.
    const target = matching(beyond, { filter: 'reads > 1 || reads = null', search: 'ink' });
    await (await runBulk(parts, { action: 'delete' }, target)).undo?.();
    expect(bodies()[1]).toEqual({ action: 'delete', filter: 'reads > 1 || reads = null', search: 'ink' });
    expect(bodies()[2]).toEqual({
      action: 'restore',
      filter:
        '(reads > 1 || reads = null\n) && deleted_by = @request.auth.id && deleted_at > "2026-01-01T00:00:00.000Z"',
      search: 'ink',
    });
  });

  test('where nothing was deleted before, all that this account deleted is restored', async () => {
    const { parts, bodies } = service(({ line }) =>
      line.startsWith('POST') ? { affected: beyond } : { items: [], total: 0 },
    );
    await (await runBulk(parts, { action: 'delete' }, matching(beyond))).undo?.();
    expect(bodies()[2]).toEqual({ action: 'restore', filter: 'deleted_by = @request.auth.id' });
  });
});
