import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

describe.skipIf(chromiumPath === undefined)(`signing in${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([
      { singular: 'article', plural: 'articles', fields: [{ name: 'title', field_type: 'text' }] },
    ]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    await admin.account('max', 'member');
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('with the right password, and a reload keeps the session', async () => {
    const page = await admin.page();
    await page.getByLabel('Email').fill(emailOf('ada'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Articles' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).waitFor();
    expect(await page.title()).toBe('Home · Recto');
  });

  test('with a wrong password', async () => {
    const page = await admin.page();
    await page.getByLabel('Email').fill(emailOf('ada'));
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(emailOf('ada'));
  });
});
