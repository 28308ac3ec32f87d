import { test } from 'bun:test';
import { Admin } from './admin.ts';
const author = { name:'Author', singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text', required: true }] };
const article = { name: 'Article', singular: 'article', plural: 'articles', protocols: ['timestampable','soft_deletable', { name: 'statusable', values: ['draft', 'review', 'published'], default: 'draft' }],
  fields: [ { name: 'title', field_type: 'text', required: true }, { name: 'views', field_type: 'integer' }, { name: 'featured', field_type: 'boolean' }, { name: 'published_at', field_type: 'datetime' },
   { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } }, { name: 'price', field_type: 'decimal' }, {name:'summary', field_type:'text'} ] };
const section = { name: 'Section', singular: 'section', plural: 'sections', protocols: ['nestable'], fields: [{ name: 'title', field_type: 'text' }] };
test('look', async () => {
  await using admin = await Admin.open([author, article, section]);
  await admin.account('ada', 'admin');
  const authors = [];
  for (const name of ['Ines Ferreira', 'Tom Okafor', 'نجيب محفوظ']) authors.push(await admin.service.seed('authors', { name }));
  const titles = ['Why margins matter', 'On paper', 'A short history of ink', '<b>Bold</b> & <script>alert(1)</script>', 'مقال طويل عن الورق والحبر', 'x'.repeat(200), 'A very long title that goes on and on about the typography of the early modern printed book in Europe and beyond, with many more words than anybody would want to read in a list'];
  for (let i = 0; i < 130; i++) await admin.service.seed('articles', { title: i < titles.length ? titles[i] : `Article number ${i}`, views: i * 37 % 1000, featured: i % 3 === 0, status: ['draft','review','published'][i % 3], author: authors[i % 4]?.id ?? null, published_at: i % 2 ? new Date(Date.now() - i * 36e5).toISOString() : null, price: `${i}.50` });
  const roots = [];
  for (const title of ['Printing', 'Paper', 'Ink']) roots.push(await admin.service.seed('sections', { title }));
  for (const [i, r] of roots.entries()) for (let j = 0; j < 3; j++) await admin.service.seed('sections', { title: `Sub ${i}.${j}`, parent_id: r.id });
  const shot = async (name: string, path: string, o: object, act?: (p: any) => Promise<void>) => {
    const page = await admin.page({ as: 'ada', path, ...o });
    await page.getByRole(path.includes('sections') ? 'treegrid' : 'table').or(page.getByRole('heading', { level: 2 })).first().waitFor();
    await act?.(page);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/list-shots/${name}.png` });
    await page.close();
  };
  try {
  if (process.env.MORE === undefined) await shot('list-light', '/content/articles', {});
  await shot('list-dark', '/content/articles', { theme: 'dark' });
  await shot('list-phone', '/content/articles', { width: 390, height: 844, hasTouch: true });
  await shot('filter', '/content/articles?filter=' + encodeURIComponent('views > 100 && (featured = true || author.name ~ "Ines%") && status in ["draft", "review"]'), {}, async (p) => { await p.getByRole('button', { name: 'Filter', exact: true }).click(); });
  await shot('columns', '/content/articles', {}, async (p) => { await p.getByRole('button', { name: 'Columns', exact: true }).click(); });
  await shot('views', '/content/articles', { theme: 'dark' }, async (p) => { await p.getByRole('button', { name: 'Views', exact: true }).first().click(); });
  await shot('selected', '/content/articles', {}, async (p) => { await p.getByRole('checkbox', { name: 'Select all' }).click(); });
  await shot('tree', '/content/sections', {}, async (p) => { await p.getByRole('button', { name: 'Expand Printing' }).click(); });
  await shot('empty', '/content/articles?search=nothingthere', {});
  } finally { console.log(admin.takeProblems()); }
}, 300000);
