import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { addressOf, contents } from '../contents.ts';

/** What `prepare.ts` has written. */
const site: {
  readonly version: string;
  readonly reference: readonly { readonly name: string; readonly title: string }[];
} = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'));

const link = (page: string): string => `/${addressOf(page)}`.replace(/index$/, '');

/** As the documents link to headings, which is how GitHub names them. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

export default defineConfig({
  title: 'Recto',
  description:
    'A content management service: describe a content type in a small file, get a complete, safe, fast API and an admin.',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  // Files that pages link to, Markdown among them, are served as they are.
  srcExclude: ['public/**'],
  outDir: '../examples/magazine/public/docs',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/recto.svg' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  // Of the service that the reader runs.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify },
  },
  themeConfig: {
    logo: { src: '/recto.svg', alt: '' },
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: '^/(?!reference/|$|changelog)' },
      { text: 'API reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: `Version ${site.version}`, link: '/changelog' },
    ],
    sidebar: {
      '/reference/': [
        {
          text: 'API of the magazine',
          items: [
            { text: 'Overview', link: '/reference/' },
            ...site.reference.map(({ name, title }) => ({ text: title, link: `/reference/${name}` })),
          ],
        },
      ],
      '/': contents.map(({ text, items }, index) => ({
        text,
        collapsed: index > 1,
        items: items.map((item) => ({ text: item.text, link: link(item.page) })),
      })),
    },
    docFooter: { prev: 'Before', next: 'Next' },
    notFound: { title: 'There is no such page', quote: 'It may have another name now.', linkText: 'To the first page' },
  },
});
