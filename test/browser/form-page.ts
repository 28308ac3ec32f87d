import type { Page } from 'playwright-core';
import type { Admin } from './admin.ts';

export const authorType = {
  singular: 'author',
  plural: 'authors',
  name: 'Author',
  fields: [
    { name: 'name', field_type: 'text', required: true, max_length: 200 },
    { name: 'email', field_type: 'email' },
  ],
};

type Field = Readonly<Record<string, unknown>>;

/** A type with these fields, called `thing`; its records are named by `title`. */
export const thingType = (fields: readonly Field[], more: Readonly<Record<string, unknown>> = {}) => ({
  singular: 'thing',
  plural: 'things',
  name: 'Thing',
  fields: [{ name: 'title', field_type: 'text', max_length: 200, label: 'Title' }, ...fields],
  ...more,
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape, and a wrong path fails the test.
export type AnyRecord = any;

/** Presses "Save" and returns what the service answered. */
export async function save(page: Page): Promise<{ readonly status: number; readonly json: AnyRecord }> {
  const answered = page.waitForResponse(
    (response) =>
      ['POST', 'PUT', 'PATCH'].includes(response.request().method()) &&
      /\/api\/v1\/admin\/(?:cms\/)?things(?:\/|\?|$)/.test(response.url()),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const response = await answered;
  return { status: response.status(), json: await response.json() };
}

/** Saves and returns the record as the service has it then. */
export async function saved(admin: Admin, page: Page): Promise<AnyRecord> {
  const { status, json } = await save(page);
  if (status !== 200 && status !== 201) throw new Error(`Not saved: ${JSON.stringify(json)}`);
  return stored(admin, json.id);
}

export async function stored(admin: Admin, id: string): Promise<AnyRecord> {
  const { status, json, text } = await admin.service.send(`GET /api/v1/admin/cms/things/${id}`, { as: 'ada' });
  if (status !== 200) throw new Error(text);
  return json;
}

/** The form of a record, or of a new one, of an admin called Ada. */
export async function openForm(admin: Admin, id = 'new', options: Parameters<Admin['page']>[0] = {}): Promise<Page> {
  const page = await admin.page({ as: 'ada', path: `/content/things/${id}`, ...options });
  await page.getByLabel('Title', { exact: true }).waitFor();
  return page;
}
