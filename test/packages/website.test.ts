import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { contents } from '../../website/contents.ts';
import { figuresOf } from '../../website/figures.ts';
import { sitePage } from '../../website/pages.ts';
import { referencePages } from '../../website/reference.ts';
import { textForModels } from '../../website/text-for-models.ts';

// The documentation as a static site. `npm run build` in website/ makes what the second half looks at.

const root = join(import.meta.dir, '../..');
const built = join(root, 'examples/magazine/public/docs');
const isBuilt = existsSync(join(built, 'index.html'));

describe('a document as a page', () => {
  const page = (source: string, text: string): string =>
    sitePage(source, text, { isFile: (path) => /\.\w+$/.test(path), keep: (path) => `files/${path}` });

  test.each([
    ['docs/rules.md', '[Fields](content-types.md#fields)', '[Fields](./content-types.md#fields)'],
    ['docs/rules.md', '[All](protocols/README.md)', '[All](./protocols/index.md)'],
    ['docs/protocols/README.md', '[Rules](../rules.md)', '[Rules](../rules.md)'],
    ['docs/support.md', '[Changes](../CHANGELOG.md#x)', '[Changes](./changelog.md#x)'],
    ['CHANGELOG.md', '[Rules](docs/rules.md)', '[Rules](./rules.md)'],
    ['docs/rules.md', '[Recto](../README.md)', '[Recto](./index.md)'],
    ['docs/architecture.md', '[`Dialect`](../packages/recto/src/database/dialect.ts)', '`Dialect`'],
    [
      'docs/deploying.md',
      '[`x`](../deploy/x.yaml)',
      '<a href="./files/deploy/x.yaml" target="_self" download><code>x</code></a>',
    ],
    ['docs/hooks.md', '[code](../examples/magazine/hooks)', 'code'],
    ['docs/performance.md', '![Plot](plots/ratio.svg)', '![Plot](./plots/ratio.svg)'],
    ['docs/rules.md', '[Bun](https://bun.sh) and [here](#x)', '[Bun](https://bun.sh) and [here](#x)'],
    ['docs/rules.md', '```toml file=a.toml\n[[fields]](x)\n```', '```toml\n[[fields]](x)\n```'],
  ])('%s: %s', (source, text, expected) => expect(page(source, text)).toBe(expected));
});

test('the figures of the first page are those of the document', () => {
  const performance = readFileSync(join(root, 'docs/performance.md'), 'utf8');
  for (const { perSecond, ratio, milliseconds } of figuresOf(performance)) {
    expect(performance).toContain(`| ${perSecond} |`);
    expect(Number(ratio)).toBeGreaterThan(0);
    expect(Number(milliseconds)).toBeGreaterThan(0);
  }
  expect(() => figuresOf('On SQLite:\n\n| operation |\n\n')).toThrow('has no figures');
});

test('the list for language models names every page once', () => {
  const links = [...textForModels(contents).matchAll(/^- \[.+\]\(\/docs\/(.+)\.md\)$/gm)].map(([, page]) => page);
  expect(links).toHaveLength(contents.flatMap(({ items }) => items).length);
  expect(new Set(links).size).toBe(links.length);
});

test('text of a document is no markup in the reference', () => {
  const get = { tags: ['x'], operationId: 'getX', summary: '<b> {{ 1 }}', responses: { 200: { description: '<i>|' } } };
  const [page] = referencePages({ paths: { '/x/{id}': { get } } });
  expect(page?.text).toContain('## &lt;b> &#123;&#123; 1 }} {#getX}');
  expect(page?.text).toContain('&lt;i>\\|');
});

describe.skipIf(!isBuilt)(`the built site${isBuilt ? '' : ' (skipped: npm ci && npm run build in website/)'}`, () => {
  const files = isBuilt ? [...new Bun.Glob('**/*').scanSync(built)] : [];
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html').toSorted();
  const texts = new Map(pages.map((file) => [file, readFileSync(join(built, file), 'utf8')]));
  test('has the text of each page that its list for language models names', () => {
    const list = readFileSync(join(built, 'llms.txt'), 'utf8');
    const named = [...list.matchAll(/\(\/docs\/(.+\.md)\)/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((file) => !existsSync(join(built, file)))).toEqual([]);
  });

  const attribute = (text: string, name: string): readonly string[] =>
    [...text.matchAll(new RegExp(`<(?!a\\b)[a-z]+[^>]*? ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
  const links = (text: string): readonly string[] =>
    [...text.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

  test('has a page for each document, and the reference', () => {
    expect(pages.length).toBeGreaterThan(60);
    for (const page of ['index.html', 'rules.html', 'protocols/index.html', 'reference/article.html', 'changelog.html'])
      expect(pages).toContain(page);
  });

  test('every link leads to a page and a heading', () => {
    const dead = [...texts].flatMap(([page, text]) =>
      links(text)
        .filter((link) => !/^(?:https?:|mailto:)/.test(link))
        .filter((link) => !isThere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect([...new Set(dead)]).toEqual([]);
  });

  test('every picture and script is there', () => {
    const missing = [...texts].flatMap(([page, text]) =>
      [...attribute(text, 'src'), ...attribute(text, 'href')]
        .filter((address) => !/^(?:[a-z]+:|#)/.test(address) && !isThere(page, address))
        .map((address) => `${page}: ${address}`),
    );
    expect(missing).toEqual([]);
  });

  test('nothing is loaded from another host', () => {
    const loaded = [...texts].flatMap(([page, text]) =>
      [...attribute(text, 'src'), ...attribute(text, 'href')]
        .filter((address) => /^(?:[a-z]+:)?\/\//.test(address))
        .map((address) => `${page}: ${address}`),
    );
    expect(loaded).toEqual([]);
    for (const file of files.filter((name) => name.endsWith('.css')))
      expect(
        readFileSync(join(built, file), 'utf8').match(/(?:url\(|@import)\s*["']?(?:https?:)?\/\/[^)]*/g),
      ).toBeNull();
  });

  test('can be searched without a server', () => {
    const index = files.filter((file) => /localSearchIndex.*\.js$/.test(file));
    expect(index.length).toBeGreaterThan(0);
    expect(readFileSync(join(built, index[0] ?? ''), 'utf8')).toContain('soft_deletable');
  });

  function isThere(page: string, link: string): boolean {
    const { pathname, hash } = new URL(link, `http://site/docs/${page}`);
    if (!pathname.startsWith('/docs/')) return false;
    const path = decodeURIComponent(pathname.slice('/docs/'.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(join(built, file)) || !statSync(join(built, file)).isFile()) return false;
    return (
      hash === '' ||
      !file.endsWith('.html') ||
      texts.get(file)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`) === true
    );
  }
});
