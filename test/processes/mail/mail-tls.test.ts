// databases: sqlite
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { MailServer } from '../../support/mail-server.ts';
import { RectoFolder } from '../../support/processes/recto-process.ts';

// Processes, because a process reads at its start which certificates it trusts.

const openssl = Bun.which('openssl');

// Skipped where there is no openssl to make a certificate with.
describe.skipIf(openssl === null)('a mail server with a certificate', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'recto-mail-tls-'));
  const certificate = join(certificates, 'server.crt');
  const passwords: unknown[] = [];
  let folder: RectoFolder;
  /** TLS from the first byte, and by STARTTLS. */
  let smtps: MailServer;
  let starttls: MailServer;

  beforeAll(async () => {
    const key = join(certificates, 'server.key');
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'];
    const made = Bun.spawnSync([
      ...[openssl ?? '', 'req', '-x509', '-nodes', ...kind, ...names],
      ...['-keyout', key, '-out', certificate],
    ]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    const options = {
      key: readFileSync(key),
      cert: readFileSync(certificate),
      disabledCommands: [],
      onAuth: ({ password }, _session, done) => {
        passwords.push(password);
        if (password === 'a@b') done(null, { user: 'ada' });
        else done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
      },
    } satisfies SMTPServerOptions;
    [smtps, starttls] = [await MailServer.open({ ...options, secure: true }), await MailServer.open(options)];
    folder = new RectoFolder();
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    for (const server of [smtps, starttls]) await server.close();
    rmSync(certificates, { recursive: true, force: true });
  });

  const urlOf = (kind: 'smtps' | 'smtp', host = 'localhost', password = 'a%40b'): string =>
    `${kind}://ada:${password}@${host}:${(kind === 'smtps' ? smtps : starttls).port}?tls=required`;

  const run = (args: readonly string[], url: string, trusts = true) =>
    folder.run(args, {
      RECTO_MAIL_URL: url,
      RECTO_MAIL_FROM: 'mail@example.com',
      RECTO_URL: 'https://cms.example.com',
      ...(trusts ? { NODE_EXTRA_CA_CERTS: certificate } : {}),
    });

  const mailTest = ['mail', 'test', 'eve@example.org'];
  const arrived = (): number => smtps.received.length + starttls.received.length;

  test.each(['smtps', 'smtp'] as const)('gets mails over TLS by %s, and the password then', async (kind) => {
    const [before, said] = [arrived(), passwords.length];
    expect(await run(mailTest, urlOf(kind))).toMatchObject({ exitCode: 0, out: 'Sent to eve@example.org.\n' });
    expect(arrived()).toBe(before + 1);
    expect(passwords.slice(said)).toEqual(['a@b']);
  });

  test.each([
    ['that nobody vouches for', 'localhost', false],
    ['for another name', '127.0.0.1', true],
  ] as const)('%s gets neither a mail nor the password', async (_, host, trusts) => {
    const [before, said] = [arrived(), passwords.length];
    for (const kind of ['smtps', 'smtp'] as const) {
      const { exitCode, err } = await run(mailTest, urlOf(kind, host), trusts);
      expect([exitCode, err]).toEqual([1, expect.stringContaining('The mail server cannot be used: ')]);
      expect(err).not.toContain('a@b');
    }
    expect([arrived(), passwords.length]).toEqual([before, said]);
  });

  test('is checked by recto doctor, which sends nothing', async () => {
    const before = arrived();
    const finding = async (url: string, trusts = true) => {
      const { out } = await run(['doctor', '--json'], url, trusts);
      const { findings } = JSON.parse(out) as { findings: readonly { readonly check: string }[] };
      return findings.find(({ check }) => check === 'mail');
    };
    for (const kind of ['smtps', 'smtp'] as const) {
      expect(await finding(urlOf(kind))).toMatchObject({ verdict: 'ok', detail: 'the mail server takes mails' });
      expect(await finding(urlOf(kind), false)).toMatchObject({ verdict: 'warn' });
      const wrong = await finding(urlOf(kind, 'localhost', 'wrong'));
      expect(wrong).toMatchObject({ verdict: 'warn', detail: expect.stringContaining('535') });
    }
    expect(arrived()).toBe(before);
  });
});
