// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { EventSource } from '../../support/event-source.ts';
import { NewsRoom, root } from './notifications.fixture.ts';

let room: NewsRoom;
beforeEach(async () => {
  room = await NewsRoom.open();
});
afterEach(() => room[Symbol.asyncDispose]());

describe('somebody is notified', () => {
  test('of what they are assigned by others, once', async () => {
    const id = await room.create('eve', { assignee: room.id('ada') });
    expect((await room.list('ada')).items).toEqual([
      {
        id: expect.any(String),
        kind: 'assigned',
        type: 'story',
        plural: 'stories',
        record: id,
        title: 'A story',
        note: null,
        release: null,
        actor: { id: room.id('eve'), name: 'eve' },
        at: expect.any(String),
        read_at: null,
      },
    ]);
    expect(await room.list('eve')).toEqual({ items: [], unread: 0, next: null });
    await room.update('eve', id, { title: 'Another', assignee: room.id('ada') });
    expect(await room.kinds('ada')).toEqual(['assigned']);
    await room.update('ada', id, { assignee: room.id('eve') });
    expect(await room.kinds('eve')).toEqual(['assigned']);
    await room.update('eve', id, { assignee: room.id('ada') });
    expect(await room.kinds('ada')).toEqual(['assigned', 'assigned']);
  });

  test('of no assignment that was taken back before anybody could see it, nor of their own', async () => {
    const id = await room.create('eve', { assignee: room.id('ada') });
    await room.update('eve', id, { assignee: room.id('ed') });
    expect([await room.kinds('ada'), await room.kinds('ed')]).toEqual([[], ['assigned']]);
    await room.update('eve', id, { assignee: null });
    await room.update('eve', id, { assignee: room.id('ed') });
    expect(await room.kinds('ed')).toEqual(['assigned']);
    await room.update('ada', id, { assignee: room.id('ada') });
    expect(await room.kinds('ada')).toEqual([]);
  });

  test('of an assignment, also where it is in another part of the log than an earlier change', async () => {
    const id = await room.create('eve');
    await room.list('ada');
    await room.update('eve', id, { title: 'Another' });
    for (let made = 0; made < 110; made += 1) await room.create('eve');
    await room.update('eve', id, { assignee: room.id('ada'), status: 'review' });
    expect(await room.kinds('ada')).toEqual(['assigned']);
    expect(await room.kinds('cleo')).toEqual(['review_asked']);
  });

  test('of notes that mention them, once for each note', async () => {
    const id = await room.create('eve');
    const note = await room.note('eve', id, ['ada', 'eve'], { field: 'title' });
    const [found] = (await room.list('ada')).items;
    expect(found).toMatchObject({ kind: 'mentioned', record: id, note: { id: note, field: 'title', text: 'Look' } });
    await room.send(`PUT /api/v1/admin/notes/${note}`, 'eve', { mentions: ['ed', 'ada'].map((name) => room.id(name)) });
    expect([await room.kinds('ada'), await room.kinds('ed')]).toEqual([['mentioned'], ['mentioned']]);
    expect(await room.kinds('eve')).toEqual([]);
  });

  test('of stages: who decides, and who has written it', async () => {
    const id = await room.create('eve');
    await room.update('eve', id, { status: 'review' });
    expect([await room.kinds('cleo'), await room.kinds('lou'), await room.kinds('ada')]).toEqual([
      ['review_asked'],
      [],
      [],
    ]);
    await room.update('cleo', id, { status: 'legal' });
    expect([await room.kinds('lou'), await room.kinds('eve')]).toEqual([['review_asked'], ['approved']]);
    await room.update('lou', id, { status: 'draft' });
    expect(await room.kinds('eve')).toEqual(['sent_back', 'approved']);
    await room.update('ed', id, { status: 'review', assignee: room.id('ada') });
    await room.list('eve');
    await room.update('cleo', id, { status: 'legal' });
    await room.list('eve');
    await room.update('lou', id, { status: 'published' });
    // Who has written it, who has asked, and who it is assigned to.
    expect((await room.kinds('eve'))[0]).toBe('published');
    expect(await room.kinds('ed')).toEqual(['published', 'approved']);
    expect(await room.kinds('ada')).toEqual(['published', 'approved', 'assigned']);
    expect((await room.kinds('lou')).includes('published')).toBe(false);
  });

  test('of what they wrote in a type without stages, when others publish it', async () => {
    const id = await room.create('eve', {}, 'plains');
    await room.update('ada', id, { status: 'published' }, 'plains');
    expect(await room.kinds('eve')).toEqual(['published']);
    const own = await room.create('ada', {}, 'plains');
    await room.update('ada', own, { status: 'published' }, 'plains');
    expect(await room.kinds('ada')).toEqual([]);
  });

  test('of nothing as a member, or an account that is disabled', async () => {
    const id = await room.create('eve');
    await room.send(`PUT /api/v1/admin/users/${room.id('ed')}`, 'ada', { disabled: true });
    await room.note('eve', id, ['mia', 'ed']);
    await room.runJobs();
    const rows = await room.service.database.rows(query('SELECT id FROM recto_notifications'));
    expect([rows, await room.list('mia')]).toEqual([[], { items: [], unread: 0, next: null }]);
  });
});

describe('a notification', () => {
  test('is read by its id, or with all until a time', async () => {
    const ids = [await room.create('eve', { assignee: room.id('ada') })];
    ids.push(await room.create('eve', { assignee: room.id('ada') }));
    ids.push(await room.create('eve', { assignee: room.id('ada') }));
    const { items, unread } = await room.list('ada');
    expect([items.length, unread]).toEqual([3, 3]);
    await room.send(`POST ${root}/read`, 'ada', { ids: [items[1].id] }, 200);
    expect(await room.list('ada', '?unread=true')).toMatchObject({
      unread: 2,
      items: [{ id: items[0].id }, { id: items[2].id }],
    });
    expect((await room.list('ada', '?unread=false')).items).toMatchObject([{ id: items[1].id }]);
    // Those of others stay.
    await room.send(`POST ${root}/read`, 'eve', { ids: [items[0].id] }, 200);
    expect((await room.list('ada')).unread).toBe(2);
    await room.send(`POST ${root}/read`, 'ada', { before: items[2].at }, 200);
    await room.send(`POST ${root}/read`, 'ada', { before: items[0].at }, 200);
    expect((await room.list('ada')).unread).toBe(0);
    await room.send(`POST ${root}/read`, 'ada', {}, 400);
    await room.send(`POST ${root}/read`, 'ada', { ids: [], before: items[0].at }, 400);
  });

  test('comes in pages', async () => {
    for (let made = 0; made < 5; made += 1) await room.create('eve', { assignee: room.id('ada') });
    const first = await room.list('ada', '?page_size=2');
    const second = await room.list('ada', `?page_size=2&before=${first.next}`);
    const third = await room.list('ada', `?page_size=2&before=${second.next}`);
    const all = (await room.list('ada')).items.map(({ id }: { id: string }) => id);
    expect([first, second, third].flatMap(({ items }) => items.map(({ id }: { id: string }) => id))).toEqual(all);
    expect([all.length, third.next]).toEqual([5, null]);
  });

  test('shows nothing that its receiver may not read any more', async () => {
    const id = await room.create('eve', { assignee: room.id('olga') });
    await room.note('eve', id, ['olga', 'cleo'], { field: 'title' });
    await room.note('eve', id, ['cleo', 'ada'], { field: 'secret' });
    expect(await room.kinds('olga')).toEqual(['mentioned', 'assigned']);
    // A note on a field that the role does not read is none.
    expect(await room.kinds('cleo')).toEqual(['mentioned']);
    expect((await room.list('ada')).items).toMatchObject([{ note: { field: 'secret' } }]);
    await room.update('eve', id, { assignee: null });
    expect(await room.list('olga')).toEqual({ items: [], unread: 0, next: null });
    await room.send(`PUT /api/v1/admin/users/${room.id('cleo')}`, 'ada', { role: 'member' });
    expect(await room.list('cleo')).toEqual({ items: [], unread: 0, next: null });
    await room.send(`DELETE /api/v1/admin/cms/stories/${id}`, 'eve');
    expect((await room.list('ada')).items).toEqual([]);
    await room.send(`POST /api/v1/admin/cms/stories/${id}/restore`, 'eve');
    expect((await room.list('ada')).items.length).toBe(1);
  });

  test('of a note goes with the note, and with the mention', async () => {
    const id = await room.create('eve');
    const [one, two] = [await room.note('eve', id, ['ada']), await room.note('eve', id, ['ada'])];
    expect((await room.list('ada')).unread).toBe(2);
    await room.send(`PUT /api/v1/admin/notes/${one}`, 'eve', { mentions: [] });
    expect((await room.list('ada')).unread).toBe(1);
    await room.send(`DELETE /api/v1/admin/notes/${two}`, 'eve');
    expect(await room.list('ada')).toEqual({ items: [], unread: 0, next: null });
  });

  test('is deleted with the account', async () => {
    const id = await room.create('eve');
    await room.note('eve', id, ['ed']);
    expect(await room.kinds('ed')).toEqual(['mentioned']);
    await room.send(`DELETE /api/v1/admin/users/${room.id('ed')}`, 'ada');
    expect(await room.service.database.rows(query('SELECT id FROM recto_notifications'))).toEqual([]);
  });

  test('is for accounts alone', async () => {
    expect((await room.service.send(`GET ${root}`)).status).toBe(401);
    const { token } = await room.send('POST /api/v1/admin/api-tokens', 'ada', { name: 'robot', role: 'admin' });
    const headers = { Authorization: `Bearer ${token}` };
    const refused = await room.service.send(`GET ${root}`, { headers });
    expect([refused.status, refused.json.code]).toEqual([403, 'not_an_account']);
  });

  test('is no event of the audit log', async () => {
    await room.create('eve', { assignee: room.id('ada') });
    await room.list('ada');
    const { items } = await room.send('GET /api/v1/admin/events?limit=100', 'ada');
    expect(items.filter(({ type }: { type: string }) => type === 'recto:notification')).toEqual([]);
    expect((await room.send('GET /api/v1/admin/events?type=recto:notification', 'ada')).items).toEqual([]);
  });

  test('goes after 90 days', async () => {
    await room.create('eve', { assignee: room.id('ada') });
    expect((await room.list('ada')).unread).toBe(1);
    await room.service.database.transaction(async (transaction) => {
      await transaction.run(query('UPDATE recto_notifications SET at = ?', Date.now() - 91 * 86_400_000));
      await transaction.run(query("UPDATE recto_jobs SET run_at = 0 WHERE kind = 'notifications.prune'"));
    });
    await room.runJobs();
    expect(await room.service.database.rows(query('SELECT id FROM recto_notifications'))).toEqual([]);
  });
});

describe('tenants', () => {
  test('hear of their own', async () => {
    for (const tenant of ['acme', 'globex']) await room.service.account(tenant, 'editor', tenant);
    const id = await room.create('acme', { assignee: room.id('ada') }, 'memos');
    expect((await room.list('ada')).items).toMatchObject([{ record: id, actor: { name: 'acme' } }]);
    await room.update('ada', id, { assignee: room.id('acme') }, 'memos');
    // Who belongs to no tenant has no name in it.
    expect((await room.list('acme')).items).toMatchObject([{ record: id, actor: { id: room.id('ada'), name: null } }]);
    const story = await room.create('acme');
    await room.note('acme', story, ['acme']);
    await room.note('globex', story, ['globex']);
    await room.send(`PUT /api/v1/admin/users/${room.id('acme')}`, 'ada', { tenant_id: 'globex' });
    expect(await room.list('acme')).toMatchObject({ items: [], unread: 0 });
  });
});

describe('a stream of notifications', () => {
  const listen = (as: string, types: string) =>
    EventSource.open(room.service.app, `/api/v1/events?types=${types}`, {
      Authorization: `Bearer ${room.service.tokenOf(as)}`,
    });

  test('says that there is news, to their receiver alone', async () => {
    await using mine = await listen('ada', 'recto:notification');
    await using others = await listen('ed', 'recto:notification,plain');
    const id = await room.create('eve', { assignee: room.id('ada') });
    await room.runJobs();
    await mine.until(({ length }) => length === 1);
    await room.readAll('ada');
    await mine.until(({ length }) => length === 2);
    await room.note('eve', id, ['ed']);
    await room.runJobs();
    await others.until(({ length }) => length === 1);
    const event = {
      id: expect.any(String),
      event: 'notification',
      data: { type: 'recto:notification', action: 'update' },
    };
    expect([mine.events, others.events]).toEqual([[event, event], [event]]);
  });

  test('is for accounts', async () => {
    const refused = await room.service.send('GET /api/v1/events?types=recto:notification');
    expect([refused.status, refused.json.code]).toEqual([401, 'authentication_required']);
  });
});
