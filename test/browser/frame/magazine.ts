import type { Page } from 'playwright-core';
import { Admin } from '../admin.ts';

/** Markup and marks of direction, as a title. */
export const hostile = '<img src=x onerror=alert(1)> \u202egnp.exe\u2066 "quoted" & <b>bold</b>';
const types = [
  {
    singular: 'article',
    plural: 'articles',
    name: 'Article',
    protocols: ['timestampable', 'ownable', 'statusable'],
    fields: [{ name: 'title', field_type: 'text' }],
  },
  {
    singular: 'author',
    plural: 'authors',
    name: '<script>alert(2)</script>',
    fields: [{ name: 'name', field_type: 'text' }],
  },
  {
    singular: 'imprint',
    plural: 'imprints',
    name: '<i onclick=alert(3)>Imprint</i>',
    kind: 'single',
    fields: [{ name: 'text', field_type: 'text' }],
  },
];

/** The admin of a small magazine: Ada, an admin, and Edith, an editor, have written. */
export async function openMagazine(): Promise<Admin> {
  const admin = await Admin.open(types);
  await admin.account('ada', 'admin');
  await admin.account('edith', 'editor');
  const create = (as: string, title: string) =>
    admin.service.send('POST /api/v1/admin/cms/articles', { as, body: { title } });
  await create('ada', 'Why margins matter');
  await create('ada', hostile);
  await create('edith', 'On paper');
  await admin.service.send('POST /api/v1/admin/cms/authors', { as: 'edith', body: { name: hostile } });
  return admin;
}

/** Shows another page of the admin, and waits until it has loaded. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
}
