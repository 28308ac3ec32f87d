import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { becomes } from '../support/database/database.ts';
import { Admin, passwordOfTests } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

describe.skipIf(chromiumPath === undefined)(`who else has a record open${skipReason}`, () => {
  let admin: Admin;
  let path = '';
  beforeAll(async () => {
    admin = await Admin.open([{ singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] }]);
    await admin.account('ada', 'admin');
    await admin.account('eve', 'editor');
    await admin.service.send('PUT /api/v1/auth/me', { as: 'ada', body: { display_name: 'Ada <b>Lovelace</b>' } });
    const note = await admin.service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { text: 'x' } });
    path = `/content/notes/${note.json.id}`;
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const others = async () => (await admin.service.send(`PUT ${presence()}`, { as: 'eve' })).json.items.length;
  const presence = () => `/api/v1/admin/presence/note/${path.split('/').at(-1)}`;

  test('is shown by name while they have it', async () => {
    const first = await admin.page({ as: 'ada', path });
    await first.getByLabel('text').waitFor();
    expect(await first.getByText('Also open').count()).toBe(0);
    await becomes(others, 1);
    const second = await admin.page({ as: 'eve', path });
    await second.getByText('Also open: Ada <b>Lovelace</b>').waitFor();
    await first.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await becomes(others, 0);
    await second.reload();
    await second.getByLabel('text').waitFor();
    await becomes(others, 0);
    expect(await second.getByText('Also open').count()).toBe(0);
  });

  test('is said once, and not at each key', async () => {
    const left: string[] = [];
    admin.intercept = ({ method, url }) => {
      if (method === 'DELETE' && url.includes('/presence/')) left.push(url);
      return undefined;
    };
    const page = await admin.page({ as: 'ada', path });
    await page.getByLabel('text').pressSequentially('white');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // By then the service has had what the keys sent, too.
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    expect(left).toEqual([]);
    admin.intercept = undefined;
  });

  test('interrupts nobody whose session has ended; what they do next asks for the password', async () => {
    const page = await admin.page({ as: 'ada', path });
    const field = page.getByLabel('text');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await field.fill('Half a sen');
    await admin.service.send('DELETE /api/v1/auth/me/sessions', { as: 'ada' });
    // As after its time, or on a page that is seen again.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const note = page.getByRole('status').filter({ hasText: 'Your session has ended. Sign in to save' });
    await note.waitFor();
    await page.keyboard.type('tence');
    expect(await dialog.count()).toBe(0);
    expect(await field.inputValue()).toBe('Half a sentence');
    await page.keyboard.press('Control+s');
    await dialog.getByLabel('Password').fill(passwordOfTests);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    expect(await note.count()).toBe(0);
    expect(
      (await admin.service.send(`GET /api/v1/admin/cms/notes/${path.split('/').at(-1)}`, { as: 'ada' })).json.text,
    ).toBe('Half a sentence');
  });
});
