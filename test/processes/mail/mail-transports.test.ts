// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { MailServer, mailSettings, smtpAddress } from '../../support/mail-server.ts';
import { TestService } from '../../support/service.ts';

const sendTest = (service: TestService, to: string, headers = {}) =>
  service.send('POST /api/v1/admin/mails/test', { as: 'ada', body: { to }, headers });

const lastJob = async (service: TestService) =>
  (await service.send('GET /api/v1/admin/jobs?kind=mail.message', { as: 'ada' })).json.items[0];

async function openWith(server: MailServer, settings = {}): Promise<TestService> {
  const service = await TestService.open([], { settings: { ...server.settings, ...settings } });
  await service.account('ada', 'admin');
  return service;
}

test('a test mail arrives, in the language of the request, with a text and an HTML part', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server);
  const reply = await sendTest(service, 'eve@example.org', { 'Accept-Language': 'it, de-AT;q=0.8, fr;q=0.5' });
  expect(reply).toMatchObject({ status: 202, json: {} });
  expect(server.received).toHaveLength(0);
  await service.runJobs();
  const [mail] = server.received;
  expect(mail?.to).toEqual(['eve@example.org']);
  expect(mail?.from).toBe('mail@example.com');
  expect(mail?.parsed.from?.text).toBe('"Example Site" <mail@example.com>');
  expect(mail?.parsed.subject).toBe('Example Site: E-Mails funktionieren');
  expect(mail?.parsed.text).toContain('Dies ist ein Test.');
  expect(mail?.parsed.html).toContain('Dies ist ein Test.');
  expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  expect(await lastJob(service)).toMatchObject({ state: 'done' });
});

test('addresses that could be read as something else are rejected', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server);
  const wrong = [
    'eve@example.org\r\nBcc: evil@example.net',
    'eve@example.org\nevil@example.net',
    'eve@example.org,evil@example.net',
    'eve@example.org;evil@example.net',
    'eve@example.org evil@example.net',
    '"eve@evil.example"@example.org',
    '"eve\\" evil@example.net"@example.org',
    'Eve <eve@example.org>',
    '<eve@example.org>',
    'eve(comment)@example.org',
    'eve@example.org>\r\nRCPT TO:<evil@example.net',
    'eve@[192.0.2.1]',
    'eve@exam\u200bple.org',
    'eve@example',
    'eve@',
    '@example.org',
    '',
  ];
  for (const to of wrong) {
    const reply = await sendTest(service, to);
    expect({ to, status: reply.status }).toEqual({ to, status: 422 });
  }
  await service.runJobs();
  expect(server.received).toEqual([]);
});

test('a domain in another spelling goes where the ASCII form leads', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server);
  // KELVIN SIGN, which is k to every mail program that folds it; and full-width letters.
  await sendTest(service, 'eve@\u212aielce.example');
  await sendTest(service, 'eve@ｅｘａｍｐｌｅ.org');
  await sendTest(service, 'eve@m\u00fcller.example');
  await service.runJobs();
  expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual([
    'eve@example.org',
    'eve@kielce.example',
    // The server's own reading of xn--mller-kva.example.
    'eve@müller.example',
  ]);
});

test('a server that is away, refuses or drops the connection gets the mail later', async () => {
  let now = Date.now();
  await using server = await MailServer.open();
  await using service = await TestService.open([], { settings: server.settings, now: () => now });
  await service.account('ada', 'admin');
  await server.close();
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(await lastJob(service)).toMatchObject({
    state: 'queued',
    attempts: 1,
    error: expect.stringContaining('The mail server cannot be used'),
  });
  // A day, with an attempt an hour at the most.
  for (let hour = 0; hour < 24; hour += 1) {
    now += 2 * 3_600_000;
    await service.runJobs();
  }
  expect(await lastJob(service)).toMatchObject({ state: 'queued', attempts: 25 });
  await server.listen();
  server.faults.push({ at: 'mail', code: 451, text: 'come again' });
  server.faults.push({ at: 'rcpt', code: 450 });
  server.faults.push({ at: 'data', code: 421 });
  server.faults.push({ at: 'data', drop: true });
  server.faults.push({ at: 'mail', code: 550, text: 'whoever you are' });
  const errors: string[] = [];
  for (let left = server.faults.length; left > 0; left -= 1) {
    now += 2 * 3_600_000;
    await service.runJobs();
    errors.push((await lastJob(service)).error);
  }
  expect(errors[0]).toBe('The mail server answered 451 to MAIL ("451 come again").');
  expect(errors[2]).toBe('The mail server answered 421 to DATA.');
  expect(errors[4]).toBe('The mail server answered 550 to MAIL ("550 whoever you are").');
  now += 2 * 3_600_000;
  await service.runJobs();
  expect(await lastJob(service)).toMatchObject({ state: 'done' });
  // The one that was dropped after its content is not known to have arrived.
  expect(server.to('eve@example.org')).toHaveLength(2);
});

test('a server that does not answer gets the mail later', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server, { mailUrl: server.locationFor(1) });
  server.faults.push({ at: 'mail', hang: true });
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(await lastJob(service)).toMatchObject({
    state: 'queued',
    attempts: 1,
    error: expect.stringContaining('cannot be used'),
  });
  expect(server.received).toEqual([]);
});

test('a server that refuses this address or mail for good is not asked again', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server);
  server.faults.push({ at: 'rcpt', code: 550, text: '5.1.1 no such mailbox' });
  await sendTest(service, 'nobody@example.org');
  await service.runJobs();
  expect(await lastJob(service)).toMatchObject({
    state: 'failed',
    error: 'The mail server answered 550 to RCPT ("550 5.1.1 no such mailbox").',
  });
  server.faults.push({ at: 'data', code: 554, text: 'spam: Dies ist ein Test' });
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(await lastJob(service)).toMatchObject({ state: 'failed', error: 'The mail server answered 554 to DATA.' });
});

test('a password is not sent to a server without TLS', async () => {
  const seen: string[] = [];
  await using server = await MailServer.open({
    onAuth: ({ password }, _session, done) => {
      seen.push(String(password));
      done(null, { user: 'ada' });
    },
    allowInsecureAuth: true,
  });
  const required = smtpAddress(`smtp://ada:a%40b@127.0.0.1:${server.port}?tls=required`);
  await using service = await openWith(server, { mailUrl: required });
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(seen).toEqual([]);
  expect(server.received).toEqual([]);
  expect((await lastJob(service)).state).toBe('queued');
  // This machine is trusted unless the address says otherwise, another one is not.
  expect(smtpAddress('smtp://ada:x@127.0.0.1:25').tls).toBe('preferred');
  expect(smtpAddress('smtp://ada:x@mail.example.com').tls).toBe('required');
  await using other = await openWith(server, { mailUrl: smtpAddress(`smtp://ada:a%40b@127.0.0.1:${server.port}`) });
  await sendTest(other, 'eve@example.org');
  await other.runJobs();
  expect(seen).toEqual(['a@b']);
});

test('more mails than RECTO_MAIL_PER_HOUR wait', async () => {
  await using server = await MailServer.open();
  await using service = await openWith(server, { mailPerHour: 2 });
  for (const name of ['a', 'b', 'c']) await sendTest(service, `${name}@example.org`);
  await service.runJobs();
  expect(server.received).toHaveLength(2);
  expect(await service.send('GET /api/v1/admin/jobs?kind=mail.message&state=queued', { as: 'ada' })).toMatchObject({
    json: { total: 1 },
  });
});

test('file: writes a file that its owner alone reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-mails-'));
  const path = join(folder, 'out');
  await using service = await TestService.open([], { settings: mailSettings({ kind: 'file', path }) });
  await service.account('ada', 'admin');
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  const [name = '', ...more] = readdirSync(path);
  expect(more).toEqual([]);
  expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  const mail = await simpleParser(readFileSync(join(path, name)));
  expect(mail.text).toContain('This is a test.');
  rmSync(folder, { recursive: true });
});

test('log: keeps mails for admins alone, and nothing of them is in the log', async () => {
  const lines: string[] = [];
  await using service = await TestService.open([], {
    settings: mailSettings({ kind: 'log' }),
    log: (line) => lines.push(line),
  });
  await service.account('ada', 'admin');
  await service.account('tina', 'admin', 'north');
  await service.account('eli', 'editor');
  for (let sent = 0; sent < 102; sent += 1) {
    expect((await sendTest(service, `eve${sent}@example.org`)).status).toBe(202);
  }
  await service.runJobs();
  const { json } = await service.send('GET /api/v1/admin/mails', { as: 'ada' });
  const unsent = (await service.send('GET /api/v1/admin/jobs?kind=mail.message', { as: 'ada' })).json.items.filter(
    ({ state }: { readonly state: string }) => state !== 'done',
  );
  expect([json.items.length, unsent, lines.filter((line) => line.includes('cannot be read'))]).toEqual([100, [], []]);
  expect(json.items[0]).toMatchObject({ subject: 'Example Site: mail works', to: expect.stringMatching(/^eve/) });
  for (const as of ['tina', 'eli']) expect((await service.send('GET /api/v1/admin/mails', { as })).status).toBe(403);
  expect(lines.filter((line) => line.includes('This is a test'))).toEqual([]);
});

test('without RECTO_MAIL_URL there is neither', async () => {
  await using service = await TestService.open([]);
  await service.account('ada', 'admin');
  expect(await sendTest(service, 'eve@example.org')).toMatchObject({ status: 409, json: { code: 'mail_off' } });
  expect(await service.send('GET /api/v1/admin/mails', { as: 'ada' })).toMatchObject({
    status: 404,
    json: { code: 'route_not_found' },
  });
});

test('templates of the project replace the text, the HTML or both', async () => {
  await using server = await MailServer.open();
  const mailsDir = mkdtempSync(join(tmpdir(), 'recto-mails-'));
  writeFileSync(join(mailsDir, 'test.html'), '<p title="{{site}}">from <b>{{ site }}</b></p>');
  const mailFrom = { name: 'A & B\' "<c>', email: { address: 'mail@example.com', key: 'mail@example.com' } };
  await using service = await openWith(server, { mailsDir, mailFrom });
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(String(server.received[0]?.parsed.html).trim()).toBe(
    '<p title="A &amp; B&#39; &quot;&lt;c&gt;">from <b>A &amp; B&#39; &quot;&lt;c&gt;</b></p>',
  );
  writeFileSync(join(mailsDir, 'test.en.txt'), 'Subject: From {{site}}\n\nOnly text.\n');
  rmSync(join(mailsDir, 'test.html'));
  await sendTest(service, 'eve@example.org');
  await service.runJobs();
  expect(server.received[1]?.parsed).toMatchObject({ subject: 'From A & B\' "<c>', text: 'Only text.\n', html: false });
  rmSync(mailsDir, { recursive: true });
});

test('a template that is not right stops the start, with its name', async () => {
  const mailsDir = mkdtempSync(join(tmpdir(), 'recto-mails-'));
  const settings = { ...mailSettings({ kind: 'log' }), mailsDir };
  writeFileSync(join(mailsDir, 'test.html'), '{{constructor}} {{site.length}}');
  writeFileSync(join(mailsDir, 'test.txt'), 'no subject');
  writeFileSync(join(mailsDir, 'tset.txt'), 'Subject: x');
  writeFileSync(join(mailsDir, 'README.md'), 'not a template');
  const opening = TestService.open([], { settings });
  await expect(opening).rejects.toThrow(/test\.html: \{\{constructor\}\} is not known/);
  await expect(opening).rejects.toThrow(/test\.txt: the first line of a \.txt is the subject/);
  await expect(opening).rejects.toThrow(/tset\.txt: there is no such mail/);
  rmSync(mailsDir, { recursive: true });
});
