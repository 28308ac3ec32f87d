import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { closeBy } from './dialogs.ts';
import { imprintType, noteType, storyType } from './editor-types.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
/** The state of saving. */
const state = (page: Page, is: string) => page.locator(`[data-state="${is}"]`);

/** What a page says by itself from time to time; it may find out before a click that the session has ended. */
const isPresence = ({ url }: Request): boolean => url.includes('/admin/presence/');

describe.skipIf(chromiumPath === undefined)(`the editor${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType, noteType, imprintType]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const note = (values: Readonly<Record<string, unknown>>): Promise<{ readonly id: string }> =>
    admin.service.seed('notes', values);
  const read = async (path: string) => (await admin.service.send(`GET /api/v1/admin/cms/${path}`, { as: 'ada' })).json;
  const open = (path: string, as = 'ada'): Promise<Page> => admin.page({ as, path: `/content/${path}` });

  test.each(['posts', 'pages'])('creates %s, whose routes have addresses of their own', async (plural) => {
    const page = await open(`${plural}/new`);
    await field(page, 'Title').fill('Walks along the harbour');
    await page.getByText('Made when the record is saved: “walks-along-the-harbour”').waitFor();
    await button(page, 'Save').click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved \d/ })
      .waitFor();
    const { json } = await admin.service.send(`GET /api/v1/admin/${plural}`, { as: 'ada' });
    expect(json.items).toMatchObject([{ title: 'Walks along the harbour', slug: 'walks-along-the-harbour' }]);
  });

  test('asks for no slug and no tags, which are filled when they are left empty', async () => {
    const page = await open('posts/new');
    const required = async (name: string) => (await field(page, name).getAttribute('aria-required')) === 'true';
    await field(page, 'Title').waitFor();
    expect([await required('Title'), await required('Slug'), await required('Tags')]).toEqual([true, false, false]);
    expect(await page.getByText('required', { exact: true }).count()).toBe(1);
    await field(page, 'Title').fill('Ink');
    await button(page, 'Save').click();
    await page.waitForURL(/posts\/[0-9a-f-]{36}$/);
    // A slug that is stored is not made anew.
    await field(page, 'Slug').fill('');
    await page.getByText('A saved record needs a slug.').waitFor();
  });

  test('shows what is wrong at the fields, with a summary that leads there', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('x'.repeat(41));
    await button(page, 'Save').click();
    await page.getByRole('alert').getByRole('link', { name: 'Title' }).click();
    expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain('Title');
    await field(page, 'Title').fill('Ink');
    await button(page, 'Save').click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    expect((await read(`notes/${id}`)).title).toBe('Ink');
  });

  test('asks before unsaved changes are left', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('Ink');
    const leave = () => page.getByRole('link', { name: 'Home' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unsaved changes' });
    await leave();
    await closeBy(dialog, 'Keep editing');
    expect(await field(page, 'Title').inputValue()).toBe('Ink');
    await leave();
    await closeBy(dialog, 'Save');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect((await read(`notes/${id}`)).title).toBe('Ink');
    await page.goBack();
    await field(page, 'Title').fill('Glue');
    await leave();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.goBack();
    await field(page, 'Title').waitFor();
    expect([await field(page, 'Title').inputValue(), await button(page, 'Restore').count()]).toEqual(['Ink', 0]);
  });

  test('offers what was typed in a tab that has ended, and applies it when asked', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('Typed before the crash');
    // As kept, so that the wait is for the browser's own store.
    await page.waitForFunction(copyKept, 'Typed before the crash');
    const tab = await admin.tab(page.context(), `/content/notes/${id}`);
    await tab.getByText('Also open in another tab.').waitFor();
    expect(await button(tab, 'Restore').count()).toBe(0);
    await page.close();
    await tab.reload();
    await tab.getByText('Text that was not saved').waitFor();
    expect(await field(tab, 'Title').inputValue()).toBe('Paper');
    await button(tab, 'Compare').click();
    await tab.locator('ins').filter({ hasText: 'Typed' }).waitFor();
    await button(tab, 'Restore').click();
    expect(await field(tab, 'Title').inputValue()).toBe('Typed before the crash');
    await button(tab, 'Save').click();
    await state(tab, 'clean').waitFor();
    await tab.waitForFunction(nothingKept);
    expect((await read(`notes/${id}`)).title).toBe('Typed before the crash');
  });

  test('offers the text of another new record until this one is saved, or the other one is', async () => {
    const first = await open('notes/new');
    await field(first, 'Title').fill('Left behind');
    await first.waitForFunction(copyKept, 'Left behind');
    const [page, other] = [
      await admin.tab(first.context(), '/content/notes'),
      await admin.tab(first.context(), '/content/notes'),
    ];
    await first.close();
    const offer = (tab: Page) => tab.getByText('Text that was not saved');
    for (const tab of [page, other]) {
      await tab.getByRole('link', { name: 'New Note' }).first().click();
      await offer(tab).waitFor();
    }
    await field(page, 'Title').fill('Another');
    await button(page, 'Save').click();
    await page.waitForURL(/notes\/[0-9a-f-]{36}$/);
    await offer(page).waitFor({ state: 'detached' });
    // It waits for the next new record.
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'New Note' }).first().click();
    await offer(page).waitFor();
    await button(page, 'Throw it away').click();
    await offer(page).waitFor({ state: 'detached' });
    await offer(other).waitFor({ state: 'detached' });
    await button(page, 'Undo').click();
    await offer(page).waitFor();
    await button(page, 'Restore').click();
    expect(await field(page, 'Title').inputValue()).toBe('Left behind');
    await button(page, 'Save').click();
    await page.waitForURL(/notes\/[0-9a-f-]{36}$/);
    await page.waitForFunction(nothingKept);
  });

  test('goes on after the session has ended', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('Kept');
    await page.context().clearCookies();
    await admin.service.send('POST /api/v1/auth/logout-all', { as: 'ada' });
    admin.intercept = (request) =>
      request.method === 'PUT' && request.headers.has('authorization') && ended && !isPresence(request)
        ? Response.json({ code: 'invalid_token', title: 'x' }, { status: 401 })
        : undefined;
    let ended = true;
    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Password') });
    await dialog.getByLabel('Password').fill('correct horse');
    ended = false;
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await state(page, 'clean').waitFor();
    admin.intercept = undefined;
    expect((await read(`notes/${id}`)).title).toBe('Kept');
  });

  test('keeps the text when another account signs in over the page', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('By Ada');
    await page.context().clearCookies();
    let ended = true;
    admin.intercept = (request) =>
      request.headers.has('authorization') && ended && !isPresence(request)
        ? Response.json({ code: 'invalid_token', title: 'x' }, { status: 401 })
        : undefined;
    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Password') });
    await dialog.getByLabel('Email').fill('edith@example.com');
    await dialog.getByLabel('Password').fill('correct horse');
    ended = false;
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Another account is signed in').waitFor();
    admin.intercept = undefined;
    expect(await field(page, 'Title').inputValue()).toBe('By Ada');
    expect((await read(`notes/${id}`)).title).toBe('Paper');
    await button(page, 'Save as new').click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    const made = page.url().split('/').at(-1);
    expect((await read(`notes/${made}`)).title).toBe('By Ada');
  });

  test('says that there is no connection, and goes on when there is', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await page.context().setOffline(true);
    await field(page, 'Title').fill('Typed offline');
    await button(page, 'Save').click();
    await page.getByRole('status').filter({ hasText: 'Not saved: no connection' }).waitFor();
    await page.context().setOffline(false);
    await state(page, 'clean').waitFor();
    expect((await read(`notes/${id}`)).title).toBe('Typed offline');
  });

  test('keeps the text of a record that somebody deleted', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Title').fill('Still here');
    await admin.service.send(`DELETE /api/v1/admin/cms/notes/${id}`, { as: 'edith' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('This was deleted').waitFor();
    await button(page, 'Save as new').click();
    await state(page, 'clean').waitFor();
    const made = page.url().split('/').at(-1);
    expect(made).not.toBe(id);
    expect((await read(`notes/${made}`)).title).toBe('Still here');
  });

  test('sends a password that is typed, and shows none', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    await field(page, 'Pass').fill('a long password');
    await button(page, 'Save').click();
    await state(page, 'clean').waitFor();
    await field(page, 'Title').focus();
    expect(await field(page, 'Pass').inputValue()).toBe('');
    expect(await page.evaluate(keptText)).not.toContain('a long password');
  });

  test('lists a draft of a published record under what its writer continues', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On glue', status: 'published' });
    await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}?draft=true`, {
      as: 'edith',
      body: { title: 'On glue and thread' },
    });
    await admin.service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { title: 'Thread' } });
    const page = await admin.page({ as: 'edith' });
    const mine = page.getByRole('region', { name: 'Continue writing' });
    const item = mine.getByRole('listitem').filter({ hasText: 'On glue and thread' });
    await item.getByText('draft saved').waitFor();
    await item.getByRole('link').click();
    // Where reading goes on, once the record is there.
    await page.getByRole('heading', { level: 1, name: 'On glue and thread' }).and(page.locator(':focus')).waitFor();
    const other = await admin.page({ as: 'ada' });
    await other.getByRole('region', { name: 'Continue writing' }).getByRole('link', { name: 'Thread' }).waitFor();
    const own = other.getByRole('region', { name: 'Continue writing' });
    expect(await own.getByText('On glue and thread').count()).toBe(0);
  });

  test('does not interrupt who writes when the session has ended before a draft is sent by itself', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper', status: 'published' });
    const page = await open(`stories/${id}`);
    await field(page, 'Title').waitFor();
    // What a page loads when it is opened is asked for: it would ask for the password.
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await admin.service.send('DELETE /api/v1/auth/me/sessions', { as: 'ada' });
    await field(page, 'Title').fill('On ink');
    await page.getByText('Not saved: you are signed out').waitFor();
    await page.keyboard.type(' and glue');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('status').getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Password') });
    await dialog.getByLabel('Password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Has changes that are not published').waitFor();
    await state(page, 'clean').waitFor();
    expect((await read(`stories/${id}`)).__draft.changes.title).toBe('On ink and glue');
  });

  test('does not interrupt who has saved and writes on before the answer', async () => {
    const { id } = await note({ title: 'Paper' });
    const page = await open(`notes/${id}`);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let isEnded = true;
    admin.intercept = async (request) => {
      if (!isEnded || request.method !== 'PUT' || isPresence(request)) return undefined;
      asked.resolve();
      await answer.promise;
      return Response.json({ code: 'invalid_token', title: 'x' }, { status: 401 });
    };
    await field(page, 'Title').fill('Paper and ');
    await page.context().clearCookies();
    await page.keyboard.press('Control+s');
    await asked.promise;
    await page.keyboard.type('gl');
    answer.resolve();
    await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor();
    await page.keyboard.type('ue');
    expect(await field(page, 'Title').inputValue()).toBe('Paper and glue');
    // Whoever waits for it is asked.
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Password') });
    isEnded = false;
    await dialog.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await state(page, 'clean').waitFor();
    admin.intercept = undefined;
    expect((await read(`notes/${id}`)).title).toBe('Paper and glue');
  });

  test('brings a draft and its record together', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper', status: 'published' });
    const page = await open(`stories/${id}`);
    await field(page, 'Title').fill('Draft');
    await page.getByText('Has changes that are not published').waitFor();
    await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'edith', body: { title: 'Record' } });
    await button(page, 'Publish').click();
    // The record was changed since the page read it: that is looked at first.
    await state(page, 'clean').waitFor();
    await button(page, 'Publish').click();
    await page.getByRole('dialog', { name: 'Conflict' }).getByRole('button', { name: 'Keep mine' }).click();
    await state(page, 'clean').waitFor();
    await button(page, 'Publish').click();
    await page.getByText('Draft is published.').waitFor();
    expect(await read(`stories/${id}`)).toMatchObject({ title: 'Draft', __draft: null });
  });

  test('schedules, and takes it back', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper' });
    const page = await open(`stories/${id}`);
    await button(page, 'Schedule').click();
    await page.getByLabel('Date and time').fill('2999-01-01T10:00');
    await button(page, 'Set the time').click();
    await page.getByText(/gets the status “Published” on 1 Jan 2999, \d\d:\d\d/).waitFor();
    await page.getByText(/^Becomes “Published” on .*2999/).waitFor();
    expect((await read(`stories/${id}`)).scheduled_at).toBe('2999-01-01T10:00:00.000Z');
    await button(page, 'Schedule').click();
    await button(page, 'Remove the schedule').click();
    await page.getByText(/no longer scheduled/).waitFor();
    expect((await read(`stories/${id}`)).scheduled_at).toBeNull();
  });

  test('schedules a new record, which is saved with it, and loses nothing when that fails', async () => {
    const page = await open('stories/new');
    await field(page, 'Summary').fill('White and grey');
    await button(page, 'Schedule').click();
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    await dialog.getByText('It is saved as “Draft” now').waitFor();
    await dialog.getByLabel('Date and time').fill('2999-03-01T10:00');
    await button(page, 'Set the time').click();
    await page.getByRole('alert').getByRole('link', { name: 'Title' }).waitFor();
    expect(await field(page, 'Summary').inputValue()).toBe('White and grey');
    await field(page, 'Title').fill('In spring');
    await button(page, 'Schedule').click();
    expect(await dialog.getByLabel('Date and time').inputValue()).toBe('2999-03-01T10:00');
    await button(page, 'Set the time').click();
    await page.getByText(/^In spring gets the status “Published” on/).waitFor();
    await page.getByText(/^Becomes “Published” on .*2999/).waitFor();
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    expect(await read(`stories/${page.url().split('/').at(-1)}`)).toMatchObject({
      ...{ title: 'In spring', summary: 'White and grey' },
      ...{ status: 'draft', scheduled_at: '2999-03-01T10:00:00.000Z' },
    });
  });

  test('takes pasted tags apart, and calls the fields of protocols by readable names', async () => {
    const page = await open('posts/new');
    await page.getByLabel('Custom fields').waitFor();
    const tags = page.getByLabel('Tags', { exact: true });
    await tags.fill('paper, ink');
    expect(await tags.inputValue()).toBe('');
    for (const tag of ['paper', 'ink']) await button(page, `Remove ${tag}`).waitFor();
  });

  test('schedules by keys, and leaves the focus where it was', async () => {
    const page = await open('stories/new');
    await field(page, 'Title').fill('By keys');
    await button(page, 'Schedule').focus();
    await page.keyboard.press('Enter');
    const date = page.getByRole('dialog', { name: 'Schedule' }).getByLabel('Date and time');
    await date.and(page.locator(':focus')).waitFor();
    await date.fill('2999-04-01T10:00');
    await page.keyboard.press('Enter');
    await page.getByText(/^By keys gets the status “Published” on/).waitFor();
    await button(page, 'Schedule').and(page.locator(':focus-visible')).waitFor();
  });

  test('sets another status only when that is asked for: keys go through the choices', async () => {
    const made = await admin.service.send('POST /api/v1/posts', { as: 'ada', body: { title: 'On glue' } });
    const path = `GET /api/v1/admin/posts/${made.json.id}`;
    const statusOf = async () => (await admin.service.send(path, { as: 'ada' })).json.status;
    const page = await open(`posts/${made.json.id}`);
    const choice = page.getByLabel('Change status');
    await choice.selectOption('Published');
    await choice.selectOption('Archived');
    expect(await statusOf()).toBe('Draft');
    await button(page, 'Set to Archived').click();
    await page.getByText('On glue has the status “Archived” now.').waitFor();
    expect(await statusOf()).toBe('Archived');
    await choice.and(page.locator(':focus')).waitFor();
    expect(await button(page, 'Set to Archived').count()).toBe(0);
  });

  test('a revision names the records that it leads to, and shows which pictures came', async () => {
    const category = await admin.service.send('POST /api/v1/admin/cms/categories', {
      as: 'ada',
      body: { name: 'Bindings' },
    });
    expect(category.status).toBe(201);
    const made = await admin.service.send('POST /api/v1/posts', {
      as: 'ada',
      body: { title: 'On thread', content: '<p>Red.</p>' },
    });
    const body = {
      content: '<p>Red.<img src="/media/x/preview/needle.jpg?v=1" alt=""></p>',
      ...{ categories: [category.json.id], comments_open: false },
    };
    const changed = await admin.service.send(`PUT /api/v1/admin/posts/${made.json.id}`, { as: 'ada', body });
    expect(changed.status).toBe(200);
    const page = await open(`posts/${made.json.id}`);
    await button(page, 'Revisions').click();
    const dialog = page.getByRole('region', { name: 'Revisions', exact: true });
    for (const text of ['Bindings', '[needle.jpg]', 'no']) {
      await dialog.locator('ins').filter({ hasText: text }).first().waitFor();
    }
    expect(await dialog.getByText(category.json.id).count()).toBe(0);
  });

  test('schedules a new post, whose routes have addresses of their own', async () => {
    const page = await open('posts/new', 'edith');
    await field(page, 'Title').fill('In summer');
    await button(page, 'Schedule').click();
    await page.getByLabel('Date and time').fill('2999-06-01T10:00');
    await button(page, 'Set the time').click();
    await page.getByText(/^Becomes “Published” on .*2999/).waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/posts?search=summer', { as: 'ada' });
    expect(json.items).toMatchObject([{ status: 'Draft', scheduled_at: '2999-06-01T09:00:00.000Z' }]);
  });

  test('shows a revision in which only the schedule has changed', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper' });
    const scheduled_at = '2999-01-01T10:00:00.000Z';
    const sent = await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'ada', body: { scheduled_at } });
    expect(sent.status).toBe(200);
    const page = await open(`stories/${id}`);
    await button(page, 'Revisions').click();
    const dialog = page.getByRole('region', { name: 'Revisions', exact: true });
    await dialog.getByRole('term').filter({ hasText: 'Scheduled for' }).waitFor();
    await dialog.locator('ins').filter({ hasText: '1 Jan 2999' }).waitFor();
    expect(await dialog.getByText('There is no difference.').count()).toBe(0);
  });

  test('shows what changed between revisions, and restores one', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper', summary: 'White and grey' });
    await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, {
      as: 'edith',
      body: { summary: 'White and black' },
    });
    const page = await open(`stories/${id}`);
    await button(page, 'Revisions').click();
    const dialog = page.getByRole('region', { name: 'Revisions', exact: true });
    await dialog.locator('del').filter({ hasText: 'grey' }).waitFor();
    await dialog.locator('ins').filter({ hasText: 'black' }).waitFor();
    await dialog.getByRole('button', { name: /^Revision 1/ }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page
      .getByRole('dialog', { name: /^Restore revision/ })
      .getByRole('button', { name: 'Restore' })
      .click();
    await page.getByText('Revision 1 is restored.').waitFor();
    expect(await field(page, 'Summary').inputValue()).toBe('White and grey');
    expect((await read(`stories/${id}`)).summary).toBe('White and grey');
  });

  test('duplicates, and deletes with a way back', async () => {
    const { id } = await admin.service.seed('stories', { title: 'On paper', summary: 'White' });
    const page = await open(`stories/${id}`);
    await button(page, 'Duplicate').click();
    await page.waitForURL(/\/new/);
    await page.getByRole('heading', { level: 1, name: 'On paper' }).waitFor();
    await button(page, 'Save').click();
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    const copy = page.url().split('/').at(-1);
    expect(await read(`stories/${copy}`)).toMatchObject({
      title: 'On paper',
      summary: 'White',
      slug: expect.stringMatching(/^on-paper-\d/),
    });
    await button(page, 'Delete').click();
    await page.getByRole('dialog', { name: 'Delete 1 record?' }).getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/content\/stories$/);
    await button(page, 'Undo').click();
    await page.getByText('On paper is back.').waitFor();
    expect((await read(`stories/${copy}`)).title).toBe('On paper');
  });

  test('says of a page that deleting it cannot be undone', async () => {
    const { json } = await admin.service.send('POST /api/v1/pages', { as: 'ada', body: { title: 'Imprint' } });
    const page = await open(`pages/${json.id}`);
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 record?' });
    await dialog.getByText('“Imprint” will be deleted for good. This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Imprint is deleted.').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
  });

  test('edits a single type', async () => {
    const page = await open('imprints/new');
    await field(page, 'Text').fill('Tom Okafor');
    await button(page, 'Save').click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    expect((await admin.service.send('GET /api/v1/cms/imprint')).json.text).toBe('Tom Okafor');
  });

  test('shows a preview that gets each change', async () => {
    admin.intercept = (request) =>
      new URL(request.url).pathname.startsWith('/preview/')
        ? new Response(previewPage, { headers: { 'Content-Type': 'text/html' } })
        : undefined;
    const { id } = await admin.service.seed('stories', { title: 'On paper', status: 'published' });
    const page = await open(`stories/${id}`);
    await button(page, 'Preview').click();
    await field(page, 'Title').fill('On ink');
    await page.frameLocator('iframe').getByText('On ink').waitFor();
    admin.intercept = undefined;
  });
});

const previewPage = `<!doctype html><h1></h1><script>addEventListener('message', ({ data }) => {
  if (data.type === 'recto:preview') document.querySelector('h1').textContent = data.record.title;
});</script>`;

/** In the page: everything that the browser keeps. */
const keptText = `new Promise((resolve) => {
  const opening = indexedDB.open('recto-editing');
  opening.onsuccess = () => {
    const reading = opening.result.transaction('copies').objectStore('copies').getAll();
    reading.onsuccess = () => { opening.result.close(); resolve(JSON.stringify(reading.result)); };
  };
})`;
const copyKept = `async (text) => (await ${keptText}).includes(text)`;
const nothingKept = `async () => (await ${keptText}) === '[]'`;
