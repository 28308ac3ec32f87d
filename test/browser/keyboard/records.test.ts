import { expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import { noteType, storyType } from '../editor-types.ts';
import { picture, placeFiles } from '../media-library.ts';
import { Desk, isClean, withoutMouse } from './keyboard-tasks.ts';

const open = (): Promise<Desk> => Desk.open([storyType, noteType]);

withoutMouse('with a record', open, (desk) => [
  {
    name: 'publish a record, and take it back',
    async run(keys, page) {
      const id = await desk().opened(page, 'stories', { title: 'On paper' });
      await keys.press('Control+Enter');
      await page.getByText('On paper is published.').first().waitFor();
      await keys.button('Unpublish');
      await page.getByText('On paper is no longer published.').first().waitFor();
      expect((await desk().send(`GET /api/v1/admin/cms/stories/${id}`)).status).toBe('draft');
    },
  },
  {
    name: 'schedule a record',
    async run(keys, page) {
      const id = await desk().opened(page, 'stories', { title: 'On time' });
      await keys.button('Schedule');
      await keys.to(page.getByLabel('Date and time'));
      await keys.type('02022999');
      await keys.press('ArrowRight');
      await keys.type('1000AM');
      await keys.button('Set the time');
      await page
        .getByText(/gets the status “Published” on/)
        .first()
        .waitFor();
      expect((await desk().send(`GET /api/v1/admin/cms/stories/${id}`)).scheduled_at).toBe('2999-02-02T10:00:00.000Z');
    },
  },
  {
    name: 'write a post with a picture and its alternative text, and schedule it',
    at: '/content/posts/new',
    async run(keys, page) {
      await placeFiles(desk().admin.service, 'ada', [{ name: 'boat.jpg', bytes: await picture(40, 30, 200) }]);
      const hasFocus = (control: Locator) => control.and(page.locator(':focus-visible')).waitFor();
      await keys.fill('Title', 'A boat');
      const content = page.getByRole('textbox', { name: 'Content' });
      await keys.to(content);
      await keys.type('Before ');
      await keys.to(page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button').first(), 'Shift+Tab');
      const image = page.getByRole('button', { name: 'Image', exact: true });
      for (let steps = 0; steps < 20 && !(await image.evaluate((own) => own.matches(':focus'))); steps += 1)
        await keys.press('ArrowRight');
      await keys.press('Enter');
      await keys.button(/boat\.jpg/, page.getByRole('dialog'));
      await hasFocus(page.getByLabel('Alternative text'));
      await keys.type('A boat in the harbour');
      await keys.press('Enter');
      await hasFocus(content);
      await keys.type(' after');
      await keys.button('Schedule');
      const date = page.getByLabel('Date and time');
      await hasFocus(date);
      await keys.type('02022999');
      await keys.press('ArrowRight');
      await keys.type('1000AM');
      await keys.press('Enter');
      await page.getByText(/^A boat gets the status “Published” on/).waitFor();
      await hasFocus(page.getByRole('button', { name: 'Schedule' }));
      const post = await desk().send(`GET /api/v1/admin/posts/${page.url().split('/').at(-1)}`);
      expect(post).toMatchObject({ status: 'Draft', scheduled_at: '2999-02-02T10:00:00.000Z' });
      expect(post.content).toContain('alt="A boat in the harbour"');
      expect(post.content.replace(/<img[^>]*>/, '[]')).toBe('<p>Before [] after</p>');
    },
  },
  {
    name: 'restore a revision',
    async run(keys, page) {
      const { id } = await desk().admin.service.seed('stories', { title: 'Two versions', summary: 'White' });
      await desk().send(`PUT /api/v1/admin/cms/stories/${id}`, { summary: 'Black' });
      await page.goto(`/admin/content/stories/${id}`);
      await keys.button('Revisions');
      const dialog = page.getByRole('region', { name: 'Revisions', exact: true });
      await keys.button(/^Revision 1/, dialog);
      await keys.button('Restore', dialog);
      await keys.button('Restore', page.getByRole('dialog', { name: /^Restore revision/ }));
      await page.getByText('Revision 1 is restored.').first().waitFor();
      await becomes(() => page.getByLabel('Summary', { exact: true }).inputValue(), 'White');
    },
  },
  {
    name: 'resolve a conflict',
    async run(keys, page) {
      const id = await desk().opened(page, 'notes', { title: 'Paper' });
      await keys.fill('Title', 'Mine');
      const { lock_version } = await desk().send(`GET /api/v1/admin/cms/notes/${id}`);
      await desk().send(`PUT /api/v1/admin/cms/notes/${id}`, { title: 'Theirs', lock_version });
      await keys.press('Control+s');
      await keys.button('Keep mine', page.getByRole('dialog', { name: 'Conflict' }));
      await isClean(page);
      expect((await desk().send(`GET /api/v1/admin/cms/notes/${id}`)).title).toBe('Mine');
    },
  },
  {
    name: 'correct what the service refuses',
    at: '/content/notes/new',
    async run(keys, page) {
      await page.getByLabel('Title', { exact: true }).waitFor();
      await keys.press('Control+s');
      // The summary has the focus, and leads to the field.
      await keys.link(/^Title/, page.getByRole('alert'));
      await keys.type('Now it has one');
      await keys.press('Control+s');
      await page.waitForURL(/notes\/[0-9a-f-]{36}$/);
    },
  },
  {
    name: 'leave unsaved changes, and stay after all',
    async run(keys, page) {
      await desk().opened(page, 'notes', { title: 'Paper' });
      await keys.fill('Title', 'Changed');
      await keys.link('Home', page.getByRole('navigation', { name: 'Main' }));
      await keys.button('Keep editing', page.getByRole('dialog', { name: 'Unsaved changes' }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Changed');
    },
  },
  {
    name: 'delete a record, and take it back',
    async run(keys, page) {
      const id = await desk().opened(page, 'stories', { title: 'Deleted by keys' });
      await keys.button('Delete');
      await keys.button('Delete', page.getByRole('dialog', { name: 'Delete 1 record?' }));
      await page.waitForURL(/content\/stories$/);
      await keys.undo();
      await page.getByText('Deleted by keys is back.').first().waitFor();
      expect((await desk().send(`GET /api/v1/admin/cms/stories/${id}`)).title).toBe('Deleted by keys');
    },
  },
  {
    name: 'moderate a comment, and answer one',
    async run(keys, page) {
      const { id } = await desk().send('POST /api/v1/posts', { title: 'A post', slug: 'a-post', status: 'Published' });
      for (const nickname of ['Ann', 'Ben']) {
        const body = { content: `What ${nickname} says.`, nickname };
        expect((await desk().admin.service.send('POST /api/v1/posts/a-post/comments', { body })).status).toBe(201);
      }
      await page.goto(`/admin/comments?post=${id}`);
      const ann = page.getByRole('article', { name: 'Comment by Ann' });
      await keys.to(ann);
      await keys.press('a');
      await ann.waitFor({ state: 'detached' });
      await keys.press('r');
      await page.locator('textarea:focus').waitFor();
      await keys.type('Thank you.');
      await keys.press('Control+Enter');
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    },
  },
]);
