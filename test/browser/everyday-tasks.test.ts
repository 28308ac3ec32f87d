import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { mailSettings } from '../support/mail-server.ts';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { step } from './list/lists.ts';
import { picture } from './media-library.ts';

type Role = Parameters<Page['getByRole']>[0];

/** The part of a node of the accessibility tree that is read here. */
interface TreeNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly parentId?: string;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly description?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

const nameOf = ({ name }: TreeNode): string => String(name?.value ?? '').trim();
const propertyOf = ({ properties }: TreeNode, name: string): unknown =>
  properties?.find((property) => property.name === name)?.value.value;

/**
 * Somebody who knows of a page what the browser's accessibility tree says, as a screen reader does: controls by role and name, where the
 * focus is, and what is announced. Clicks are counted.
 */
class Reader {
  readonly page: Page;
  readonly #session: CDPSession;
  clicks = 0;

  static async at(page: Page): Promise<Reader> {
    return new Reader(page, await page.context().newCDPSession(page));
  }

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Waits until the tree has a control of this role and name, here or within a part of the page. */
  async find(role: Role, name: string, within: Page | Locator = this.page): Promise<Locator> {
    await this.#until((nodes) => nodes.some((node) => node.role?.value === role && nameOf(node) === name));
    return within.getByRole(role, { name, exact: true }).first();
  }

  async click(role: Role, name: string, within?: Locator): Promise<void> {
    await (await this.find(role, name, within)).click();
    this.clicks += 1;
  }

  /** Waits until this control has the focus. */
  focused(role: Role, name: string): Promise<void> {
    return this.#until((nodes) =>
      nodes.some((node) => node.role?.value === role && nameOf(node) === name && propertyOf(node, 'focused') === true),
    );
  }

  /** Waits until a control has these states: `required`, `invalid`, `checked`, `expanded`, `selected`, `modal`, `focusable`. */
  has(role: Role, name: string | RegExp, states: Readonly<Record<string, unknown>>): Promise<void> {
    const isNamed = (node: TreeNode): boolean =>
      typeof name === 'string' ? nameOf(node) === name : name.test(nameOf(node));
    return this.#until((nodes) =>
      nodes.some(
        (node) =>
          node.role?.value === role &&
          isNamed(node) &&
          Object.entries(states).every(([state, value]) => propertyOf(node, state) === value),
      ),
    );
  }

  /** Waits until a control is described so. */
  described(role: Role, name: string, text: string): Promise<void> {
    return this.#until((nodes) =>
      nodes.some(
        (node) =>
          node.role?.value === role && nameOf(node) === name && String(node.description?.value ?? '').includes(text),
      ),
    );
  }

  /** Waits until a live region says this. */
  announced(text: string): Promise<void> {
    return this.#until((nodes) => {
      const parents = new Map(nodes.map((node) => [node.nodeId, node]));
      const isLive = (node: TreeNode | undefined): boolean => {
        if (node === undefined) return false;
        const live = propertyOf(node, 'live');
        if (live === 'polite' || live === 'assertive') return true;
        return isLive(node.parentId === undefined ? undefined : parents.get(node.parentId));
      };
      return nodes.some((node) => nameOf(node).includes(text) && isLive(node));
    });
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async #until(isSo: (nodes: readonly TreeNode[]) => boolean): Promise<void> {
    for (;;) {
      const { nodes } = await this.#session.send('Accessibility.getFullAXTree');
      if (isSo(nodes)) return;
      await this.page.waitForTimeout(100);
    }
  }
}

/** No waiting for autosave: the record is stored by the buttons that are counted. */
const story = {
  ...{ name: 'Story', singular: 'story', plural: 'stories' },
  protocols: ['timestampable', { name: 'versionable', drafts: true }, { name: 'statusable', schedule: 'published' }],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200 },
    { name: 'cover', field_type: 'media', label: 'Cover' },
    { name: 'text', field_type: 'text', label: 'Text' },
  ],
};

describe.skipIf(skipsLooks)(`everyday tasks, by the accessibility tree, with few clicks${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([story, step], {
      commentsAutoApprove: 'none',
      settings: mailSettings({ kind: 'log' }),
    });
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object) => {
    const { status, json, text } = await admin.service.send(line, { as: 'ada', ...(body && { body }) });
    if (status >= 300) throw new Error(`${line}: ${text}`);
    return json;
  };
  const open = async (path: string): Promise<Reader> => Reader.at(await admin.page({ as: 'ada', path }));
  const stories = async (title: string) =>
    (await send(`GET /api/v1/admin/cms/stories?filter=${encodeURIComponent(`title = "${title}"`)}`)).items;
  async function choose(reader: Reader, button: string, names: readonly string[]): Promise<void> {
    const chooser = reader.page.waitForEvent('filechooser');
    await reader.click('button', button);
    const buffers = await Promise.all(names.map((_, at) => picture(60, 40, at * 17)));
    await (await chooser).setFiles(
      names.map((name, at) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(buffers[at] ?? []) })),
    );
  }

  test('signing in', async () => {
    const page = await admin.page();
    const reader = await Reader.at(page);
    await reader.focused('textbox', 'Email');
    await reader.type(emailOf('ada'));
    await reader.press('Tab');
    await reader.focused('textbox', 'Password');
    await reader.type('wrong');
    await reader.press('Enter');
    await reader.announced('password');
    await (await reader.find('textbox', 'Password')).fill(passwordOfTests);
    await reader.press('Enter');
    await reader.find('navigation', 'Main');
    expect(reader.clicks).toBe(0);
  });

  test('a record with a picture is written and published: 4 clicks', async () => {
    const reader = await open('/');
    await reader.click('link', 'Stories');
    await reader.click('link', 'New Story');
    await reader.focused('textbox', 'Title');
    await reader.has('textbox', 'Title', { required: true, invalid: 'false' });
    await reader.type('A harbour');
    await choose(reader, 'Upload', ['harbour.jpg']);
    await reader.find('button', 'Details of harbour.jpg');
    await reader.click('button', 'Publish');
    await reader.announced('A harbour is published.');
    expect(await stories('A harbour')).toMatchObject([{ status: 'published', cover: { name: 'harbour.jpg' } }]);
    expect(reader.clicks).toBeLessThanOrEqual(5);
  });

  test('a record that lacks something is not published, and its field says what', async () => {
    const reader = await open('/content/stories/new');
    await reader.click('textbox', 'Text');
    await reader.type('Without a title');
    await reader.click('button', 'Publish');
    await reader.has('textbox', 'Title', { required: true, invalid: 'true' });
    await reader.described('textbox', 'Title', 'required');
    await reader.click('textbox', 'Title');
    await reader.type('With a title');
    await reader.click('button', 'Publish');
    await reader.announced('With a title is published.');
    await reader.has('textbox', 'Title', { required: true, invalid: 'false' });
  });

  test('a record is found and corrected: no click to find it, 1 to save it', async () => {
    await send('POST /api/v1/admin/cms/stories', { title: 'On papr', status: 'published' });
    const reader = await open('/');
    await reader.press('Control+k');
    await reader.page.getByRole('combobox', { name: 'Command palette' }).and(reader.page.locator(':focus')).waitFor();
    await reader.type('On papr');
    await reader.page.getByRole('option', { name: /^On papr/ }).waitFor();
    await reader.has('combobox', 'Command palette', { expanded: true });
    await reader.has('option', /^On papr/, { selected: true });
    await reader.press('Enter');
    await reader.find('heading', 'On papr');
    expect(reader.clicks).toBe(0);
    await reader.click('textbox', 'Title');
    await reader.press('End', 'Backspace');
    await reader.type('er');
    await reader.click('button', 'Publish');
    await reader.announced('On paper is published.');
    expect(await stories('On paper')).toHaveLength(1);
    expect(reader.clicks).toBeLessThanOrEqual(3);
  });

  test('a record is scheduled: 2 clicks', async () => {
    const { id } = await send('POST /api/v1/admin/cms/stories', { title: 'In spring' });
    const reader = await open(`/content/stories/${id}`);
    await reader.click('button', 'Schedule');
    await reader.has('dialog', 'Schedule', { modal: true });
    await reader.page.getByLabel('Date and time').fill('2999-01-01T10:00');
    await reader.click('button', 'Set the time');
    await reader.announced('In spring gets the status');
    expect(reader.clicks).toBeLessThanOrEqual(2);
  });

  test('an earlier version is restored: 4 clicks', async () => {
    const { id } = await send('POST /api/v1/admin/cms/stories', { title: 'On glue', text: 'White and grey' });
    await send(`PUT /api/v1/admin/cms/stories/${id}`, { text: 'White and black' });
    const reader = await open(`/content/stories/${id}`);
    await reader.click('button', 'Revisions');
    const revisions = reader.page.getByRole('region', { name: 'Revisions', exact: true });
    await revisions.getByRole('button', { name: /^Revision 1/ }).click();
    reader.clicks += 1;
    await reader.click('button', 'Restore', revisions);
    await reader.has('dialog', /^Restore revision/, { modal: true });
    await reader.click('button', 'Restore', reader.page.getByRole('dialog', { name: /^Restore revision/ }));
    await reader.announced('Revision 1 is restored.');
    expect((await send(`GET /api/v1/admin/cms/stories/${id}`)).text).toBe('White and grey');
    expect(reader.clicks).toBeLessThanOrEqual(4);
  });

  test('a field is added to a type: 3 clicks', async () => {
    const fields = [{ name: 'title', field_type: 'text' }];
    await send('POST /api/v1/admin/content-types', { name: 'Gadget', singular: 'gadget', plural: 'gadgets', fields });
    const reader = await open('/types/gadget');
    await reader.click('button', 'Add field');
    // By its first letter.
    await reader.page.locator('[role="menu"]:focus, [role="menu"] :focus').first().waitFor();
    await reader.has('button', 'Add field', { expanded: true });
    await reader.press('y');
    await reader.focused('menuitem', 'Yes or no');
    await reader.press('Enter');
    await reader.focused('textbox', 'Field name');
    await reader.type('open');
    const effects = reader.page.getByRole('region', { name: 'What will happen' });
    await effects.getByText('open', { exact: false }).first().waitFor();
    await reader.click('button', 'Apply changes', effects);
    await reader.click('button', 'Apply changes', reader.page.getByRole('dialog'));
    await becomes(
      async () =>
        (await send('GET /api/v1/admin/content-types/gadget')).definition.fields.map(
          ({ name }: { readonly name: string }) => name,
        ),
      ['title', 'open'],
    );
    expect(reader.clicks).toBeLessThanOrEqual(3);
  });

  test('a list is put into another order: 1 drag', async () => {
    for (const title of ['One', 'Two', 'Three']) await admin.service.seed('steps', { title });
    const reader = await open('/content/steps');
    const row = (name: RegExp) => reader.page.getByRole('row', { name });
    await reader.find('link', 'Three');
    await row(/Three/).dragTo(row(/One/));
    await reader.announced('Three is now number 1.');
  });

  test('ten comments are approved: 2 clicks', async () => {
    await send('POST /api/v1/posts', { title: 'A post', slug: 'a-post', status: 'Published', content: '<p>Text</p>' });
    for (let at = 0; at < 10; at += 1)
      await send('POST /api/v1/posts/a-post/comments', { content: `What ${at} says.`, nickname: `Reader ${at}` });
    const reader = await open('/comments');
    await reader.find('article', 'Comment by Reader 9');
    await reader.has('checkbox', 'Select all', { checked: 'false' });
    await reader.click('checkbox', 'Select all');
    await reader.has('checkbox', 'Select all', { checked: 'true' });
    await reader.click('button', 'Approve', reader.page.getByRole('toolbar', { name: '10 comments selected' }));
    await reader.announced('10 comments approved.');
    expect(reader.clicks).toBeLessThanOrEqual(2);
  });

  test('twenty pictures are uploaded and described: 1 click', async () => {
    const reader = await open('/media');
    const names = Array.from({ length: 20 }, (_, at) => `tasks-${String(at + 1).padStart(2, '0')}.jpg`);
    await choose(reader, 'Upload', names);
    for (const [at, name] of names.entries()) {
      await reader.announced(`Picture ${at + 1} of 20: ${name}`);
      await reader.focused('textbox', `Alternative text of “${name}”`);
      await reader.type(`About ${name}`);
      await reader.press('Enter');
    }
    await reader.announced('All 20 pictures have alternative texts.');
    const { items } = await send(`GET /api/v1/admin/media?page_size=100&search=tasks`);
    expect(
      items.map(({ name, alt }: { readonly name: string; readonly alt: string }) => alt === `About ${name}`),
    ).toEqual(names.map(() => true));
    expect(reader.clicks).toBeLessThanOrEqual(21);
  }, 600_000);

  test('somebody is invited: 3 clicks', async () => {
    const reader = await open('/');
    await reader.click('link', 'Users');
    await reader.click('link', 'Invite');
    await reader.focused('textbox', 'Email');
    await reader.type('eve@example.org');
    await reader.click('button', 'Invite');
    await reader.find('heading', 'eve@example.org');
    expect(reader.clicks).toBeLessThanOrEqual(3);
  });
});
