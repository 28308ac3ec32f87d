// databases: sqlite, postgres:rest
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../packages/recto/src/base/ids.ts';
import type { Database } from '../../../packages/recto/src/database/database.ts';
import { openDatabase } from '../../../packages/recto/src/database/open-database.ts';
import { readAsItIs } from '../../../packages/recto/src/database/read-database.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { copyDatabase, openCopySource } from '../../../packages/recto/src/transfer/copy/copy-database.ts';
import { exportRecords } from '../../../packages/recto/src/transfer/json/export-records.ts';
import { importRecords } from '../../../packages/recto/src/transfer/json/import-records.ts';
import { recordFilesAt } from '../../../packages/recto/src/transfer/json/record-files.ts';
import { expectSchemaAgrees } from '../../support/database/schema-agrees.ts';
import { TestService } from '../../support/service.ts';
import { article, openMagazine, translated } from './articles.ts';

let service: TestService;
let folder: string;

beforeEach(async () => {
  service = await openMagazine();
  folder = mkdtempSync(join(tmpdir(), 'recto-languages-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await service[Symbol.asyncDispose]();
});

const exported = async (
  { database, types }: Pick<TestService, 'types'> & { readonly database: Database },
  name: string,
) => {
  const out = join(folder, name);
  const article = types.get('article');
  await exportRecords({ database, types: [article], folder: out, progress: () => {} });
  return readFileSync(join(out, 'articles.ndjson'), 'utf8');
};

const imported = async (into: TestService, lines: string, existing?: 'update') => {
  const file = join(folder, 'articles.ndjson');
  writeFileSync(file, lines);
  const { database, types } = into;
  return importRecords({
    ...{ database, types, workFolder: folder, dryRun: false, progress: () => {} },
    files: await recordFilesAt(file, undefined, types),
    ...(existing === undefined ? {} : { match: { key: 'id', existing } }),
  });
};

test('an export holds every language, and an import of it gives the same records', async () => {
  const id = await translated(
    service,
    { title: 'Hello', slug: 'hello', points: 3 },
    { de: { title: 'Hallo', slug: 'hallo' }, fr: { title: 'Bonjour' } },
  );
  const lines = await exported(service, 'first');
  expect(JSON.parse(lines)).toMatchObject({
    id,
    title: { en: 'Hello', de: 'Hallo', fr: 'Bonjour' },
    slug: { en: 'hello', de: 'hallo' },
    body: { en: null },
    points: 3,
  });
  await using other = await openMagazine();
  await imported(other, lines);
  expect(await exported(other, 'second')).toBe(lines);
  const { json } = await other.send(`GET /api/v1/cms/articles/${id}?language=fr-CA`);
  expect(json).toMatchObject({ title: 'Bonjour', __language: 'fr-CA', __fallback: expect.arrayContaining(['title']) });
});

const line = (record: object): string => `${JSON.stringify({ id: newId(), ...record })}\n`;

test('what is wrong in a language is named with it', async () => {
  const refused = await imported(
    service,
    line({ title: { en: 'One', de: 3, it: 'Uno' }, slug: { en: 'one', de: 'Not a slug' } }),
  ).catch((error: unknown) => String(error));
  for (const part of ['title.de', 'title.it', '"it" is no language of this service', 'slug.de'])
    expect(refused).toContain(part);
});

test('a slug that another record has in a language is refused, and one that it has in another is not', async () => {
  await translated(service, { title: 'Hello', slug: 'hello' }, { de: { slug: 'hallo' } });
  const refused = await imported(service, line({ title: 'Two', slug: { en: 'two', de: 'hallo' } })).catch(String);
  expect(refused).toContain('slug.de: Another record has this slug in de.');
  await imported(service, line({ title: 'Three', slug: { en: 'three', fr: 'hallo' } }));
});

test('an import that updates writes each language, and what is not sent stays', async () => {
  const id = await translated(
    service,
    { title: 'Hello', points: 1 },
    { de: { title: 'Hallo' }, fr: { title: 'Salut' } },
  );
  await imported(service, line({ id, title: { en: 'Hi', de: 'Moin' } }), 'update');
  const titles = [];
  for (const tag of ['en', 'de', 'fr']) {
    const { json } = await service.send(`GET /api/v1/cms/articles/${id}?language=${tag}`);
    titles.push(json.title);
  }
  expect(titles).toEqual(['Hi', 'Moin', 'Salut']);
});

test('an export holds the draft of each language, and an import of it brings them back', async () => {
  const protocols = [{ name: 'versionable', drafts: true }, 'statusable'];
  const open = () => TestService.open([{ ...article, protocols, fields: article.fields.slice(0, 3) }], inTwo);
  const inTwo = { languages: 'en,de' };
  await using from = await open();
  await from.account('ann', 'admin');
  const { id } = await from.seed('articles', { title: 'Hello', status: 'published' });
  const one = `/api/v1/admin/cms/articles/${id}`;
  const drafted = await from.send(`PUT ${one}?draft=true&language=de`, { as: 'ann', body: { title: 'Hallo' } });
  expect(drafted.status).toBe(200);
  const lines = await exported(from, 'drafts');
  await using to = await open();
  await to.account('ann', 'admin');
  await imported(to, lines);
  expect(await exported(to, 'again')).toBe(lines);
  expect((await to.send(`GET ${one}?language=de`, { as: 'ann' })).json.__draft.changes).toEqual({ title: 'Hallo' });
  expect((await to.send(`POST ${one}/publish?language=de`, { as: 'ann' })).json.title).toBe('Hallo');
  const wrong = JSON.parse(lines);
  wrong.__draft.de.changes = { title: 3 };
  const refused = await imported(to, `${JSON.stringify({ ...wrong, id: newId() })}\n`).catch(String);
  expect(refused).toContain('__draft.de.changes.title');
});

test('a copy of the database holds every language', async () => {
  await translated(service, { title: 'Hello', slug: 'hello' }, { de: { title: 'Hallo', slug: 'hallo' } });
  const to = { kind: 'sqlite', path: join(folder, 'copy.db') } as const;
  const opened = { engine: rectoTables, filling: true, connections: 2 };
  await readAsItIs(service.database.location, async (executor, dialect) => {
    const target = await openDatabase(to, opened);
    try {
      const source = await openCopySource(executor, dialect, rectoTables);
      await copyDatabase(source, { target, restart: false, progress: () => {} });
    } finally {
      await target.close();
    }
  });
  await expectSchemaAgrees(to.path);
  const database = await openDatabase(to, { engine: rectoTables, connections: 2 });
  try {
    expect(await exported({ database, types: service.types }, 'copied')).toBe(await exported(service, 'original'));
  } finally {
    await database.close();
  }
});
