import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

const essay = {
  singular: 'essay',
  plural: 'essays',
  name: 'Essay',
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'body', field_type: 'richtext' },
  ],
};

const paragraphs = '<p>Words that fill the page.</p>'.repeat(40);
const body = `<h2>First</h2>${paragraphs}<h3>Inside</h3>${paragraphs}<h2>Second &amp; last</h2>${paragraphs}`;

describe.skipIf(chromiumPath === undefined)(`a page to write on${skipReason}`, () => {
  let admin: Admin;
  let id: string;
  beforeAll(async () => {
    admin = await Admin.open([essay]);
    await admin.account('ada');
    id = (await admin.service.seed('essays', { title: 'On paper', body })).id;
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = async (): Promise<Page> => {
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await page.getByRole('textbox', { name: 'Body' }).getByText('Second & last').waitFor();
    return page;
  };

  test('fills the window by a key and by a button, and Escape leaves it', async () => {
    const page = await open();
    const navigation = page.getByRole('link', { name: 'Home' });
    await navigation.waitFor();
    await page.getByRole('textbox', { name: 'Body' }).press('Control+Shift+F');
    await navigation.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Full screen' }).and(page.locator('[aria-pressed="true"]')).waitFor();
    await page.keyboard.press('Escape');
    await navigation.waitFor();
    await page.getByRole('button', { name: 'Full screen' }).press('Enter');
    await navigation.waitFor({ state: 'hidden' });
    // It ends with the page.
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await navigation.waitFor();
  });

  test('has an outline of the text, whose headings lead there', async () => {
    const page = await open();
    const outline = page.getByRole('navigation', { name: 'Outline' });
    expect(await outline.getByRole('button').allInnerTexts()).toEqual(['First', 'Inside', 'Second & last']);
    await outline.getByRole('button', { name: 'Second & last' }).press('Enter');
    const text = page.getByRole('textbox', { name: 'Body' });
    await text.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('My ');
    await text.getByRole('heading', { name: 'My Second & last' }).waitFor();
    // What is typed is in the outline, too.
    await outline.getByRole('button', { name: 'My Second & last' }).waitFor();
    expect(await text.getByRole('heading', { name: 'My Second & last' }).evaluate(inWindow)).toBe(true);
  });
});

/** Whether some of an element is seen. */
const inWindow = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};
