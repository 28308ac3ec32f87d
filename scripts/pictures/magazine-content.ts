import type { Browser } from 'playwright-core';

/** Content of the example magazine for the pictures of the admin. Everything goes through the API. */

const authors = [
  ['Ada Bell', 'Writes about type and the people who draw it.'],
  ['Tomás Ferreira', 'Printer in Porto, third generation.'],
  ['Ines Kowalski', 'Edits the letters page.'],
  ['Sam Okafor', 'Photographs machines that still run.'],
] as const;

const topics = ['Typography', 'Paper', 'Print', 'Letters', 'Places'] as const;

interface Article {
  readonly title: string;
  readonly author: (typeof authors)[number][0];
  readonly topics: readonly (typeof topics)[number][];
  readonly status: 'draft' | 'published';
  readonly published_at: string | null;
  readonly featured?: true;
  readonly body: string;
}

const articles: readonly Article[] = [
  {
    ...{ title: 'Why margins matter', author: 'Ada Bell', topics: ['Typography'], status: 'published', featured: true },
    published_at: '2026-09-03T08:00:00.000Z',
    body: '<p>A margin is not what is left over. It is the first thing a reader holds, and the last thing a designer gives away.</p>',
  },
  {
    ...{ title: 'The mill at Tomar', author: 'Tomás Ferreira', topics: ['Paper', 'Places'], status: 'published' },
    published_at: '2026-09-10T08:00:00.000Z',
    body: '<p>Water, rags and patience: the mill has made paper since 1718, and its ledgers are written on it.</p>',
  },
  {
    ...{
      title: 'Recto, verso',
      author: 'Ada Bell',
      topics: ['Typography', 'Print'],
      status: 'published',
      featured: true,
    },
    published_at: '2026-09-17T08:00:00.000Z',
    body: '<p>The right-hand page has the reader first. Chapters begin there, and so do arguments.</p>',
  },
  {
    ...{ title: 'Forty letters about one comma', author: 'Ines Kowalski', topics: ['Letters'], status: 'published' },
    published_at: '2026-09-24T08:00:00.000Z',
    body: '<p>We printed a comma where a semicolon stood. Forty readers wrote.</p>',
  },
  {
    ...{
      title: 'A press that outlived its city',
      author: 'Sam Okafor',
      topics: ['Print', 'Places'],
      status: 'published',
    },
    published_at: '2026-10-01T08:00:00.000Z',
    body: '<p>It was carried out in eleven crates, and put together again by people who had never seen one.</p>',
  },
  {
    ...{ title: 'What ink remembers', author: 'Tomás Ferreira', topics: ['Print'], status: 'published' },
    published_at: '2026-10-08T08:00:00.000Z',
    body: '<p>Oil, soot, and a little of every hand that mixed it.</p>',
  },
  {
    ...{ title: 'Small caps, large quarrels', author: 'Ada Bell', topics: ['Typography'], status: 'published' },
    published_at: '2026-10-15T08:00:00.000Z',
    body: '<p>Nobody agrees where they belong. That is why they are worth drawing well.</p>',
  },
  {
    ...{ title: 'The last letter on the last page', author: 'Ines Kowalski', topics: ['Letters'], status: 'published' },
    published_at: '2026-10-22T08:00:00.000Z',
    body: '<p>Every issue ends with a reader. This one had been waiting since 1987.</p>',
  },
  {
    ...{ title: 'Proofs by bicycle', author: 'Sam Okafor', topics: ['Places'], status: 'published', featured: true },
    published_at: '2026-11-05T08:00:00.000Z',
    body: '<p>Before the line was laid, the pages of the evening edition crossed the river on a rack.</p>',
  },
  {
    ...{
      title: 'The weight of a page',
      author: 'Tomás Ferreira',
      topics: ['Paper'],
      status: 'draft',
      published_at: null,
    },
    body: '<p>Ninety grams say something that sixty do not.</p>',
  },
  {
    ...{ title: 'An index of everything we left out', author: 'Ines Kowalski', topics: ['Letters', 'Print'] },
    ...{ status: 'draft', published_at: null },
    body: '<p>From “advertisements, apologies for” to “zinc”.</p>',
  },
];

/** Colours and the figure of each made picture. */
const covers = [
  ['margins', 'Margins', '#1d3557', '#f1faee'],
  ['mill', 'The mill', '#386641', '#f2e8cf'],
  ['recto-verso', 'Recto, verso', '#22223b', '#f2e9e4'],
  ['comma', 'A comma', '#9d0208', '#ffe8d6'],
  ['press', 'The press', '#3d405b', '#f4f1de'],
  ['ink', 'Ink', '#03045e', '#caf0f8'],
  ['small-caps', 'Small caps', '#582f0e', '#ede0d4'],
  ['last-letter', 'The last letter', '#6d597a', '#ffe5d9'],
  ['bicycle', 'By bicycle', '#005f73', '#e9d8a6'],
  ['paper', 'Paper', '#7f5539', '#fefae0'],
  ['index', 'An index', '#2b2d42', '#edf2f4'],
  ['harbour', 'The harbour', '#184e77', '#d9ed92'],
] as const;

/** Fills a new magazine, and returns the ids of records that pictures show. */
export async function fillMagazine(
  url: string,
  account: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<Readonly<Record<string, string>>> {
  let authorization = '';
  const send = async (
    method: string,
    path: string,
    body: object,
  ): Promise<Record<string, unknown> & { id: string }> => {
    const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) };
    const response = await fetch(`${url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    // Every response to these requests is a record, or a token.
    return (await response.json()) as Record<string, unknown> & { id: string };
  };
  const create = (path: string, body: object) => send('POST', path, body);
  authorization = `Bearer ${(await create('auth/login', account)).access_token}`;

  const authorIds = new Map<string, string>();
  for (const [name, bio] of authors)
    authorIds.set(name, (await create('admin/cms/authors', { name, bio: `<p>${bio}</p>` })).id);
  const topicIds = new Map<string, string>();
  for (const name of topics) topicIds.set(name, (await create('admin/cms/topics', { name })).id);

  const articleIds = new Map<string, string>();
  for (const { author, topics: about, ...article } of articles) {
    const links = { author: authorIds.get(author), topics: about.map((name) => topicIds.get(name)) };
    articleIds.set(article.title, (await create('admin/cms/articles', { ...article, ...links })).id);
  }

  const easel = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  for (const [name, title, dark, light] of covers) {
    await easel.setContent(`<body style="margin: 0">${coverOf(title, dark, light)}`);
    await upload(
      url,
      authorization,
      name,
      title,
      new Uint8Array(await easel.screenshot({ type: 'jpeg', quality: 86 })),
    );
  }
  await easel.close();

  const item = (title: string): string | undefined => articleIds.get(title);
  const landing = await create('admin/cms/landings', {
    title: 'The autumn issue',
    seo: { title: 'The autumn issue', description: 'Margins, mills and forty letters about one comma.' },
    body: [
      {
        block: 'text',
        content:
          '<h2>Ideas, facing you</h2><p>Nine articles, four writers, <strong>one comma</strong>. The autumn issue is about what a page weighs.</p>',
      },
      { block: 'quote', text: 'A margin is not what is left over.', author: authorIds.get('Ada Bell') },
      {
        block: 'articles',
        heading: 'In this issue',
        items: [item('Why margins matter'), item('The mill at Tomar'), item('Recto, verso')],
      },
    ],
  });
  await create('admin/content-types', {
    ...{ name: 'Event', singular: 'event', plural: 'events', protocols: ['timestampable'] },
    fields: [
      { name: 'title', field_type: 'text', required: true, max_length: 120 },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'starts_at', field_type: 'datetime', required: true, indexed: true },
      { name: 'place', field_type: 'text', max_length: 120 },
      { name: 'picture', field_type: 'media' },
      { name: 'speaker', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
    ],
  });
  return { landing: landing.id };
}

async function upload(
  url: string,
  authorization: string,
  name: string,
  title: string,
  picture: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const form = new FormData();
  form.append('file', new File([picture], `${name}.jpg`, { type: 'image/jpeg' }));
  form.append('alt', `Cover: ${title}`);
  const response = await fetch(`${url}/api/v1/media`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body: form,
  });
  if (!response.ok) throw new Error(`POST media: ${await response.text()}`);
}

/** A picture with a page, its fold and a title, drawn from two colours. */
function coverOf(title: string, dark: string, light: string): string {
  const turn = (title.length * 37) % 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">
    <rect width="1200" height="900" fill="${dark}"/>
    <circle cx="${300 + turn * 20}" cy="${640 - turn * 12}" r="${320 + turn * 4}" fill="${light}" opacity="0.16"/>
    <g transform="rotate(${turn - 12} 600 450)">
      <rect x="330" y="170" width="270" height="560" fill="${light}" opacity="0.75"/>
      <rect x="600" y="170" width="270" height="560" fill="${light}"/>
      ${[0, 1, 2, 3, 4, 5].map((line) => `<rect x="640" y="${330 + line * 52}" width="${190 - ((line * 31 + turn * 5) % 90)}" height="14" fill="${dark}" opacity="0.35"/>`).join('')}
      <rect x="640" y="240" width="150" height="30" fill="${dark}"/>
    </g>
    <text x="80" y="840" font-family="serif" font-size="72" fill="${light}">${title}</text>
  </svg>`;
}
