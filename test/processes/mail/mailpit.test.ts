import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { mailSettings, smtpAddress } from '../../support/mail-server.ts';
import { TestService } from '../../support/service.ts';

// Mails as a mail server of others reads them. `.ci/run` builds it where Go is installed.

const built = join(import.meta.dir, '../../../node_modules/.cache/recto/mailpit');
const program = existsSync(built) ? built : Bun.which('mailpit');

describe.skipIf(program === null)('mailpit', () => {
  let child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  let smtp = 0;
  let http = 0;

  beforeAll(async () => {
    [smtp, http] = [freePort(), freePort()];
    const places = ['--smtp', `127.0.0.1:${smtp}`, '--listen', `127.0.0.1:${http}`, '--disable-version-check'];
    child = Bun.spawn([program ?? '', ...places], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    // Both ports are open once it answers.
    while (true) {
      const isUp = await fetch(`http://127.0.0.1:${http}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      await Bun.sleep(50);
    }
  });
  afterAll(async () => {
    child.kill();
    await child.exited;
  });

  test('reads the mails as they are meant, in both languages', async () => {
    const settings = mailSettings(smtpAddress(`smtp://127.0.0.1:${smtp}`));
    await using service = await TestService.open([], { settings: { ...settings, signInCodes: 'all' } });
    for (const [name, language] of [
      ['ann', 'en'],
      ['jürgen', 'de'],
    ] as const) {
      const headers = { 'Accept-Language': language };
      const body = { email: `${name}@example.org`, password: 'correct horse' };
      expect((await service.send('POST /api/v1/auth/register', { body })).status).toBe(201);
      await service.send('POST /api/v1/auth/password-reset', { body: { email: body.email }, headers });
    }
    await service.runJobs();
    const api = `http://127.0.0.1:${http}/api/v1`;
    const read = async (path: string) => (await fetch(`${api}${path}`)).json() as Promise<never>;
    const { messages }: { messages: { ID: string; Subject: string; To: { Address: string }[] }[] } =
      await read('/messages');
    const sent = messages.map(({ Subject, To }) => [To.map(({ Address }) => Address).join(), Subject]).toSorted();
    expect(sent).toEqual([
      ['ann@example.org', 'Set a new password for Example Site'],
      ['jürgen@example.org', 'Neues Passwort für Example Site festlegen'],
    ]);
    for (const { ID } of messages) {
      const mail: { Text: string; HTML: string } = await read(`/message/${ID}`);
      const link = /https:\/\/cms\.example\.com\/account\/password-reset#rat_[\w-]{43}/.exec(mail.Text)?.[0];
      expect(mail.HTML).toContain(`href="${link}"`);
      expect(mail.HTML).toContain('prefers-color-scheme: dark');
    }
  });
});
