import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { closeBy } from './dialogs.ts';
import { Keys } from './keys.ts';
import { issuesInEveryLook } from './looks.ts';
import { until } from './media-library.ts';

const hostile = '<script>alert(1)</script> <img src=x onerror=alert(2)> ‮tfel ot thgir';

describe.skipIf(chromiumPath === undefined)(`the moderation queue${skipReason}`, () => {
  let admin: Admin;
  let count = 0;
  beforeAll(async () => {
    admin = await Admin.open([], { commentsAutoApprove: 'none' });
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = (line: string, body?: unknown) =>
    admin.service.send(line, body === undefined ? { as: 'ada' } : { as: 'ada', body });

  /** A post of its own, with comments by these names, oldest first; the texts are theirs, else made of the names. */
  async function post(
    names: readonly string[],
    texts: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly id: string; readonly slug: string; readonly ids: Readonly<Record<string, string>> }> {
    count += 1;
    const slug = `post-${count}`;
    const body = {
      title: `Post ${count}`,
      slug,
      status: 'Published',
      content: '<p>The <b>opening</b> of the post, A &amp; B &gt; C.</p>',
    };
    const { id } = (await send('POST /api/v1/posts', body)).json;
    const ids: Record<string, string> = {};
    for (const nickname of names) {
      const content = texts[nickname] ?? `What ${nickname} says.`;
      const made = await admin.service.send(`POST /api/v1/posts/${slug}/comments`, { body: { content, nickname } });
      if (made.status !== 201) throw new Error(made.text);
      ids[nickname] = made.json.id;
    }
    return { id, slug, ids };
  }

  const status = async (id: string | undefined): Promise<string> =>
    (await send(`GET /api/v1/admin/comments?id=${id}`)).json.items[0]?.status ?? 'gone';
  const open = (path: string, options = {}): Promise<Page> => admin.page({ as: 'edith', path, ...options });
  const item = (page: Page, name: string) => page.getByRole('article', { name: `Comment by ${name}` });
  const shown = (page: Page): Promise<readonly string[]> =>
    page
      .getByRole('list', { name: 'Comments' })
      .getByRole('article')
      .evaluateAll((all) => all.map((each) => each.querySelector('.name')?.textContent ?? ''));
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label') ?? null");

  const untilFocused = (page: Page, label: string): Promise<void> =>
    until(page, `document.activeElement?.getAttribute('aria-label') === ${JSON.stringify(label)}`);

  test('moderates by keyboard alone, and takes a decision back', async () => {
    const { id, ids } = await post(['Ann', 'Ben', 'Cid', 'Dee', 'Eve']);
    const page = await open(`/comments?post=${id}`);
    await item(page, 'Eve').waitFor();
    expect(await shown(page)).toEqual(['Ann', 'Ben', 'Cid', 'Dee', 'Eve']);
    await page.keyboard.press('j');
    await untilFocused(page, 'Comment by Ben');
    await page.keyboard.press('k');
    await untilFocused(page, 'Comment by Ann');
    await page.keyboard.press('a');
    await page.getByText('Comment approved.').waitFor();
    await item(page, 'Ann').waitFor({ state: 'detached' });
    // The next one has the focus.
    await untilFocused(page, 'Comment by Ben');
    await page.keyboard.press('x');
    await item(page, 'Ben').waitFor({ state: 'detached' });
    await untilFocused(page, 'Comment by Cid');
    await page.keyboard.press('s');
    await item(page, 'Cid').waitFor({ state: 'detached' });
    expect([await status(ids.Ann), await status(ids.Ben), await status(ids.Cid)]).toEqual([
      'Approved',
      'Rejected',
      'Spam',
    ]);
    // The last decision alone is shown: a pile of them would cover the queue, and earlier ones cannot be undone by the key.
    await page.getByText('Comment marked as spam.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    await page.keyboard.press('u');
    await item(page, 'Cid').waitFor();
    await page.getByText('Undone.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await status(ids.Cid)).toBe('Pending');
    await untilFocused(page, 'Comment by Cid');
    await page.keyboard.press('d');
    const question = page.getByRole('dialog', { name: 'Delete 1 comment?' });
    await question.getByText('Replies to them are deleted').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await status(ids.Cid)).toBe('Pending');
    await item(page, 'Cid').focus();
    await page.keyboard.press('d');
    await question.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Comment deleted.').waitFor();
    await item(page, 'Cid').waitFor({ state: 'detached' });
    expect(await status(ids.Cid)).toBe('gone');
    await page.getByRole('link', { name: 'Approved 1' }).waitFor();
    await page.getByRole('link', { name: 'Pending 2' }).waitFor();
  });

  test('a letter after g goes to another page, and decides nothing', async () => {
    const { id, ids } = await post(['Ann']);
    const page = await open(`/comments?post=${id}`);
    await item(page, 'Ann').focus();
    const keys = new Keys(page);
    for (const key of ['s', 'x', 'm']) await keys.pair('g', key);
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    expect(await status(ids.Ann)).toBe('Pending');
  });

  test('answers a comment, with its post and its thread beside it', async () => {
    const { id, slug, ids } = await post(['Ann']);
    await send(`PUT /api/v1/admin/comments/${ids.Ann}/status`, { status: 'Approved' });
    const reply = { content: 'I think so too.', nickname: 'Ben', parent_id: ids.Ann };
    await admin.service.send(`POST /api/v1/posts/${slug}/comments`, { body: reply });
    const page = await open(`/comments?post=${id}`);
    const context = page.getByRole('complementary', { name: 'Context' });
    await context.getByText('The opening of the post, A & B > C.').waitFor();
    const thread = context.getByRole('region', { name: 'Thread' }).getByRole('listitem');
    await thread.filter({ hasText: 'What Ann says.' }).waitFor();
    expect(await thread.filter({ hasText: 'I think so too.' }).getAttribute('aria-current')).toBe('true');
    expect(await context.getByRole('link', { name: 'Edit the post' }).getAttribute('href')).toBe(
      `/admin/content/posts/${id}`,
    );
    await item(page, 'Ben').getByText('In reply to Ann').waitFor();
    await item(page, 'Ben').focus();
    await page.keyboard.press('r');
    await page.getByLabel('Your reply').fill('Thank you both.');
    // What is written is not lost by a click on a link.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' }).click();
    await closeBy(page.getByRole('dialog', { name: 'Discard the reply?' }), 'Cancel');
    await page.getByLabel('Your reply').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your reply is published.').waitFor();
    const threads = await admin.service.send(`GET /api/v1/posts/${slug}/comments`);
    expect(threads.json.items).toMatchObject([
      {
        content: 'What Ann says.',
        replies: [{ content: 'I think so too.', replies: [{ content: 'Thank you both.' }] }],
      },
    ]);
  });

  test('shows whatever a comment holds as text', async () => {
    const { id } = await post(['<b>Mal</b>'], { '<b>Mal</b>': hostile });
    const page = await open(`/comments?post=${id}`);
    await item(page, '<b>Mal</b>').waitFor();
    expect(await item(page, '<b>Mal</b>').locator('.content').textContent()).toBe(hostile);
    expect(await page.locator('.content :is(script, img, b), .name b').count()).toBe(0);
  });

  test('search and status stand in the address', async () => {
    const { id } = await post(['Ann', 'Ben']);
    const page = await open(`/comments?post=${id}`);
    await item(page, 'Ann').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('ben');
    await item(page, 'Ann').waitFor({ state: 'detached' });
    await page.waitForURL((address) => address.searchParams.get('search') === 'ben');
    await page.reload();
    await item(page, 'Ben').waitFor();
    expect(await shown(page)).toEqual(['Ben']);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await item(page, 'Ann').waitFor();
    await page.getByRole('link', { name: 'Spam 0' }).click();
    await page.getByRole('heading', { name: 'No comment here' }).waitFor();
    expect(await focused(page)).not.toBe('');
  });

  test('meets WCAG 2.2 AA in both themes, wide and narrow', async () => {
    const { id } = await post(
      ['Ann', 'A name of a hundred letters, which is as long as names of guests may be', 'Cid'],
      {
        Ann: 'word '.repeat(400),
        Cid: 'x'.repeat(400),
      },
    );
    const page = await open(`/comments?post=${id}`, { width: 360 });
    await item(page, 'Cid').waitFor();
    await page.getByRole('checkbox', { name: 'Select the comment by Ann' }).check();
    await item(page, 'Ann').getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Your reply').waitFor();
    await item(page, 'Ann').getByText('Context').click();
    await page.getByText('The opening of the post, A & B > C.').waitFor();
    expect(await issuesInEveryLook(page, { atEnd: true })).toEqual([]);
    // What stands behind a button where it is narrow stands beside the comment where it is wide.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText('The opening of the post, A & B > C.').waitFor();
  });
});
