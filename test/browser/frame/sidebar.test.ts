import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { go } from './magazine.ts';

const title = { name: 'title', field_type: 'text' };
const type = (singular: string, plural: string, admin?: object) => ({ singular, plural, fields: [title], admin });
const types = [
  type('recipe', 'recipes', { section: 'Kitchen', icon: 'heart', color: 'orange' }),
  type('dish', 'dishes', { section: 'Kitchen', icon: 'pot' }),
  type('note', 'notes'),
  type('counter', 'counters', { hidden: true }),
  {
    ...type('story', 'stories'),
    protocols: [{ name: 'statusable', values: ['draft', 'published'], schedule: 'published' }],
  },
];

describe.skipIf(skipsLooks)(`the sidebar${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open(types, { settings: { siteName: 'The Recto Review' } });
    await admin.account('ada', 'admin');
    const post = { title: 'On paper', content: '<p>Paper</p>', status: 'Published' };
    const { json } = await admin.service.send('POST /api/v1/posts', { as: 'ada', body: post });
    for (const content of ['Fine.', 'Which mill?'])
      await admin.service.send(`POST /api/v1/posts/${json.slug}/comments`, { body: { content, nickname: 'Ruth' } });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('types stand below the section that they name, with their picture and colour, and hidden ones are left out', async () => {
    const page = await admin.page({ as: 'ada' });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Recipes' }).waitFor();
    const groups = await navigation.evaluate((nav) =>
      [...nav.querySelectorAll('h2')].map((heading) => [
        heading.textContent,
        [...(heading.nextElementSibling?.querySelectorAll('a > span[dir]') ?? [])].map((label) => label.textContent),
      ]),
    );
    expect(groups.slice(0, 2)).toEqual([
      [
        'Content',
        ['Categories', 'Notes', 'Pages', 'Posts', 'Stories', 'Media', 'Comments', 'Calendar', 'Releases', 'Dead links'],
      ],
      ['Kitchen', ['Dishes', 'Recipes']],
    ]);
    const pictures = await navigation.evaluate((nav) =>
      ['Recipes', 'Dishes', 'Notes'].map((label) => {
        const link = [...nav.querySelectorAll('a')].find((each) => each.textContent?.includes(label));
        const picture = link?.querySelector('svg');
        return [
          picture?.getAttribute('class')?.split(' ')[0],
          picture && getComputedStyle(picture).color === getComputedStyle(link as Element).color,
        ];
      }),
    );
    expect(pictures).toEqual([
      ['heart', false],
      ['document', true],
      ['document', true],
    ]);
  });

  test('how many comments wait is said beside their link, and is current after one is decided on', async () => {
    const page = await admin.page({ as: 'ada' });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const link = navigation.getByRole('link', { name: 'Comments 2 waiting' });
    await link.waitFor();
    await link.click();
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await navigation.getByRole('link', { name: 'Comments 1 waiting' }).waitFor();
  });

  test('how many records are scheduled is said beside their type, and is current after another one is', async () => {
    const later = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString();
    const story = { title: 'Ink', scheduled_at: later };
    const { json } = await admin.service.send('POST /api/v1/admin/cms/stories', { as: 'ada', body: story });
    await admin.service.send('POST /api/v1/admin/cms/stories', { as: 'ada', body: { ...story, title: 'Paper' } });
    const page = await admin.page({ as: 'ada' });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const link = navigation.getByRole('link', { name: 'Stories 2 scheduled' });
    await link.waitFor();
    // Nothing is scheduled of the others.
    expect(await navigation.getByText('scheduled').count()).toBe(1);
    await page.goto(`/admin/content/stories/${json.id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await navigation.getByRole('link', { name: 'Stories 1 scheduled' }).waitFor();
  });

  test('has the name of the site, which the title of the window has as well', async () => {
    const page = await admin.page({ as: 'ada' });
    await page.getByRole('link', { name: 'The Recto Review' }).waitFor();
    await page.waitForFunction(() => document.title === 'Home · The Recto Review');
  });

  test('"Search or go to" is not cut off, in any language', async () => {
    for (const language of ['en', 'de', 'fr']) {
      const page = await admin.page({ as: 'ada', language });
      const words = page.locator('.find span');
      await words.waitFor();
      expect(await words.evaluate((span) => span.scrollWidth - span.clientWidth)).toBeLessThanOrEqual(0);
    }
  });

  test('the section, picture and colour of a type are chosen in the type builder', async () => {
    const page = await admin.page({ as: 'ada' });
    await admin.service.send('POST /api/v1/admin/content-types', {
      ...{ as: 'ada', body: { name: 'Memo', ...type('memo', 'memos') } },
    });
    await go(page, '/types/memo');
    await page.getByRole('tab', { name: 'Display' }).click();
    await page.getByRole('textbox', { name: 'Section of the navigation' }).fill('Desk');
    await page.getByRole('combobox', { name: 'Picture', exact: true }).selectOption('flag');
    await page.getByRole('combobox', { name: 'Colour of the picture' }).selectOption('teal');
    await page.getByRole('region', { name: 'What will happen' }).getByRole('button', { name: 'Apply changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply changes' }).click();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('heading', { name: 'Desk' }).waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/content-types/memo', { as: 'ada' });
    expect(json.definition.admin).toEqual({ section: 'Desk', icon: 'flag', color: 'teal' });
  });
});
