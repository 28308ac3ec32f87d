import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';

const story = {
  singular: 'story',
  plural: 'stories',
  name: 'Story',
  protocols: [
    {
      name: 'statusable',
      values: ['draft', 'review', 'published'],
      transitions: {
        draft: ['review'],
        review: [{ to: 'published', roles: ['editor'] }, 'draft'],
        published: ['draft'],
      },
    },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'body', field_type: 'richtext' },
  ],
};
const writer = { name: 'writer', base: 'editor' };
const root = '/api/v1/admin/cms/stories';

describe.skipIf(skipsLooks)(`notes and stages of a record${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([story], { roles: [writer] });
    await admin.account('eve', 'editor');
    await admin.account('will', 'writer');
    await admin.account('ada');
    for (const [as, name] of [
      ['eve', 'Eve Larsen'],
      ['will', 'Will Okafor'],
    ] as const)
      await admin.service.send('PUT /api/v1/auth/me', { as, body: { display_name: name } });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object, as = 'eve') =>
    (await admin.service.send(line, { as, ...(body === undefined ? {} : { body }) })).json;
  const seed = async (more: object = {}): Promise<string> => {
    const body = '<p>The white around the text is part of the text.</p><p>Margins give words room.</p>';
    return (await admin.service.seed('stories', { title: 'Why margins matter', body, ...more })).id;
  };
  const statusOf = async (id: string): Promise<string> => (await send(`GET ${root}/${id}`)).status;
  const notesOf = async (id: string) => (await send(`GET ${root}/${id}/notes`)).items;
  const open = (id: string, as: string, more: object = {}): Promise<Page> =>
    admin.page({ as, path: `/content/stories/${id}`, ...more });
  const hasFocus = (page: Page, selector: string) =>
    becomes(() => page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector), true);
  /** Selects words of the body, as a pointer would. */
  const select = (page: Page, words: string) =>
    page.locator('[data-path="body"] [contenteditable="true"]').evaluate((editor, exact) => {
      if (!(editor instanceof HTMLElement)) return;
      editor.focus();
      const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const start = node.nodeValue?.indexOf(exact) ?? -1;
        if (start === -1) continue;
        getSelection()?.setBaseAndExtent(node, start, node, start + exact.length);
        return;
      }
    }, words);

  test('a writer asks for review, an editor sends it back with a note, then approves', async () => {
    const id = await seed();
    const written = await open(id, 'will');
    await written.getByRole('button', { name: 'Ask for review' }).click();
    await becomes(() => statusOf(id), 'review');
    await written.getByRole('button', { name: 'Send back' }).waitFor();
    expect(await written.getByRole('button', { name: /publish/i }).count()).toBe(0);

    const page = await open(id, 'eve');
    await page.getByRole('button', { name: 'Send back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send back “Why margins matter”?' });
    await dialog.getByLabel(/^Note to whoever wrote it/).fill('Say more about paper.');
    expect(await accessibilityIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await becomes(() => statusOf(id), 'draft');
    expect((await notesOf(id)).map(({ text }: { text: string }) => text)).toEqual(['Say more about paper.']);
    await page.getByRole('button', { name: 'Ask for review' }).click();
    await page.getByRole('button', { name: 'Approve and publish' }).click();
    await becomes(() => statusOf(id), 'published');
  });

  test('on a phone, an editor sends a record back with a note', async () => {
    const id = await seed();
    await admin.service.send(`PUT ${root}/${id}`, { as: 'ada', body: { status: 'review' } });
    const page = await admin.page({
      as: 'eve',
      path: `/content/stories/${id}`,
      width: 390,
      height: 800,
      hasTouch: true,
    });
    await page.getByRole('button', { name: 'Details' }).tap();
    await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Send back' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Send back “Why margins matter”?' });
    await dialog.getByLabel(/^Note to whoever wrote it/).fill('Say more about ink.');
    await dialog.getByRole('button', { name: 'Send back' }).tap();
    await becomes(() => statusOf(id), 'draft');
    expect((await notesOf(id)).map(({ text }: { text: string }) => text)).toEqual(['Say more about ink.']);
  });

  test('a note on a passage is written, found in the text and resolved by keys alone', async () => {
    const id = await seed();
    const page = await open(id, 'eve');
    await page.getByRole('button', { name: 'Notes', exact: true }).waitFor();
    await select(page, 'part of the text');
    await page.keyboard.press('Control+Alt+m');
    await page.getByText('About: Body').waitFor();
    await hasFocus(page, '[data-notes] textarea');
    await page.keyboard.type('Is it?');
    await page.keyboard.press('Control+Enter');
    await becomes(async () => (await notesOf(id))[0]?.quote?.exact, 'part of the text');
    const marks = () => page.evaluate(() => [...CSS.highlights.values()].flatMap((one) => [...one]).map(String));
    await becomes(marks, ['part of the text']);
    const thread = page.getByRole('article', { name: 'Body' });
    await thread.focus();
    await page.keyboard.press('Control+Alt+m');
    await hasFocus(page, '[data-path="body"] *');
    expect(await page.evaluate(() => String(getSelection()))).toBe('part of the text');
    // There are notes about this field: the key leads back to them.
    await page.evaluate(() => getSelection()?.collapseToStart());
    await page.keyboard.press('Control+Alt+m');
    await hasFocus(page, '[data-thread]');
    await thread.getByRole('button', { name: 'Resolve' }).focus();
    await page.keyboard.press('Enter');
    await becomes(async () => (await notesOf(id))[0]?.resolved_at !== null, true);
    await becomes(marks, []);
    await page.getByRole('button', { name: 'One resolved thread' }).waitFor();
  });

  test('notes are marked at their fields, answered and addressed to people', async () => {
    const id = await seed();
    await send(`POST ${root}/${id}/notes`, { text: 'A better title?', field: 'title' });
    const page = await open(id, 'will');
    await page.locator('[data-path="title"]').getByRole('button', { name: 'Notes: 1' }).click();
    const thread = page.getByRole('article', { name: 'Title' });
    await thread.getByText('Eve Larsen').waitFor();
    await hasFocus(page, '[data-thread]');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByLabel('Reply').fill('On margins');
    const mention = thread.getByRole('combobox', { name: 'Mention somebody' });
    await mention.pressSequentially('lar');
    await page.getByRole('option', { name: 'Eve Larsen' }).click();
    await thread.getByRole('list', { name: 'Mentioned' }).getByText('Eve Larsen').waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByText('For Eve Larsen').waitFor();
    expect(
      (await notesOf(id)).map(({ text, mentions }: { text: string; mentions: string[] }) => [text, mentions]),
    ).toEqual([
      ['A better title?', []],
      ['On margins', [admin.service.idOf('eve')]],
    ]);
  });

  test('a record with notes meets WCAG 2.2 AA in both themes, wide and narrow, and scrolls to no side', async () => {
    const id = await seed();
    const quote = { exact: 'Margins give words room', prefix: '', suffix: '.' };
    const text =
      'A note of more than a few words, with a-very-long-word-that-does-not-fit-into-the-panel-beside-the-form';
    const first = await send(`POST ${root}/${id}/notes`, { text, field: 'body', quote });
    await send(`POST ${root}/${id}/notes`, {
      text: 'Yes',
      parent_id: first.id,
      mentions: [admin.service.idOf('will')],
    });
    const page = await open(id, 'ada');
    await page.getByRole('button', { name: 'Open notes: 1' }).click();
    await page.getByRole('article').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
  });

  test('the type builder keeps transitions with roles, and changes them', async () => {
    const definition = { ...story, singular: 'essay', plural: 'essays', name: 'Essay' };
    const made = await admin.service.send('POST /api/v1/admin/content-types', { as: 'ada', body: definition });
    expect(made.status).toBe(201);
    const page = await admin.page({ as: 'ada', path: '/types/essay?tab=behaviour' });
    const review = page.getByRole('group', { name: 'From “review” to' });
    const roles = review.getByRole('group', { name: /^“published” may be given by/ });
    expect(await roles.getByLabel('Editor', { exact: true }).isChecked()).toBe(true);
    await roles.getByLabel('writer', { exact: true }).check();
    await page.getByRole('group', { name: 'From “draft” to' }).getByLabel('published', { exact: true }).check();
    await page.getByRole('region', { name: 'What will happen' }).getByRole('button', { name: 'Apply changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply changes' }).click();
    const stored = async () =>
      (await send('GET /api/v1/admin/content-types/essay', undefined, 'ada')).definition.protocols[0].transitions;
    await becomes(stored, {
      draft: ['review', 'published'],
      review: [{ to: 'published', roles: ['editor', 'writer'] }, 'draft'],
      published: ['draft'],
    });
  });
});
