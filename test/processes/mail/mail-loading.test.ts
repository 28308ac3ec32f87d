import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MailServer } from '../../support/mail-server.ts';
import { RectoFolder } from '../../support/processes/recto-process.ts';

const program = [process.execPath, join(import.meta.dir, '../../support/processes/loaded-modules.ts')];

/** What only a mail needs. */
const mailOnly =
  /node_modules\/nodemailer\/|\/mail\/transports\/(?:file|smtp)-|\/mail\/templates\/(?:render-templates|default-template|mail-text)/;

test('a start loads nothing of what sends and writes mails, and the first mail does', async () => {
  await using server = await MailServer.open();
  using folder = new RectoFolder();
  const mail = {
    RECTO_MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    RECTO_MAIL_FROM: 'mail@example.com',
    RECTO_URL: 'https://cms.example.com',
  };
  for (const environment of [{}, mail]) {
    const to = environment === mail ? ['eve@example.org'] : [];
    const { out, err } = await folder.spawn(to, environment, program).ended();
    const [started = '[]', mailed] = out.trim().split('\n');
    const modules: readonly string[] = JSON.parse(started);
    expect(modules.length, err).toBeGreaterThan(100);
    expect(modules.filter((path) => mailOnly.test(path))).toEqual([]);
    if (mailed === undefined) continue;
    const after: readonly string[] = JSON.parse(mailed);
    expect(after.filter((path) => mailOnly.test(path)).length).toBeGreaterThan(3);
    expect(server.received).toHaveLength(1);
  }
});
