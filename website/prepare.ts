import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { provideOwnName } from '../packages/recto/src/base/own-name.ts';
import { createRecto } from '../packages/recto/src/index.ts';
import { addressOf, contents } from './contents.ts';
import { figuresOf } from './figures.ts';
import { sitePage, sourcesBesides } from './pages.ts';
import { type OpenApi, type ReferencePage, referencePages } from './reference.ts';
import { textForModels } from './text-for-models.ts';

/** Makes `pages/`, what VitePress builds the site of: the documents, and the API of the example magazine. */
const root = join(import.meta.dir, '..');
const pages = join(import.meta.dir, 'pages');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
};

rmSync(pages, { recursive: true, force: true });

const documents = ['', 'protocols/', 'client/', 'sign-in/']
  .flatMap((folder) => readdirSync(join(root, 'docs', folder)).map((name) => folder + name))
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ source: `docs/${name}`, page: `docs/${name}` }));
for (const { source, page } of [...documents, ...sourcesBesides]) {
  const text = sitePage(source, read(source), {
    isFile: (path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    keep: keepFile,
  });
  const address = `${addressOf(page.replace(/^docs\/|\.md$/g, ''))}.md`;
  write(address, text);
  // For programs that read: the same text beside the page.
  write(`public/${address}`, text);
}
requireAllListed();
write('public/llms.txt', textForModels(contents));

const document = await magazineDocument();
write('public/openapi.json', JSON.stringify(document));
const reference = referencePages(document);
for (const { name, text } of reference)
  write(`reference/${name}.md`, `---\noutline: 2\npageClass: reference\n---\n\n${text}\n`);
write('reference/index.md', referenceFirst(reference));
write(
  'site.json',
  JSON.stringify({
    reference: reference.map(({ name, title }) => ({ name, title })),
    figures: figuresOf(read('docs/performance.md')),
    version: JSON.parse(read('package.json')).version,
  }),
);
cpSync(join(import.meta.dir, 'index.md'), join(pages, 'index.md'));
cpSync(join(import.meta.dir, 'public'), join(pages, 'public'), { recursive: true });
for (const folder of ['images', 'plots']) cpSync(join(root, 'docs', folder), join(pages, folder), { recursive: true });
// Those of the first page, which names them as they are.
cpSync(join(root, 'docs/images'), join(pages, 'public/files/images'), { recursive: true });

/** Beside the pages, under a path of their own. */
function keepFile(path: string): string {
  const kept = `files/${path}`;
  mkdirSync(dirname(join(pages, 'public', kept)), { recursive: true });
  cpSync(join(root, path), join(pages, 'public', kept));
  return kept;
}

/** Throws when a page is not in the contents, or the other way round. */
function requireAllListed(): void {
  const there = [...documents, ...sourcesBesides].map(({ page }) => page.replace(/^docs\/|\.md$/g, '')).toSorted();
  const listed = contents.flatMap(({ items }) => items.map(({ page }) => page)).toSorted();
  const odd = [...there.filter((page) => !listed.includes(page)), ...listed.filter((page) => !there.includes(page))];
  if (odd.length > 0) throw new Error(`website/contents.ts and docs/ differ: ${odd.join(', ')}`);
}

async function magazineDocument(): Promise<OpenApi> {
  // Its hooks import the package, which need not have been built.
  provideOwnName(() => import('../packages/recto/src/index.ts'));
  const dataDir = mkdtempSync(join(tmpdir(), 'recto-website-'));
  const magazine = join(root, 'examples/magazine');
  const recto = await createRecto({
    settings: {
      dataDir,
      logLevel: 'warn',
      contentTypesDir: join(magazine, 'content-types/'),
      hooksDir: join(magazine, 'hooks/'),
    },
  });
  try {
    const response = await recto.fetch(new Request('http://localhost/api/v1/openapi.json'));
    // It is what the schema of such documents says; a test validates it.
    return (await response.json()) as OpenApi;
  } finally {
    await recto.stop();
    rmSync(dataDir, { recursive: true });
  }
}

function referenceFirst(all: readonly ReferencePage[]): string {
  const list = all.map(({ name, title }) => `- [${title}](./${name}.md)`).join('\n');
  return `# API reference

What the service answers with the content types, hooks and routes of the example magazine, as its OpenAPI document describes it. A service of
your own has the same document at \`/api/v1/openapi.json\`, with your types. <a href="../openapi.json" target="_self" download>The document of the magazine</a> is a file of this site.

A parameter with * is required.

${list}
`;
}
