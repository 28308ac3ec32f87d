// databases: sqlite, postgres:rest
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { EventSource } from '../../support/event-source.ts';
import { NewsRoom, root } from './notifications.fixture.ts';

let room: NewsRoom;
beforeEach(async () => {
  room = await NewsRoom.open();
});
afterEach(() => room[Symbol.asyncDispose]());

const far = { before: '2999-01-01T00:00:00Z' };

describe('nobody learns of what they may not read', () => {
  test('by how many notifications they mark as read', async () => {
    const id = await room.create('eve', { assignee: room.id('olga') });
    await room.note('eve', id, ['olga', 'cleo'], { field: 'secret' });
    await room.update('eve', id, { assignee: null });
    expect(await room.list('olga')).toEqual({ items: [], unread: 0, next: null });
    expect(await room.list('cleo')).toEqual({ items: [], unread: 0, next: null });
    expect(await room.send(`POST ${root}/read`, 'olga', far)).toEqual({ read: 0 });
    expect(await room.send(`POST ${root}/read`, 'cleo', far)).toEqual({ read: 0 });
    // What they may read again later is still news to them.
    await room.send(`PUT /api/v1/admin/users/${room.id('cleo')}`, 'ada', { role: 'editor' });
    expect(await room.list('cleo')).toMatchObject({ items: [{ kind: 'mentioned', read_at: null }], unread: 1 });
    expect(await room.send(`POST ${root}/read`, 'cleo', far)).toEqual({ read: 1 });
  });

  test('by the ids of notifications that they have seen before', async () => {
    const id = await room.create('eve', { assignee: room.id('olga') });
    const [seen] = (await room.list('olga')).items;
    await room.update('eve', id, { assignee: null });
    expect(await room.send(`POST ${root}/read`, 'olga', { ids: [seen.id] })).toEqual({ read: 0 });
  });

  test('by a stream that says there is news', async () => {
    const listen = (as: string) =>
      EventSource.open(room.service.app, '/api/v1/events?types=recto:notification', {
        Authorization: `Bearer ${room.service.tokenOf(as)}`,
      });
    await using olga = await listen('olga');
    await using cleo = await listen('cleo');
    const hidden = await room.create('eve');
    await room.note('eve', hidden, ['olga']);
    await room.note('eve', hidden, ['cleo'], { field: 'secret' });
    await room.runJobs();
    // The first that they hear of is what they may read.
    const open = await room.create('eve', { assignee: room.id('olga') });
    await room.note('eve', open, ['cleo']);
    await room.runJobs();
    await olga.until(({ length }) => length > 0);
    await cleo.until(({ length }) => length > 0);
    expect([olga.events.length, cleo.events.length, await room.news()]).toEqual([1, 1, 2]);
  });

  test('by what becomes of a field that their role does not read', async () => {
    const id = await room.create('nell');
    await room.update('eve', id, { assignee: room.id('noor') });
    await room.update('eve', id, { status: 'review' });
    await room.runJobs();
    await room.update('ada', id, { status: 'draft' });
    await room.runJobs();
    // Nell reads no status, and Noor does not read to whom it is assigned.
    expect(await room.kinds('nell')).toEqual([]);
    expect((await room.kinds('noor')).filter((kind) => kind === 'assigned')).toEqual([]);
    expect(await room.kinds('noor')).toContain('sent_back');
  });

  test('by whether a record can be given to somebody whose rule reads a field that they do not read', async () => {
    // Quinn gets stories whose secret is "x", which Cleo does not read.
    const [one, two] = [await room.create('eve', { secret: 'x' }), await room.create('eve', { secret: 'y' })];
    const assign = async (as: string, id: string, status: number) =>
      (await room.send(`PUT /api/v1/admin/cms/stories/${id}`, as, { assignee: room.id('quinn') }, status)).errors;
    const refused = await assign('cleo', one, 422);
    expect(await assign('cleo', two, 422)).toEqual(refused);
    // Who reads it may give it to them, and not what they do not get.
    await assign('eve', one, 200);
    await assign('eve', two, 422);
  });
});
