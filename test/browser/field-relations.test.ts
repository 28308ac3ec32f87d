import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { authorType, openForm, saved, thingType } from './form-page.ts';

const hostile = '<b>Bo</b> & "Bea" \u202Egpj.exe';

describe.skipIf(chromiumPath === undefined)(`relations in a form${skipReason}`, () => {
  let admin: Admin;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    const things = { relation_type: 'one_to_many', target: 'things', mapped_by: 'author' };
    admin = await Admin.open([
      { ...authorType, fields: [...authorType.fields, { name: 'things', field_type: 'relation', relation: things }] },
      thingType([
        {
          name: 'author',
          field_type: 'relation',
          required: true,
          relation: { relation_type: 'many_to_one', target: 'authors' },
        },
        { name: 'keeper', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'users' } },
        { name: 'reviewers', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'authors' } },
      ]),
    ]);
    await admin.account('ada');
    const names = [
      ...Array.from({ length: 60 }, (_, index) => `Writer ${index}`),
      'Ines Ferreira',
      'Ines Okafor',
      hostile,
    ];
    for (const name of names) ids.set(name, (await admin.service.seed('authors', { name })).id);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('the other side of a relation says that it has no record yet', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/authors/new' });
    await page.locator('[data-path="things"]').getByText('None yet.').waitFor();
  });

  test('several, added, ordered and removed by keyboard, with hostile names as text', async () => {
    const page = await openForm(admin);
    await page.getByRole('combobox', { name: 'Author', exact: true }).click();
    await page.getByRole('option').first().click();
    const reviewers = page.getByRole('combobox', { name: 'Reviewers', exact: true });
    const chosen = page.getByRole('list').filter({ has: page.getByRole('link', { name: 'Ines Okafor' }) });
    for (const [search, name] of [
      ['okafor', 'Ines Okafor'],
      ['bea', hostile],
      ['ferreira', 'Ines Ferreira'],
    ] as const) {
      await reviewers.fill(search);
      await page.getByRole('option', { name, exact: true }).waitFor();
      await page.getByRole('status').filter({ hasText: '1 record found' }).waitFor({ state: 'attached' });
      await reviewers.press('Enter');
      // What is said about it has no marks that would turn it around.
      await page.getByRole('button', { name: `Remove ${name.replace('\u202E', '')}`, exact: true }).waitFor();
    }
    expect(await chosen.getByRole('link').allInnerTexts()).toEqual(['Ines Okafor', hostile, 'Ines Ferreira']);
    await page.getByRole('button', { name: 'Move Ines Ferreira: drag' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await page
      .getByRole('status')
      .filter({ hasText: 'Ines Ferreira moved to place 1 of 3.' })
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Move down: Ines Okafor' }).press('Enter');
    await page.getByRole('button', { name: 'Remove Ines Okafor' }).press('Enter');
    expect((await saved(admin, page)).reviewers).toEqual([ids.get('Ines Ferreira'), ids.get(hostile)]);
  });

  test('several, ordered by dragging', async () => {
    const reviewers = ['Ines Okafor', 'Ines Ferreira', 'Writer 1'];
    const { id } = await admin.service.seed('things', {
      title: 'Dragged',
      author: ids.get('Writer 1'),
      reviewers: reviewers.map((name) => ids.get(name)),
    });
    const page = await openForm(admin, id);
    const handle = page.getByRole('button', { name: 'Move Writer 1: drag' });
    const target = await page.getByRole('link', { name: 'Ines Okafor' }).boundingBox();
    await handle.hover();
    await page.mouse.down();
    await page.mouse.move(target?.x ?? 0, (target?.y ?? 0) + 2, { steps: 5 });
    await page.mouse.up();
    expect((await saved(admin, page)).reviewers).toEqual(
      ['Writer 1', 'Ines Okafor', 'Ines Ferreira'].map((name) => ids.get(name)),
    );
  });

  test('a record that is missing yet is created in a drawer', async () => {
    const page = await openForm(admin);
    await page.getByRole('button', { name: 'New Author' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'New Author' });
    await drawer.getByRole('button', { name: 'Create Author' }).click();
    await drawer.getByRole('link', { name: 'name' }).click();
    await page.keyboard.type('Newly Made');
    await drawer.getByRole('button', { name: 'Create Author' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Author', exact: true }).inputValue()).toBe('Newly Made');
    const { author } = await saved(admin, page);
    const made = await admin.service.send(`GET /api/v1/admin/cms/authors/${author}`, { as: 'ada' });
    expect(made.json.name).toBe('Newly Made');
  });

  test('a name that nobody has goes on into the drawer, whose keys save it and not the form beneath', async () => {
    const page = await openForm(admin);
    await page.getByLabel('Title', { exact: true }).fill('Beneath');
    const author = page.getByRole('combobox', { name: 'Author', exact: true });
    await author.fill('Nobody Yet');
    await page.getByText('Nothing found').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'New Author' });
    const name = drawer.getByLabel('Name', { exact: true });
    await name.waitFor();
    expect(await name.inputValue()).toBe('Nobody Yet');
    await name.press('End');
    await page.keyboard.type(' Else');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
    });
    await page.keyboard.press('Control+s');
    await drawer.waitFor({ state: 'detached' });
    expect(await author.inputValue()).toBe('Nobody Yet Else');
    expect(sent.filter((path) => path.endsWith('/cms/things'))).toEqual([]);
    // What was typed for a record that was chosen after all does not come back.
    await page.getByRole('button', { name: 'New Author' }).first().click();
    await name.waitFor();
    expect(await name.inputValue()).toBe('');
  });

  test('an answer that comes late does not take the place of a newer one, and Enter waits for it', async () => {
    const page = await openForm(admin);
    const author = page.getByRole('combobox', { name: 'Author', exact: true });
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    admin.intercept = async (request) => {
      if (!/search=writer/.test(request.url)) return undefined;
      await held;
      return undefined;
    };
    await author.fill('writer');
    await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'attached' });
    await author.press('Enter');
    expect(await author.inputValue()).toBe('writer');
    await author.fill('okafor');
    await page.getByRole('option', { name: 'Ines Okafor' }).waitFor();
    release();
    admin.intercept = undefined;
    await author.press('Enter');
    expect(await author.inputValue()).toBe('Ines Okafor');
  });

  test('Enter right after the last letter picks what is found, also when the field is left before the answer', async () => {
    const page = await openForm(admin);
    const author = page.getByRole('combobox', { name: 'Author', exact: true });
    await author.fill('ferreir');
    await page.getByRole('option', { name: 'Ines Ferreira' }).waitFor();
    let asked = Promise.withResolvers<void>();
    let answer = Promise.withResolvers<void>();
    admin.intercept = async (request) => {
      if (!/cms\/authors\?/.test(request.url) || request.url.includes('filter=')) return undefined;
      asked.resolve();
      await answer.promise;
      return undefined;
    };
    await author.fill('okafor');
    await author.press('Enter');
    await asked.promise;
    // Neither what was found for the text before, nor nothing.
    expect(await author.inputValue()).toBe('okafor');
    answer.resolve();
    await page.getByRole('link', { name: 'Open Ines Okafor' }).waitFor();
    expect(await author.inputValue()).toBe('Ines Okafor');

    asked = Promise.withResolvers<void>();
    answer = Promise.withResolvers<void>();
    await author.fill('writer 17');
    await author.press('Enter');
    await author.press('Tab');
    await asked.promise;
    answer.resolve();
    await page.getByRole('link', { name: 'Open Writer 17' }).waitFor();

    // What an arrow key has marked is picked at once, though it is of the text before.
    await author.fill('writer');
    await page.getByRole('option').nth(1).waitFor();
    const second = await page.getByRole('option').nth(1).innerText();
    asked = Promise.withResolvers<void>();
    answer = Promise.withResolvers<void>();
    await author.fill('writer ');
    await asked.promise;
    await author.press('ArrowDown');
    await author.press('Enter');
    expect(await author.inputValue()).toBe(second);
    answer.resolve();
    expect((await saved(admin, page)).author).toBe(ids.get(second));

    // Nothing typed names nobody.
    asked = Promise.withResolvers<void>();
    answer = Promise.withResolvers<void>();
    await author.fill('');
    await author.press('Enter');
    await asked.promise;
    answer.resolve();
    await page.getByRole('option', { name: 'Writer 1', exact: true }).waitFor();
    expect(await author.inputValue()).toBe('');

    // What is marked stays marked when the answer comes, and a name that nobody has is reported.
    await author.fill('ines');
    await page.getByRole('option', { name: 'Writer 1', exact: true }).waitFor({ state: 'detached' });
    const last = await page.getByRole('option').nth(1).innerText();
    asked = Promise.withResolvers<void>();
    answer = Promise.withResolvers<void>();
    await author.fill('ines ');
    await asked.promise;
    await author.press('ArrowDown');
    answer.resolve();
    await page.getByRole('status').filter({ hasText: '2 records found' }).waitFor({ state: 'attached' });
    await author.press('Enter');
    expect(await author.inputValue()).toBe(last);
    asked = Promise.withResolvers<void>();
    answer = Promise.withResolvers<void>();
    await author.fill('nobody at all');
    await author.press('Enter');
    await author.press('Tab');
    await asked.promise;
    answer.resolve();
    await page.getByText('nobody at all: Nothing found').waitFor();
    expect(await author.inputValue()).toBe(last);
    admin.intercept = undefined;
  });

  test('a record that was renamed meanwhile is shown by its new name', async () => {
    const { id: author } = await admin.service.seed('authors', { name: 'Before' });
    const { id } = await admin.service.seed('things', { title: 'Renaming', author });
    const page = await openForm(admin, id);
    await page.getByRole('link', { name: 'Open Before' }).click();
    await page.getByLabel('Name', { exact: true }).fill('After');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Open After' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Author', exact: true }).inputValue()).toBe('After');
  });

  test('accounts are found and named as records are', async () => {
    await admin.service.account('edith', 'editor');
    const body = { display_name: 'Edith Keeper' };
    expect((await admin.service.send('PUT /api/v1/auth/me', { as: 'edith', body })).status).toBe(200);
    const { id } = await admin.service.seed('things', { title: 'Kept', author: ids.get('Ines Ferreira') });
    const page = await openForm(admin, id);
    const keeper = page.getByRole('combobox', { name: 'Keeper', exact: true });
    await keeper.fill('edith');
    await keeper.press('Enter');
    await page.getByRole('link', { name: 'Open Edith Keeper' }).waitFor();
    expect((await saved(admin, page)).keeper).toBe(admin.service.idOf('edith'));
    await page.reload();
    await page.getByRole('link', { name: 'Open Edith Keeper' }).click();
    await page.waitForURL(`**/admin/users/${admin.service.idOf('edith')}`);
    // Editors may not list accounts: they see what a profile shows, and choose themselves.
    const own = await admin.page({ as: 'edith', path: `/content/things/${id}` });
    const mine = own.getByRole('combobox', { name: 'Keeper', exact: true });
    await own.waitForFunction(
      (keeper) => keeper instanceof HTMLInputElement && keeper.value === 'Edith Keeper',
      await mine.elementHandle(),
    );
    await own.getByText('You can choose yourself. Admins choose other users.').waitFor();
    await own.getByRole('button', { name: 'Remove Edith Keeper' }).click();
    await mine.fill('ada');
    await own.getByText('Nothing found').first().waitFor();
    await mine.fill('keep');
    await own.getByRole('option', { name: /^Edith Keeper/ }).click();
    await own.getByRole('button', { name: 'Remove Edith Keeper' }).waitFor();
    await admin.service.send(`PUT /api/v1/admin/cms/things/${id}`, {
      as: 'ada',
      body: { keeper: admin.service.idOf('ada') },
    });
    await own.goto(`/admin/content/things/${id}`);
    await own.getByRole('button', { name: `Remove User …${admin.service.idOf('ada').slice(-8)}` }).waitFor();
  });
});
