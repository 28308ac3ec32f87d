// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { CodeFolder } from '../../support/code-folder.ts';
import { MailServer } from '../../support/mail-server.ts';
import { TestService } from '../../support/service.ts';

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { create: { access: 'member' } },
};

const files = {
  'routes/mail.ts': `import { route, Type } from 'recto';
export default route({ method: 'POST', path: '/mail', access: 'admin', summary: 'Mail',
  body: Type.Object({}, { additionalProperties: true }),
  handler: async ({ body, mail }) => { await mail.send(body as never); return { sent: true }; } });`,
  'hooks/note.ts': `import { hooks } from 'recto';
export default hooks('note', {
  async after({ event, mail }) {
    await mail.send({ to: 'desk@example.org', subject: 'A new note', text: event.record });
  },
});`,
  'jobs/nightly.ts': `import { cron } from 'recto';
export default cron('0 3 * * *', async ({ mail }) => {
  await mail.send({ to: 'desk@example.org', subject: 'Good night', text: 'All is well.', html: '<p>All is <b>well</b>.</p>' });
});`,
};

test('routes, hooks and jobs send mail through the outbox', async () => {
  await using server = await MailServer.open();
  using folder = new CodeFolder(files);
  let now = Date.parse('2026-11-26T12:00:00Z');
  await using service = await TestService.open([note], {
    settings: server.settings,
    code: folder.path,
    now: () => now,
  });
  await service.account('ada', 'admin');
  const send = (body: unknown) => service.send('POST /api/v1/x/mail', { as: 'ada', body });
  expect(await send({ to: 'eve@example.org', subject: 'Hello', text: 'From a route.' })).toMatchObject({
    status: 200,
    json: { sent: true },
  });
  expect(server.received).toEqual([]);
  await service.send('POST /api/v1/cms/notes', { as: 'ada', body: { title: 'One' } });
  await service.runJobs();
  now += 24 * 3_600_000;
  await service.runJobs();
  const mails = server.received.map(({ to, parsed }) => [to, parsed.subject, parsed.html]);
  expect(mails.toSorted((one, other) => String(one[1]).localeCompare(String(other[1])))).toEqual([
    [['desk@example.org'], 'A new note', false],
    [['desk@example.org'], 'Good night', '<p>All is <b>well</b>.</p>'],
    [['eve@example.org'], 'Hello', false],
  ]);
  const wrong = [
    { to: 'eve@example.org\r\nBcc: evil@example.net', subject: 'x', text: 'x' },
    { to: ['eve@example.org', 'evil@example.net'], subject: 'x', text: 'x' },
    { to: { name: 'Eve', address: 'eve@example.org' }, subject: 'x', text: 'x' },
    { to: 'eve@example.org', subject: 'x\r\nBcc: evil@example.net', text: 'x' },
    { to: 'eve@example.org', subject: 'x', text: { path: '/etc/passwd' } },
    { to: 'eve@example.org', subject: 'x', text: 'x', html: { href: 'http://127.0.0.1/' } },
    { to: 'eve@example.org', subject: 'x', text: 'x', bcc: 'evil@example.net' },
    { to: 'eve@example.org', subject: 'x', text: 'x', attachments: [{ path: '/etc/passwd' }] },
    { to: 'eve@example.org', subject: 'x' },
  ];
  for (const body of wrong) expect([body, (await send(body)).status]).toEqual([body, 422]);
  await service.runJobs();
  expect(server.received).toHaveLength(3);
});

test('without mail, a handler learns so', async () => {
  using folder = new CodeFolder(files);
  await using service = await TestService.open([note], { code: folder.path });
  await service.account('ada', 'admin');
  const body = { to: 'eve@example.org', subject: 'Hello', text: 'Hello' };
  expect(await service.send('POST /api/v1/x/mail', { as: 'ada', body })).toMatchObject({
    status: 409,
    json: { code: 'mail_off' },
  });
});
