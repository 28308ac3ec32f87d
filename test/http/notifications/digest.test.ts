// databases: sqlite, postgres:rest
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { NewsRoom, root } from './notifications.fixture.ts';

// Mails about what somebody has not read, by their preference.

const settingsPath = '/api/v1/auth/me/notification-settings';
const minute = 60_000;
const day = 86_400_000;

let room: NewsRoom;
beforeEach(async () => {
  room = await NewsRoom.open({
    settings: {
      url: 'https://cms.example.com',
      mailUrl: { kind: 'log' },
      mailFrom: { name: 'Example', email: { address: 'mail@example.com', key: 'mail@example.com' } },
    },
  });
});
afterEach(() => room[Symbol.asyncDispose]());

const mails = async (): Promise<readonly { to: string; subject: string; text: string; html: string }[]> =>
  (await room.send('GET /api/v1/admin/mails', 'ada')).items
    .filter(({ text }: { text: string }) => text.includes('/admin/profile'))
    .toReversed();
const prefer = (as: string, mail: string) => room.send(`PUT ${settingsPath}`, as, { mail });

test('nobody gets mails who has not asked for them', async () => {
  expect(await room.send(`GET ${settingsPath}`, 'eve')).toEqual({ mail: 'off' });
  await room.create('ada', { assignee: room.id('eve') });
  await room.runJobs();
  await room.runJobs(2 * day);
  expect(await mails()).toEqual([]);
  await room.send(`PUT ${settingsPath}`, 'eve', { mail: 'weekly' }, 422);
});

test('one mail says all that is new, and nothing twice', async () => {
  await prefer('eve', 'at_once');
  await room.create('ada', { title: 'First <b>', assignee: room.id('eve') });
  await room.runJobs();
  const id = await room.create('ada', { title: 'Second' });
  await room.note('ada', id, ['eve', 'ed']);
  await room.runJobs();
  expect(await mails()).toEqual([]);
  await room.runJobs(2 * minute);
  const [mail, ...more] = await mails();
  expect([mail?.to, more]).toEqual(['eve@example.com', []]);
  expect(mail?.subject).toContain('2');
  expect(mail?.text).toContain('ada assigned “First <b>” to you');
  expect(mail?.text).toContain('ada mentioned you in a note on “Second”');
  expect(mail?.text).toContain('https://cms.example.com/admin/profile');
  expect(mail?.html).toContain('First &lt;b&gt;');
  await room.runJobs(2 * day);
  expect((await mails()).length).toBe(1);
  await room.create('ada', { title: 'Third', assignee: room.id('eve') });
  await room.runJobs();
  await room.runJobs(2 * minute);
  const [, next] = await mails();
  expect(next?.text).toContain('Third');
  expect(next?.text).not.toContain('First');
});

test('what was read, taken away or switched off meanwhile is not mailed', async () => {
  await prefer('eve', 'daily');
  await prefer('ed', 'daily');
  await prefer('olga', 'daily');
  await room.create('ada', { title: 'Read', assignee: room.id('eve') });
  const kept = await room.create('ada', { title: 'Kept' });
  await room.note('ada', kept, ['eve', 'ed']);
  const taken = await room.create('ada', { title: 'Taken', assignee: room.id('olga') });
  const { items } = await room.list('eve');
  const read = items.find(({ kind }: { kind: string }) => kind === 'assigned');
  await room.send(`POST ${root}/read`, 'eve', { ids: [read.id] });
  await room.update('ada', taken, { assignee: null });
  await prefer('ed', 'off');
  await room.runJobs(day);
  const [mail, ...more] = await mails();
  expect([mail?.to, more]).toEqual(['eve@example.com', []]);
  expect(mail?.text).toContain('Kept');
  expect(mail?.text).not.toContain('Read');
});

test('is in the language in which it was asked for', async () => {
  await room.service.send(`PUT ${settingsPath}`, {
    as: 'eve',
    body: { mail: 'at_once' },
    headers: { 'Accept-Language': 'de-AT' },
  });
  await room.create('ada', { title: 'Erstes', assignee: room.id('eve') });
  await room.runJobs();
  await room.runJobs(2 * minute);
  expect((await mails())[0]?.text).toContain('ada hat Ihnen „Erstes“ zugewiesen');
});

test('a mail that could not be sent is tried again with the same', async () => {
  await prefer('eve', 'at_once');
  await room.create('ada', { title: 'First', assignee: room.id('eve') });
  await room.runJobs();
  // An attempt that has marked them and was killed before the mail left.
  const [row] = await room.service.database.rows<{ id: string }>(query('SELECT id FROM recto_notifications'));
  await room.service.database.transaction(async (transaction) => {
    await transaction.run(query('UPDATE recto_notifications SET mailed_at = 1'));
    await transaction.run(
      query("UPDATE recto_jobs SET checkpoint = ? WHERE kind = 'notifications.mail'", JSON.stringify([row?.id])),
    );
  });
  await room.runJobs(2 * minute);
  expect((await mails()).length).toBe(1);
});

test('goes with the account', async () => {
  await prefer('ed', 'daily');
  await room.send(`DELETE /api/v1/admin/users/${room.id('ed')}`, 'ada');
  const rows = await room.service.database.rows(query('SELECT account FROM recto_notification_settings'));
  expect(rows).toEqual([]);
});

test('is not offered where mail is off', async () => {
  await using silent = await NewsRoom.open();
  await silent.send(`GET ${settingsPath}`, 'eve', undefined, 404);
  await silent.send(`PUT ${settingsPath}`, 'eve', { mail: 'daily' }, 404);
});
