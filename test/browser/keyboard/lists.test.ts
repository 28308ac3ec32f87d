import { Desk, hasFocus, heading, rowOf, withoutMouse } from './keyboard-tasks.ts';

const article = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  protocols: ['soft_deletable', { name: 'statusable', values: ['draft', 'published'], default: 'draft' }],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'reads', field_type: 'integer' },
  ],
};

async function open(): Promise<Desk> {
  const desk = await Desk.open([article]);
  for (let number = 1; number <= 60; number += 1)
    await desk.admin.service.seed('articles', { title: `Article ${String(number).padStart(2, '0')}`, reads: number });
  return desk;
}

withoutMouse('in a list', open, () => [
  {
    name: 'open a list',
    async run(keys, page) {
      await keys.link('Articles', page.getByRole('navigation', { name: 'Main' }));
      await page.getByRole('table', { name: 'Articles' }).waitFor();
    },
  },
  {
    name: 'search a list',
    at: '/content/articles',
    async run(keys, page) {
      await rowOf(page, 'Article 60').waitFor();
      await keys.press('/');
      await keys.type('Article 07');
      // Not what was found for a part of it.
      await rowOf(page, 'Article 07').waitFor();
      await rowOf(page, 'Article 06').waitFor({ state: 'detached' });
      await keys.press('ArrowDown', 'Enter');
      await heading(page, 'Article 07');
    },
  },
  {
    name: 'filter a list, and take the filter away',
    at: '/content/articles',
    async run(keys, page) {
      await keys.button('Filter');
      await keys.button('Add condition');
      await keys.choose('Field', 'Reads');
      await keys.choose('Operator', 'is at least');
      await keys.fill('Value', '59');
      await keys.button('Apply');
      await page.getByText('Reads is at least 59').waitFor();
      await rowOf(page, 'Article 58').waitFor({ state: 'detached' });
      await keys.button(/^Remove filter/);
      await rowOf(page, 'Article 58').waitFor();
    },
  },
  {
    name: 'show records of one status',
    at: '/content/articles',
    async run(keys, page) {
      await keys.button(/^Draft/, page.getByRole('navigation', { name: 'By status' }));
      await page.getByText('Status is draft').first().waitFor();
    },
  },
  {
    name: 'choose and order columns',
    at: '/content/articles',
    async run(keys, page) {
      await keys.button('Columns');
      await keys.use(page.getByRole('checkbox', { name: 'ID', exact: true }), 'Space');
      await page.getByRole('columnheader', { name: 'ID' }).waitFor();
      await keys.button('Move ID up');
      await keys.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await hasFocus(page, page.getByRole('button', { name: 'Columns' }));
    },
  },
  {
    name: 'sort by a column',
    at: '/content/articles',
    async run(keys, page) {
      await keys.use(page.getByRole('columnheader', { name: 'Reads' }).getByRole('button'));
      await page.locator('th[aria-sort="ascending"]').waitFor();
      await rowOf(page, 'Article 01').waitFor();
    },
  },
  {
    name: 'save a view, and go back to it',
    at: '/content/articles?sort=reads:asc',
    async run(keys, page) {
      await keys.button('Views');
      await keys.fill(/^Name of the view/, 'Least read');
      await keys.press('Enter');
      await page.getByText('The view “Least read” is saved.').first().waitFor();
      await page.goto('/admin/content/articles');
      await rowOf(page, 'Article 60').waitFor();
      await keys.button('Views');
      await keys.button('Least read');
      await rowOf(page, 'Article 01').waitFor();
    },
  },
  {
    name: 'go to the next page of a list',
    at: '/content/articles?size=20&sort=reads:asc',
    async run(keys, page) {
      await rowOf(page, 'Article 01').waitFor();
      await keys.button('Next page');
      await rowOf(page, 'Article 21').waitFor();
    },
  },
  {
    name: 'select records, delete them, and take it back',
    at: '/content/articles?sort=reads:asc',
    async run(keys, page) {
      await rowOf(page, 'Article 01').waitFor();
      await keys.press('ArrowDown', 'Space', 'ArrowDown', 'Space');
      await page.getByText('2 selected').waitFor();
      await keys.button('Delete', page.getByRole('region', { name: 'Actions on the selection' }));
      await page.getByText('2 records deleted.').first().waitFor();
      await keys.undo();
      await page.getByText('Undone.').first().waitFor();
      await rowOf(page, 'Article 01').waitFor();
    },
  },
  {
    name: 'create a record',
    at: '/content/articles',
    async run(keys, page) {
      await rowOf(page, 'Article 60').waitFor();
      await keys.press('n');
      await heading(page, 'New Article');
      await keys.fill('Title', 'Made by keys');
      await keys.press('Control+s');
      await page.waitForURL(/articles\/[0-9a-f-]{36}$/);
      await keys.link('Back to the list');
      await rowOf(page, 'Made by keys').waitFor();
    },
  },
]);
