import type { Locator, Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import { Admin } from '../admin.ts';

export const author = {
  name: 'Author',
  singular: 'author',
  plural: 'authors',
  fields: [{ name: 'name', field_type: 'text' }],
};
export const article = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  protocols: [
    'timestampable',
    'soft_deletable',
    { name: 'statusable', values: ['draft', 'published'], default: 'draft' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'reads', field_type: 'integer' },
    { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  ],
};
export const event = {
  ...{ name: 'Event', singular: 'event', plural: 'events' },
  protocols: [{ name: 'statusable', values: ['draft', 'published'], schedule: 'published' }],
  fields: [{ name: 'title', field_type: 'text', required: true }],
};
export const topic = {
  name: 'Topic',
  singular: 'topic',
  plural: 'topics',
  fields: [{ name: 'name', field_type: 'text' }],
};
export const note = { name: 'Note', singular: 'note', plural: 'notes', fields: [{ name: 'name', field_type: 'text' }] };
export const step = {
  ...{ name: 'Step', singular: 'step', plural: 'steps', protocols: ['sortable'] },
  fields: [{ name: 'title', field_type: 'text' }],
};
export const section = {
  ...{ name: 'Section', singular: 'section', plural: 'sections', protocols: ['nestable'] },
  fields: [{ name: 'title', field_type: 'text' }],
};
export const settings = {
  ...{ name: 'Site settings', singular: 'site-settings', kind: 'single' },
  fields: [{ name: 'title', field_type: 'text' }],
};

/** The admin of these types, with Ada, an admin, and Eve, an editor. */
export async function openLists(definitions: readonly unknown[]): Promise<Admin> {
  const admin = await Admin.open(definitions);
  await admin.account('ada', 'admin');
  await admin.account('eve', 'editor');
  return admin;
}

/** 130 articles, every other one published, every third one by Ines Ferreira. */
export async function seedArticles(admin: Admin): Promise<void> {
  const ines = await admin.service.seed('authors', { name: 'Ines Ferreira' });
  for (let number = 1; number <= 130; number += 1) {
    const status = number % 2 === 0 ? 'published' : 'draft';
    const title = `Article ${String(number).padStart(3, '0')}`;
    await admin.service.seed('articles', { title, reads: number, status, author: number % 3 === 0 ? ines.id : null });
  }
}

/** The table of a type, by its name. */
export const tableOf = (page: Page, name = 'Articles'): Locator => page.getByRole('table', { name, exact: true });

/** The titles of the rows, once they begin with these. */
export async function expectTitles(table: Locator, ...titles: readonly string[]): Promise<void> {
  const found = async (): Promise<readonly string[]> => {
    // Without the marks of what earlier tests have changed.
    const all = await table.locator('tbody tr [data-row]').evaluateAll((links) =>
      links.map((link) => {
        const title = link.cloneNode(true);
        // A link is an element.
        for (const mark of (title as Element).querySelectorAll('.since-mark')) mark.remove();
        return title.textContent ?? '';
      }),
    );
    return all.slice(0, titles.length).map((text) => text.trim());
  };
  await becomes(found, titles);
}

export const addressOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const toastOf = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
