import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mailSettings } from '../../support/mail-server.ts';
import { Admin, emailOf } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInEveryLook } from '../looks.ts';

describe.skipIf(skipsLooks)(`the mails of a site${looksSkipReason}`, () => {
  /** Its mails are kept in memory. */
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([], { settings: mailSettings({ kind: 'log' }) });
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const post = (path: string, body: object) => admin.service.send(`POST /api/v1/auth/${path}`, { body });

  test('settings show where mails go, send a test mail and have the inbox', async () => {
    expect((await post('password-reset', { email: emailOf('ada') })).status).toBe(202);
    await admin.service.runJobs();
    const page = await admin.page({ as: 'ada', path: '/settings?tab=mail' });
    await page
      .getByRole('region', { name: 'Mail', exact: true })
      .getByText('Example Site <mail@example.com>')
      .waitFor();
    const sending = page.getByRole('region', { name: 'Test mail' });
    await sending.getByLabel('Send to').fill('no address');
    await sending.getByRole('button', { name: 'Send test mail' }).click();
    await sending.locator('[aria-invalid=true]').waitFor();
    await sending.getByLabel('Send to').fill('ops@example.org');
    await sending.getByRole('button', { name: 'Send test mail' }).click();
    await sending.getByText('A test mail to ops@example.org is waiting').waitFor();
    await admin.service.runJobs();
    const inbox = page.getByRole('region', { name: 'Inbox' });
    await inbox.getByRole('button', { name: 'Refresh' }).click();
    await inbox.getByText('To ops@example.org').waitFor();
    await inbox
      .getByText(`To ${emailOf('ada')}`)
      .first()
      .click();
    const link = inbox.getByRole('link', { name: 'https://cms.example.com/account/password-reset#rat_' });
    expect(await link.getAttribute('href')).toBe((await link.textContent()) ?? '');
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});
