// databases: sqlite:rest
import { Database as BunDatabase } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expectSchemaAgrees } from '../../../../test/support/database/schema-agrees.ts';
import { readDocument } from '../../../../test/support/documents.ts';
import { RectoFolder } from '../../../../test/support/processes/recto-process.ts';
import { type CommandSurroundings, runCommand } from '../../../../test/support/processes/run-command.ts';

const note = (fields: string, head = '') => `
singular = "note"
plural = "notes"
${head}
fields = [${fields}]
[api.create]
access = "public"
`;
const title = '{ name = "title", field_type = "text" }';
const renamed = '{ name = "headline", field_type = "text", renamed_from = "title" }';

let folder: RectoFolder;

const file = (name: string): string => join(folder.path, name);
const run = (args: readonly string[], surroundings: CommandSurroundings = {}) =>
  runCommand(args, {
    environment: { RECTO_DATA_DIR: file('data'), RECTO_CONTENT_TYPES_DIR: file('content-types') },
    ...surroundings,
  });
/** The database and copies of it. */
const dataFiles = () => readdirSync(file('data')).filter((name) => /^recto\.db(?:\.|$)/.test(name));
const stored = (sql: string, path = file('data/recto.db')): unknown[] => {
  using database = new BunDatabase(path, { readonly: true });
  return database.query(sql).all();
};

/** Starts a service, creates two notes and stops it. */
beforeEach(async () => {
  folder = new RectoFolder({ 'note.toml': note(title) });
  const service = folder.spawn(['start']);
  const url = await service.url();
  for (const text of ['one', 'two']) {
    const body = JSON.stringify({ title: text });
    await fetch(`${url}/api/v1/cms/notes`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  }
  service.kill('SIGTERM');
  await service.ended();
}, 600_000);
afterEach(() => folder[Symbol.dispose]());

test('distinguishes nothing to do, changes by a start, changes by apply, and rejected changes', async () => {
  const plan = async () => {
    const { exitCode, out, err } = await run(['migrate', 'plan', '--json']);
    expect(err).toBe('');
    return { exitCode, ...JSON.parse(out) };
  };
  expect(await plan()).toMatchObject({ exitCode: 0, ok: true, state: 'current', changes: [], unused: [], sql: [] });

  folder.write('content-types/note.toml', note(`${title}, { name = "views", field_type = "integer", default = 3 }`));
  expect(await plan()).toMatchObject({
    exitCode: 0,
    ok: true,
    state: 'start',
    changes: [{ way: 'start', type: 'note' }],
    sql: ['ALTER TABLE "cms_note" ADD COLUMN "views" INTEGER', 'update "cms_note" set "views" = ?', expect.any(String)],
  });

  folder.write('content-types/note.toml', note(renamed));
  expect(await plan()).toMatchObject({ exitCode: 3, ok: true, state: 'apply' });
  const text = await run(['migrate', 'plan']);
  expect(text.exitCode).toBe(3);
  expect(text.out).toContain(
    'Made by "recto migrate apply":\n  note.toml: content type "note": field "title" is renamed to "headline", with its values in 2 records.\n',
  );
  expect(text.out).toContain('  ALTER TABLE "cms_note" RENAME COLUMN "title" TO "headline";\n');

  folder.write('content-types/note.toml', note('{ name = "title", field_type = "integer" }'));
  const rejected = await plan();
  expect(rejected).toMatchObject({ exitCode: 1, ok: false, state: 'refused', sql: [] });
  expect(rejected.changes[0].message).toContain('stored as text in 2 records and defined as integer, but the value');

  folder.write('content-types/note.toml', note(''));
  expect(await plan()).toMatchObject({ exitCode: 0, state: 'start', unused: ['note.title'] });
  expect(dataFiles()).toEqual(['recto.db']);
  expect(stored('SELECT title FROM cms_note ORDER BY title')).toEqual([{ title: 'one' }, { title: 'two' }]);
}, 600_000);

test('a rename is done when it is agreed to, with a backup of what was before', async () => {
  folder.write('content-types/note.toml', note(renamed));
  const started = await folder.run(['start']);
  expect(started.exitCode).toBe(1);
  expect(started.err).toContain('is renamed to "headline", with its values in 2 records.\nRun "recto migrate plan"');
  expect((await run(['doctor'])).out).toContain('recto migrate apply');

  expect(await run(['migrate', 'apply'])).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
  const declined = await run(['migrate', 'apply'], { entered: [''] });
  expect(declined).toMatchObject({ exitCode: 1, err: 'Nothing was changed.\n' });
  expect(declined.out).toContain('is renamed to "headline"');
  expect((await run(['migrate', 'apply', '--dry-run'])).exitCode).toBe(3);
  expect(dataFiles()).toEqual(['recto.db']);

  const { exitCode, out } = await run(['migrate', 'apply'], { entered: ['y'] });
  expect(out).toMatch(/Backed up to .*recto\.db\.before-migration-\d{8}T\d{6}Z: \d+ tables, \d+ rows, checked\.\n/);
  expect(out).toContain('note: 2 records\n');
  expect(exitCode).toBe(0);
  expect(stored('SELECT headline FROM cms_note ORDER BY 1')).toEqual([{ headline: 'one' }, { headline: 'two' }]);
  const [backup = ''] = dataFiles().filter((name) => name.includes('before'));
  expect(stored('SELECT title FROM cms_note ORDER BY 1', file(`data/${backup}`))).toHaveLength(2);
  await expectSchemaAgrees(file('data/recto.db'));
  expect((await run(['migrate', 'apply'])).out).toContain('as the definitions ask');
}, 600_000);

test('drops, without questions, with a backup elsewhere and with none', async () => {
  folder.write('content-types/note.toml', note(''));
  const elsewhere = file('elsewhere.db');
  const first = await run(['migrate', 'apply', '--yes', '--json', '--drop', 'note.title', '--backup', elsewhere]);
  expect(JSON.parse(first.out)).toMatchObject({
    ok: true,
    state: 'applied',
    records: { note: 2 },
    unused: [],
    backup: { file: elsewhere },
  });
  expect(stored('SELECT title FROM cms_note', elsewhere)).toHaveLength(2);
  expect(stored(`SELECT name FROM pragma_table_info('cms_note')`)).toEqual([{ name: '$row' }, { name: 'id' }]);
  rmSync(file('content-types/note.toml'));
  const second = await run(['migrate', 'apply', '--yes', '--drop-unused', '--no-backup']);
  expect(second.exitCode).toBe(0);
  expect(stored(`SELECT name FROM sqlite_schema WHERE name LIKE 'cms_note%'`)).toEqual([]);
  expect(dataFiles()).toEqual(['recto.db']);
  expect(await run(['migrate', 'apply', '--yes', '--drop', 'note'])).toMatchObject({ exitCode: 1 });
}, 600_000);

test('a service that runs is not changed under', async () => {
  const service = folder.spawn(['start']);
  await service.err(/"msg":"started"/);
  folder.write('content-types/note.toml', note(renamed));
  expect((await run(['migrate', 'plan'])).exitCode).toBe(3);
  const rejected = await run(['migrate', 'apply', '--yes']);
  service.kill('SIGTERM');
  await service.ended();
  expect(rejected).toMatchObject({ exitCode: 1, err: expect.stringContaining('stop the service first') });
  expect(dataFiles()).toEqual(['recto.db']);
}, 600_000);

test('starts and applies at once do everything once', async () => {
  folder.write('content-types/note.toml', note(renamed));
  const applies = await Promise.all([0, 1, 2].map(() => folder.run(['migrate', 'apply', '--yes', '--json'])));
  expect(applies.map(({ exitCode, out, err }) => ({ exitCode, err, ...(exitCode === 0 ? {} : { out }) }))).toEqual(
    applies.map(() => ({ exitCode: 0, err: '' })),
  );
  expect(applies.map(({ out }) => JSON.parse(out).state).filter((state) => state === 'applied')).toHaveLength(1);
  folder.write('content-types/note.toml', note(`${renamed}, { name = "views", field_type = "integer", default = 3 }`));
  const services = [0, 1, 2].map(() => folder.spawn(['start'], { RECTO_LOG_LEVEL: 'debug' }));
  const changed = await Promise.all(
    services.map(async (service) => (await service.err(/"changes":(\{.*?\})/))[1] ?? ''),
  );
  await Promise.all(services.map((service) => service.err(/"msg":"started"/)));
  expect(changed.filter((changes) => changes.includes('"note"'))).toHaveLength(1);
  for (const service of services) service.kill('SIGTERM');
  await Promise.all(services.map((service) => service.ended()));
  expect(stored('SELECT headline, views FROM cms_note ORDER BY 1')).toEqual([
    { headline: 'one', views: 3 },
    { headline: 'two', views: 3 },
  ]);
  await expectSchemaAgrees(file('data/recto.db'));
}, 600_000);

test('docs/changing-types.md shows the actual output', async () => {
  const examples = readDocument('docs/changing-types.md').blocks.filter(({ language }) => language === 'text');
  const [renames, narrows] = examples.map(({ text }) => text.trim().replace(/ \([0-9a-f-]{36}\)/, ' (ID)'));
  const article = (fields: string) => `singular = "article"\nplural = "articles"\nfields = [${fields}]`;
  const subtitle = (name: string, rest = '') => `{ name = "${name}", field_type = "text"${rest} }`;
  folder.write('content-types/article.toml', article(`${title}, ${subtitle('subtitle')}`));
  const service = folder.spawn(['start'], {
    RECTO_ADMIN_EMAIL: 'a@example.com',
    RECTO_ADMIN_PASSWORD: 'a long password',
  });
  await service.err(/"msg":"started"/);
  service.kill('SIGTERM');
  await service.ended();
  {
    using database = new BunDatabase(file('data/recto.db'));
    database.run(`INSERT INTO cms_article (id, title, subtitle) VALUES ('a', 'Short', 'x'), (?, 'Longer', 'y')`, [
      '01a1fc4b-24c3-74a0-9be7-dcae031900ad',
    ]);
  }
  const refusal = async (fields: string): Promise<string> => {
    folder.write('content-types/article.toml', article(fields));
    return (await run(['export'])).err.trim().replace(/ \([0-9a-f-]{36}\)/, ' (ID)');
  };
  expect(await refusal(`${title}, ${subtitle('tagline', ', renamed_from = "subtitle"')}`)).toBe(String(renames));
  const short = title.replace(' }', ', max_length = 5 }');
  expect(await refusal(`${short}, ${subtitle('subtitle')}`)).toBe(String(narrows));
}, 600_000);

test('without a database there is nothing to do', async () => {
  rmSync(file('data'), { recursive: true });
  expect(await run(['migrate', 'plan'])).toMatchObject({ exitCode: 0, out: expect.stringContaining('first start') });
  expect((await run(['migrate', 'apply', '--yes'])).exitCode).toBe(0);
  expect(existsSync(file('data'))).toBe(false);
});
