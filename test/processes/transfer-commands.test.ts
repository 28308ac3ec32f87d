import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PocketbaseFolder } from '../support/pocketbase-folder.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { wxr, wxrAuthor, wxrItem } from '../support/wordpress-file.ts';

const sample = join(import.meta.dir, '../fixtures/wordpress-site.xml');
const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "text", field_type = "text" }]\n';

test.concurrent('a site is imported beside a running service, which serves it at once; then exported and moved', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const service = folder.spawn(['start']);
  const posts = `${await service.url()}/api/v1/posts`;
  expect(await (await fetch(posts)).json()).toMatchObject({ total: 0 });
  const first = await folder.run(['import', 'wordpress', sample]);
  expect([first.exitCode, first.err]).toEqual([0, '']);
  expect(first.out).toContain('Import of https://gazette.example\n');
  expect(first.out).toMatch(/^ {2}posts +8 +0 +2$/m);
  expect(await (await fetch(posts)).json()).toMatchObject({ total: 2 });
  const again = await folder.run(['import', 'wordpress', sample, '--json']);
  expect(JSON.parse(again.out)).toMatchObject({
    dry_run: false,
    source: 'https://gazette.example',
    counts: [
      { kind: 'accounts' },
      { kind: 'categories', taken: 0, before: 1 },
      { kind: 'pages', taken: 0, before: 2 },
      { kind: 'posts', taken: 0, before: 8 },
      {},
      {},
      {},
      {},
    ],
  });
  const exported = await folder.run(['export', '--out', 'there']);
  expect([exported.exitCode, exported.out.split('\n')[0]]).toEqual([0, '16 records in there']);
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);

  using other = new RectoFolder({ 'note.toml': note });
  const moved = await other.run(['import', 'json', join(folder.path, 'there')]);
  expect([moved.exitCode, moved.err]).toEqual([0, '']);
  expect((await other.run(['export'])).exitCode).toBe(0);
  for (const name of readdirSync(join(folder.path, 'there'))) {
    expect(readFileSync(join(other.path, 'export', name), 'utf8')).toBe(
      readFileSync(join(folder.path, 'there', name), 'utf8'),
    );
  }
}, 600_000);

test.concurrent('a dry run leaves nothing behind, not even a database', async () => {
  using folder = new RectoFolder();
  const { exitCode, out } = await folder.run(['import', 'wordpress', sample, '--dry-run']);
  expect(exitCode).toBe(0);
  expect(out).toContain('This was a dry run: nothing was stored.');
  expect(existsSync(join(folder.path, 'data'))).toBe(false);
});

test.concurrent('a data folder of PocketBase is planned, checked as it was planned, and imported', async () => {
  using source = new PocketbaseFolder(
    {
      users: { type: 'auth', rows: [{ id: 'u1', email: 'a@site.example', verified: 1, password: '', tokenKey: '' }] },
      articles: {
        fields: [
          { name: 'title', type: 'text' },
          { name: 'paper', type: 'file', maxSelect: 1 },
        ],
        rules: { listRule: '', deleteRule: '@collection.users.id ?= @request.auth.id' },
        rows: [{ id: 'r1', title: 'On paper', paper: 'one.txt' }],
      },
    },
    { 'articles_id/r1/one.txt': 'paper' },
  );
  using folder = new RectoFolder();
  const [pb, map] = [
    ['import', 'pocketbase', source.path],
    ['--map', 'import-map.toml'],
  ] as const;
  const planned = await folder.run([...pb, '--plan', '--json']);
  expect([planned.exitCode, planned.err]).toEqual([0, '']);
  expect(JSON.parse(planned.out)).toMatchObject({
    files: ['import-map.toml', 'content-types/article.toml'],
    types: [{ from: 'articles', to: 'article', records: 1 }],
    accounts: [{ from: 'users', accounts: 1 }],
    left_out: [
      { place: 'articles deleteRule' },
      { place: 'users createRule', why: expect.stringContaining('RECTO_REGISTRATION=closed') },
    ],
  });
  expect(readFileSync(join(folder.path, 'content-types/article.toml'), 'utf8')).toStartWith(
    '# From PocketBase: articles.\n# Left out: articles deleteRule.',
  );
  expect(await folder.run(['check'])).toMatchObject({ exitCode: 0 });
  const second = await folder.run([...pb, '--plan']);
  expect([second.exitCode, second.out]).toEqual([1, '']);
  expect(second.err).toContain('There is import-map.toml already.');
  expect(await folder.run([...pb, ...map, '--dry-run'])).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(folder.path, 'data'))).toBe(false);
  const imported = await folder.run([...pb, ...map]);
  expect([imported.exitCode, imported.err]).toEqual([0, '']);
  expect(imported.out).toMatch(/^ {2}articles +1 +0 +0$/m);
  const again = await folder.run([...pb, ...map, '--skip-errors', '--json']);
  expect(JSON.parse(again.out).counts).toContainEqual({ kind: 'articles', taken: 0, before: 1, skipped: 0, failed: 0 });
  expect(readdirSync(source.path).toSorted()).toEqual(['data.db', 'storage']);
}, 600_000);

const refused: readonly [args: readonly string[], exitCode: number, says: string][] = [
  [['import', 'wordpress', 'none.xml'], 1, 'There is no file none.xml.'],
  [['import', 'wordpress', 'content-types/note.toml'], 1, 'note.toml is no WordPress export'],
  [['import', 'json', 'none'], 1, 'There is no file or folder none.'],
  [['import', 'json', 'content-types'], 1, 'holds no file that ends in .ndjson'],
  [['import', 'json', 'content-types/note.toml', '--type', 'note'], 1, 'note.toml:1: this is no JSON'],
  [['export', '--type', 'notes'], 1, 'There is no database'],
  [['import'], 2, 'Usage: recto import'],
  [['import', 'wordpress'], 2, "missing required argument 'file'"],
  [['import', 'drupal', 'x'], 2, "unknown command 'drupal'"],
  [['import', 'pocketbase', 'x'], 2, 'Give either --plan'],
  [['import', 'pocketbase', 'x', '--plan', '--map', 'y'], 2, 'Give either --plan'],
  [['import', 'pocketbase', 'x', '--plan'], 1, 'x is no data folder of PocketBase'],
  [['import', 'pocketbase', 'x', '--plan', '--set', 'y'], 1, 'x is no data folder of PocketBase'],
  [['import', 'pocketbase', 'x', '--map', 'y'], 1, 'There is no file y.'],
  [['import', 'pocketbase', 'x', '--map', 'content-types/note.toml'], 1, 'note.toml is no plan of an import'],
  [['export', 'posts'], 2, 'too many arguments'],
];
test.concurrent.each(refused)('%p', async (args, exitCode, says) => {
  using folder = new RectoFolder({ 'note.toml': note });
  const ended = await folder.run(args);
  expect({ exitCode: ended.exitCode, out: ended.out }).toEqual({ exitCode, out: '' });
  expect(ended.err).toContain(says);
  expect(ended.err).not.toContain('    at ');
});

const media = wxr(wxrAuthor(1, 'mira', 'mira@site.example'), wxrItem({ id: 1, type: 'attachment' }));
const empty: readonly [name: string, text: string, says: string][] = [
  ['no content at all', wxr(), 'No page, post or comment was imported: the file has none.\n'],
  [
    'media alone',
    media,
    'No page, post or comment was imported: the 1 entry of the file was skipped, for the reason in the table.\n',
  ],
  [
    'nothing that can be taken',
    wxr(wxrItem({ id: 1, status: 'auto-draft' }), wxrItem({ id: 2, type: 'form' })),
    'No page, post or comment was imported: all 2 entries of the file were skipped, for the reasons in the table.\n',
  ],
];
test.concurrent.each(empty)('an export of %s ends with exit code 1, and says why', async (_, text, says) => {
  using folder = new RectoFolder();
  writeFileSync(join(folder.path, 'site.xml'), text);
  for (const more of [['--dry-run'], [], ['--json']]) {
    const { exitCode, out, err } = await folder.run(['import', 'wordpress', 'site.xml', ...more]);
    expect([exitCode, err]).toEqual([1, says]);
    if (more[0] === '--json') expect(JSON.parse(out)).toMatchObject({ source: 'https://site.example' });
    else expect(out).toStartWith('Import of https://site.example\n');
  }
});

test.concurrent('a type that there is not is not exported', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  expect((await folder.run(['import', 'wordpress', sample])).exitCode).toBe(0);
  const { exitCode, err } = await folder.run(['export', '--type', 'essays']);
  expect([exitCode, err]).toEqual([
    1,
    'There is no content type “essays”. There are: pages, categories, posts, comments, media, notes.\n',
  ]);
  const { out } = await folder.run(['export', '--type', 'post', '--out', 'x', '--json']);
  expect(JSON.parse(out)).toEqual({ folder: 'x', files: [{ type: 'post', file: 'posts.ndjson', records: 8 }] });
});
