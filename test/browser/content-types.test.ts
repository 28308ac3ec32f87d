import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { closeBy } from './dialogs.ts';
import { Keys } from './keys.ts';

const title = { name: 'title', field_type: 'text', required: true, max_length: 200 };

describe.skipIf(skipsLooks)(`content types${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([{ name: 'Article', singular: 'article', plural: 'articles', fields: [title] }]);
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object) => {
    const { status, json, text } = await admin.service.send(line, { as: 'ada', ...(body && { body }) });
    if (status >= 300) throw new Error(`${line}: ${text}`);
    return json;
  };
  const root = '/api/v1/admin/content-types';
  const definitionOf = async (singular: string) => (await send(`GET ${root}/${singular}`)).definition;

  /** A type of its own for a test, opened in the builder. */
  async function opened(singular: string, more: object = {}): Promise<Page> {
    const fields = [title, { name: 'views', field_type: 'integer' }];
    await send(`POST ${root}`, { name: singular, singular, plural: `${singular}s`, fields, ...more });
    const page = await admin.page({ as: 'ada', path: `/types/${singular}` });
    await page.getByRole('list', { name: 'Fields' }).waitFor();
    return page;
  }

  const effects = (page: Page) => page.getByRole('region', { name: 'What will happen' });

  async function apply(page: Page, name: string | RegExp = 'Apply changes'): Promise<void> {
    await effects(page).getByRole('button', { name }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  async function addField(page: Page, type: string, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add field' }).first().click();
    await page.getByRole('menuitem', { name: type, exact: true }).click();
    await page.getByLabel('Field name').last().fill(name);
  }

  test('the list shows where each is defined, and those of files are read only', async () => {
    const page = await admin.page({ as: 'ada', path: '/types' });
    await page.getByRole('row').filter({ hasText: 'Article' }).getByText('File definition-1').waitFor();
    await page.getByRole('link', { name: 'Article', exact: true }).click();
    await page.getByText('This type is defined in definition-1.').waitFor();
    expect(await page.getByRole('button', { name: 'Add field' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Apply changes' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Edit title' }).click();
    expect(await page.getByLabel('Field name').isDisabled()).toBe(true);
    expect(await page.getByLabel('Longest length').inputValue()).toBe('200');
  });

  test('fields are moved, removed and brought back, and what happens is said before', async () => {
    const page = await opened('gadget');
    await page.getByRole('button', { name: 'Move up: views' }).click();
    await effects(page).getByText('Nothing changes in what is stored or served.').waitFor();
    await page.getByRole('button', { name: 'Remove title' }).click();
    await effects(page).getByText('The field "title" is no longer served; its values stay stored.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove title' }).waitFor();
    await addField(page, 'Yes or no', 'open');
    await page.getByText('More options').click();
    await page.getByLabel('Default', { exact: true }).selectOption('Yes');
    await effects(page).getByText('The field "open" is added, and existing records get its default.').waitFor();
    expect((await definitionOf('gadget')).fields).toHaveLength(2);
    await apply(page);
    await effects(page).getByText('Nothing is changed yet.').waitFor();
    expect((await definitionOf('gadget')).fields).toEqual([
      { name: 'views', field_type: 'integer' },
      title,
      { name: 'open', field_type: 'boolean', default: true },
    ]);
  });

  test('a field is dragged to another place, and its options stay open', async () => {
    const page = await opened('contraption');
    await page.getByRole('button', { name: 'Edit views' }).click();
    const fields = page.getByRole('list', { name: 'Fields' });
    const target = await fields.getByRole('listitem').first().boundingBox();
    await page.getByRole('button', { name: 'Move views: drag' }).hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 4, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('status').getByText('views moved to place 1 of 2.').waitFor();
    expect(await page.getByLabel('Field name').inputValue()).toBe('views');
    await apply(page);
    await effects(page).getByText('Nothing is changed yet.').waitFor();
    expect((await definitionOf('contraption')).fields).toEqual([{ name: 'views', field_type: 'integer' }, title]);
  });

  test('a change is checked once, also when the type is read again', async () => {
    const page = await opened('checker');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).search}`));
    const checks = () => sent.filter((line) => line === 'PUT ?dry_run=true').length;
    await page.getByRole('button', { name: 'Edit views' }).click();
    await page.getByRole('button', { name: 'Move views: drag' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('status').getByText('views moved to place 1 of 2.').waitFor();
    const button = effects(page).getByRole('button', { name: 'Apply changes', disabled: false });
    await button.waitFor();
    expect(checks()).toBe(1);
    // Read anew once it is a while old, as when the page is looked at again.
    const read = page.waitForResponse((response) => response.url().endsWith(`${root}/checker`));
    const again = setInterval(() => void page.evaluate(`dispatchEvent(new Event('online'))`).catch(() => {}), 200);
    await (await read).finished();
    clearInterval(again);
    await apply(page);
    expect(checks()).toBe(1);
  });

  test('kinds of blocks are moved by keyboard and by dragging, removed and brought back', async () => {
    const kind = (name: string) => ({ name, fields: [{ name: 'text', field_type: 'text' }] });
    const body = { name: 'body', field_type: 'blocks', blocks: [kind('quote'), kind('image'), kind('rule')] };
    const page = await opened('pamphlet', { fields: [title, body] });
    await page.getByRole('button', { name: 'Edit body' }).click();
    const kinds = page.getByRole('list', { name: 'Blocks' });
    const names = () =>
      kinds
        .getByLabel('Block name')
        .evaluateAll((all) => all.map((input) => (input as unknown as { value: string }).value));
    const said = (text: string) => page.getByRole('status').getByText(text).waitFor();
    // What is open inside goes with it.
    await kinds.getByRole('group', { name: 'quote' }).getByRole('button', { name: 'Edit text' }).click();
    await page.getByRole('button', { name: 'Move rule: drag' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await said('rule moved to place 2 of 3.');
    expect(await page.getByRole('button', { name: 'Move rule: drag' }).and(page.locator(':focus')).count()).toBe(1);
    await page.getByRole('button', { name: 'Move down: quote' }).focus();
    await page.keyboard.press('Enter');
    await said('quote moved to place 2 of 3.');
    expect(await names()).toEqual(['rule', 'quote', 'image']);
    expect(await kinds.getByRole('group', { name: 'quote' }).getByLabel('Field name').inputValue()).toBe('text');
    expect(await kinds.getByLabel('Field name').count()).toBe(1);

    await kinds.getByRole('group', { name: 'quote' }).getByRole('button', { name: 'Edit text' }).click();
    await page.getByRole('button', { name: 'Move image: drag' }).hover();
    const target = await kinds.getByRole('group', { name: 'rule' }).boundingBox();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 4, { steps: 5 });
    await page.mouse.up();
    await said('image moved to place 1 of 3.');
    await page.getByRole('button', { name: 'Remove rule' }).click();
    expect(await names()).toEqual(['image', 'quote']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await kinds.getByRole('group', { name: 'rule' }).waitFor();
    await apply(page);
    await effects(page).getByText('Nothing is changed yet.').waitFor();
    const stored = (await definitionOf('pamphlet')).fields[1].blocks;
    expect(stored.map(({ name }: { name: string }) => name)).toEqual(['image', 'rule', 'quote']);
  });

  test('errors of the checker stand at their place while one types, and lead there', async () => {
    const page = await opened('widget');
    await addField(page, 'Text', 'Not a name');
    await page.getByLabel('Field name').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await effects(page).getByRole('button', { name: 'Apply changes' }).isDisabled()).toBe(true);
    await page.getByLabel('Field name').fill('note');
    await page.getByRole('tab', { name: 'Access and rules' }).click();
    const rule = page.getByRole('region', { name: 'List records' }).getByLabel('Rule');
    await rule.pressSequentially('titel = 1');
    await page.locator('textarea[aria-invalid=true]').waitFor();
    // Of all that was typed, and not of a part.
    await effects(page).getByRole('listitem').filter({ hasText: 'title' }).waitFor();
    await page.getByRole('tab', { name: 'Fields', exact: true }).click();
    await effects(page).getByRole('button', { name: 'Access and rules' }).click();
    await rule.and(page.locator(':focus')).waitFor();
    await rule.fill('title != null');
    await effects(page).getByText('Access, rules or caching of the endpoints change.').waitFor();
    await apply(page);
    expect(await definitionOf('widget')).toMatchObject({ api: { list: { filter: 'title != null' } } });
  });

  test('errors of a fresh field wait until its controls were left', async () => {
    const page = await opened('gewgaw');
    const name = page.getByLabel('Field name');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('menuitem', { name: 'Relation', exact: true }).click();
    await name.and(page.locator(':focus')).waitFor();
    await effects(page).getByText('Finish what you added').waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    // What was left empty is.
    await page.keyboard.press('Tab');
    await name.and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('Name is empty').first().waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    await name.fill('maker');
    await effects(page).getByText('Finish what you added').waitFor();
    // An attempt to go on shows the rest, and leads there.
    await effects(page).getByRole('button', { name: 'Apply changes' }).click();
    const target = page.getByRole('combobox', { name: 'Content type' });
    await target.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await target.selectOption('Articles');
    await effects(page).getByText('The field "maker" is added.').waitFor();
  });

  test('an error in a field that is closed leads into it', async () => {
    const fields = [title, { name: 'seo', field_type: 'group', fields: [{ name: 'words', field_type: 'text' }] }];
    const page = await opened('knickknack', { fields });
    await page.getByRole('button', { name: 'Edit seo' }).click();
    await page.getByRole('button', { name: 'Edit words' }).click();
    await page.getByLabel('Longest length').fill('-1');
    await page.getByLabel('Longest length').blur();
    await effects(page).getByText('1 error').waitFor();
    await page.getByRole('button', { name: 'Edit seo' }).click();
    expect(await page.getByLabel('Longest length').count()).toBe(0);
    await page.getByRole('tab', { name: 'Display' }).click();
    await effects(page).getByRole('button', { name: 'Fields › seo › words' }).click();
    await page.getByLabel('Longest length').and(page.locator(':focus')).waitFor();
  });

  test('what another name does to what is stored is said beside it', async () => {
    const page = await opened('bauble');
    await page.getByRole('button', { name: 'Edit views' }).click();
    const said = page.getByText('What is stored as "views" stays stored');
    await page.getByLabel('Field name').fill('visits');
    await said.waitFor();
    await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('Large whole number');
    expect(await said.count()).toBe(1);
    await page.getByLabel('Field name').fill('views');
    expect(await said.count()).toBe(0);
    // Nothing is stored of a new one.
    await addField(page, 'Text', 'note');
    await page.getByLabel('Field name').fill('notes');
    expect(await page.getByText('stays stored').count()).toBe(0);
  });

  test('a removal is not undone in a draft that has begun anew', async () => {
    const page = await opened('trifle');
    await page.getByRole('button', { name: 'Remove views' }).click();
    await effects(page).getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByRole('button', { name: 'Remove views' }).count()).toBe(1);
    await effects(page).getByText('Nothing is changed yet.').waitFor();
    // The JSON follows too.
    await page.getByRole('tab', { name: 'As JSON' }).click();
    await page
      .getByLabel('Definition')
      .fill(JSON.stringify({ singular: 'trifle', plural: 'trifles', fields: [title] }));
    await effects(page).getByText('no longer served').waitFor();
    await effects(page).getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByLabel('Definition').inputValue()).toContain('views');
  });

  test('a field has a label for the readers of each language', async () => {
    const page = await opened('keepsake');
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByLabel('Label', { exact: true }).fill('Headline');
    await page.getByText('More options').click();
    await page.getByLabel('Label in German').fill('Schlagzeile');
    await apply(page);
    expect((await definitionOf('keepsake')).fields[0].label).toEqual({ en: 'Headline', de: 'Schlagzeile' });
    const german = await admin.page({ as: 'ada', path: '/content/keepsakes/new', language: 'de', own: true });
    await german.getByRole('textbox', { name: 'Schlagzeile' }).waitFor();
  });

  test('types, statuses, values, blocks, fields of protocols and parts of the form have texts in each language', async () => {
    const page = await opened('exhibit', {
      protocols: [
        'timestampable',
        { name: 'statusable', values: ['draft', 'shown'], value_labels: { draft: 'In the making' } },
      ],
      fields: [
        title,
        { name: 'size', field_type: 'enum', enum_values: ['s', 'l'] },
        { name: 'body', field_type: 'blocks', blocks: [{ name: 'quote', fields: [title] }] },
      ],
      admin: { list_columns: ['title', 'status', 'size', 'created_at'] },
    });
    const texts = (name: string) => page.getByRole('group', { name, exact: true });
    await page.getByRole('button', { name: 'Edit size' }).click();
    await page.getByText('What people read for the values').click();
    await texts('s').getByLabel('English').fill('Small');
    await texts('s').getByLabel('German').fill('Klein');
    await texts('l').getByLabel('German').fill('Groß');
    await page.getByRole('button', { name: 'Edit body' }).click();
    await texts('quote').getByLabel('Label', { exact: true }).fill('Quotation');
    await texts('Quotation').getByLabel('Label in German').fill('Zitat');
    await page.getByRole('tab', { name: 'Behaviour' }).click();
    await page.getByText('What people read for the statuses').click();
    await texts('Draft').getByLabel('German').fill('In Arbeit');
    await texts('Shown').getByLabel('French').fill('Exposé');
    await page.getByRole('tab', { name: 'Display' }).click();
    await page.getByRole('textbox', { name: 'Section of the navigation' }).fill('Museum');
    await page.getByText('What people read for the type').click();
    await texts('One record').getByLabel('German').fill('Exponat');
    await texts('A list of records').getByLabel('German').fill('Exponate');
    await texts('Section of the navigation').getByLabel('German').fill('Haus');
    await page.getByText('What people read for fields of the behaviour').click();
    await texts('Created').getByLabel('German').fill('Aufgenommen');
    await page.getByRole('button', { name: 'Add part' }).click();
    await page.getByLabel('Heading', { exact: true }).fill('Facts');
    await page.getByLabel('Heading in German').fill('Angaben');
    await page.getByRole('combobox', { name: 'Place' }).selectOption('At the side');
    await texts('Fields of Facts').getByLabel('size').check();
    await apply(page);
    const { fields, protocols, admin: hints } = await definitionOf('exhibit');
    expect(fields[1].value_labels).toEqual({ s: { en: 'Small', de: 'Klein' }, l: { de: 'Groß' } });
    expect(fields[2].blocks[0].label).toEqual({ en: 'Quotation', de: 'Zitat' });
    expect(protocols[1].value_labels).toEqual({
      draft: { en: 'In the making', de: 'In Arbeit' },
      shown: { fr: 'Exposé' },
    });
    expect(hints).toEqual({
      list_columns: ['title', 'status', 'size', 'created_at'],
      section: { en: 'Museum', de: 'Haus' },
      label: { de: 'Exponat' },
      plural_label: { de: 'Exponate' },
      labels: { created_at: { de: 'Aufgenommen' } },
      groups: [{ label: { en: 'Facts', de: 'Angaben' }, fields: ['size'], column: 'side' }],
    });

    await send('POST /api/v1/admin/cms/exhibits', { title: 'A press', size: 's' });
    const german = await admin.page({ as: 'ada', path: '/content/exhibits', language: 'de', own: true });
    const table = german.getByRole('table', { name: 'Exponate' });
    await table.getByText('In Arbeit', { exact: true }).waitFor();
    await table.getByText('Klein', { exact: true }).waitFor();
    await table.getByRole('columnheader', { name: 'Aufgenommen' }).waitFor();
    const navigation = german.getByRole('navigation', { name: 'Hauptmenü' });
    await navigation.getByRole('heading', { name: 'Haus' }).waitFor();
    await table.getByRole('link', { name: 'A press' }).click();
    await german.getByRole('heading', { name: 'Angaben' }).waitFor();
    await german.getByRole('button', { name: 'Zitat' }).first().waitFor();
  });

  test('a field stands in one part of the form, and a removed part comes back', async () => {
    const page = await opened('ledger', {
      admin: {
        groups: [
          { label: 'First', fields: ['title'] },
          { label: 'Second', fields: ['views'] },
        ],
      },
    });
    await page.getByRole('tab', { name: 'Display' }).click();
    const fieldsOf = (name: string) => page.getByRole('group', { name: `Fields of ${name}` });
    await fieldsOf('Second').getByLabel('title').check();
    expect(await fieldsOf('First').getByLabel('title').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Move up: Second' }).click();
    await page.getByRole('button', { name: 'Remove First' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await apply(page);
    expect((await definitionOf('ledger')).admin.groups).toEqual([
      { label: 'Second', fields: ['views', 'title'] },
      { label: 'First', fields: [] },
    ]);
  });

  test('a new type can refer to itself', async () => {
    const page = await admin.page({ as: 'ada', path: '/types/new' });
    await page.getByLabel('Name', { exact: true }).fill('Chapter');
    await addField(page, 'Relation', 'next');
    await page.getByRole('combobox', { name: 'Content type' }).selectOption('Chapter');
    await apply(page, 'Create type');
    await page.getByRole('heading', { level: 1, name: 'Chapter' }).waitFor();
    await page.getByRole('link', { name: 'Open the records' }).click();
    await page.getByRole('heading', { level: 1, name: 'Chapters' }).waitFor();
  });

  test('what somebody else changed meanwhile is not overwritten', async () => {
    const page = await opened('sprocket');
    await addField(page, 'Date', 'day');
    await effects(page).getByText('The field "day" is added.').waitFor();
    await send(`PUT ${root}/sprocket`, { singular: 'sprocket', plural: 'sprockets', name: 'Theirs', fields: [title] });
    await apply(page);
    await page.getByText('Somebody has changed this type since you opened it.').waitFor();
    expect(await definitionOf('sprocket')).toMatchObject({ name: 'Theirs' });
    await effects(page).getByRole('button', { name: 'Discard changes' }).click();
    await effects(page).getByText('Nothing is changed yet.').waitFor();
  });

  test('the whole definition is edited as JSON', async () => {
    const page = await opened('gizmo');
    await page.getByRole('tab', { name: 'As JSON' }).click();
    const text = page.getByLabel('Definition');
    await text.fill('{ "singular": "gizmo", ');
    await page.getByText('This is not JSON').waitFor();
    // It is there again after another tab, holds up the rest, and goes by discarding.
    await page.getByRole('tab', { name: 'Fields', exact: true }).click();
    await effects(page).getByText('is no JSON yet').waitFor();
    expect(await effects(page).getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'As JSON' }).click();
    expect(await text.inputValue()).toBe('{ "singular": "gizmo", ');
    await effects(page).getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('This is not JSON').waitFor({ state: 'detached' });
    expect(JSON.parse(await text.inputValue())).toMatchObject({ singular: 'gizmo' });
    await text.fill(JSON.stringify({ singular: 'gizmo', plural: 'gizmos', fields: [title], description: 'Small.' }));
    await effects(page).getByText('no longer served').waitFor();
    await page.getByRole('tab', { name: 'Fields', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Edit views' }).count()).toBe(0);
  });

  test('a type is deleted after its effects are said', async () => {
    const page = await opened('doodad');
    await page.getByRole('button', { name: 'Delete type' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete "doodad"?' });
    await dialog.getByText('Its records stay stored').waitFor();
    await dialog.getByRole('button', { name: 'Delete type' }).click();
    await page.getByRole('heading', { level: 1, name: 'Content types' }).waitFor();
    expect((await admin.service.send(`GET ${root}/doodad`, { as: 'ada' })).status).toBe(404);
  });

  test('the API of a type is tried, with its curl and its client line', async () => {
    const page = await opened('trinket', { api: { create: { access: 'member' } } });
    await page.getByRole('tab', { name: 'API' }).click();
    await page.getByLabel('Call').selectOption('Create records');
    await page.getByLabel('Body').fill(JSON.stringify({ title: "It's <b>bold</b>" }));
    const curl = await page.getByRole('group', { name: 'curl' }).textContent();
    expect(curl).toContain(`${admin.url}/api/v1/cms/trinkets`);
    expect(curl).toContain(String.raw`It'\''s`);
    expect(await page.getByRole('group', { name: 'Client' }).textContent()).toStartWith('await recto.trinkets.create(');
    await page.getByRole('button', { name: 'Send' }).click();
    await closeBy(page.getByRole('dialog'), 'Send');
    await page.getByText('Status 201').waitFor();
    await page.getByLabel('As', { exact: true }).selectOption('Not signed in');
    await page.getByRole('button', { name: 'Send' }).click();
    await closeBy(page.getByRole('dialog'), 'Send');
    await page.getByText('Status 401').waitFor();
    await page.getByLabel('Call').selectOption('List records');
    await page.getByLabel('Parameters').fill('filter=title ~ "It%"');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Status 200').waitFor();
    expect(await page.getByRole('group', { name: 'Response' }).textContent()).toContain("It's <b>bold</b>");
  });

  test('by keyboard alone: a field is added, named, moved and applied', async () => {
    const page = await opened('thingy');
    const keys = new Keys(page);
    await keys.menu('Add field');
    await keys.press('y');
    await page.getByRole('menuitem', { name: 'Yes or no', exact: true }).and(page.locator(':focus')).waitFor();
    await keys.press('Enter');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('open');
    await page.getByRole('button', { name: 'Move up: open' }).focus();
    // What is checked last has the field before all others; until then nothing can be applied.
    const checked = page.waitForResponse(
      (response) =>
        response.url().includes('dry_run') && /"fields":\[\{[^{}]*"open"/.test(response.request().postData() ?? ''),
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await checked;
    await effects(page).getByText('The field "open" is added.').waitFor();
    await effects(page).getByRole('button', { name: 'Apply changes', disabled: false }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply changes' }).press('Enter');
    await effects(page).getByText('Nothing is changed yet.').waitFor();
    const { fields } = await definitionOf('thingy');
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(['open', 'title', 'views']);
  });
});
