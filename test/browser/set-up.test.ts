import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { draftFirstAdmin, makeFirstAdmin } from '../../packages/recto/src/auth/first-admin.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

describe.skipIf(chromiumPath === undefined)(`the first admin${skipReason}`, () => {
  let admin: Admin;
  let code = '';
  beforeAll(async () => {
    admin = await Admin.open();
    const draft = await draftFirstAdmin(admin.service.auth, { email: undefined, password: undefined });
    if (draft === undefined) throw new Error('There is an admin.');
    code = (await makeFirstAdmin(admin.service.auth, draft))?.generatedPassword ?? '';
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('is set up with the code that the service printed, once', async () => {
    const page = await admin.page({ path: `/setup#${code}` });
    await page.getByRole('heading', { name: 'Set up this site' }).waitFor();
    // The code is in no history.
    expect(page.url()).toBe(`${admin.url}/admin/setup`);
    await page.getByLabel('Email').fill('ines@example.org');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('alert').filter({ hasText: 'at least 8 characters' }).waitFor();
    await page.getByLabel('New password').fill('a better password');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).waitFor();
    expect(page.url()).toBe(`${admin.url}/admin/`);

    const again = await admin.page({ path: `/setup#${code}` });
    await again.getByLabel('Email').fill('eve@example.org');
    await again.getByLabel('New password').fill('an evil password');
    await again.getByRole('button', { name: 'Set up' }).click();
    await again.getByRole('alert').filter({ hasText: 'it has been used' }).waitFor();
    const old = await admin.service.send('POST /api/v1/auth/login', {
      body: { email: 'admin@recto.local', password: code },
    });
    expect(old.status).toBe(401);
  });
});
