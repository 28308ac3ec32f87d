import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import { projectRoot } from '../../support/documents.ts';
import { countsOf, importInto, openPlanned, planOf } from '../../support/foreign-imports.ts';

/** A project in eight languages, where it is beside this repository. */
const sample = join(projectRoot, '../shared/data/directus');
const entry = importers.find(({ format }) => format === 'directus');
const languages = ['en', 'ar', 'de', 'es', 'fr', 'it', 'pt', 'ru'];

// biome-ignore lint/suspicious/noExplicitAny: rows of every collection.
type Row = any;

function rowsOf(name: string): readonly Row[] {
  const path = join(sample, 'content', `${name}.json`);
  const value = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  return Array.isArray(value) ? value : [value];
}

/** What a record here has to say for a plain value there. */
const plain = (value: Row): Row =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : (value ?? null);

test.skipIf(!existsSync(sample))('every value of a project is here, and in its language', async () => {
  if (entry === undefined) throw new Error('There is no importer of Directus.');
  const plan = await planOf(entry, sample, { languages: languages.join(',') });
  await using service = await openPlanned(plan, { languages: languages.join(',') });
  await service.account('ada', 'admin');
  const first = countsOf(await importInto(service, entry, sample, plan.map));
  const again = countsOf(await importInto(service, entry, sample, plan.map));
  expect(Object.entries(again).filter(([kind, [taken]]) => kind !== 'files' && taken !== 0)).toEqual([]);
  const different: string[] = [];
  let compared = 0;
  for (const { type, definition } of plan.types) {
    if (definition === undefined || !('plural' in definition)) continue;
    const { plural } = definition;
    const path = `/api/v1/admin/cms/${plural}`;
    const all = JSON.stringify(definition.fields).includes('"localized":true') ? 'language=*' : '';
    const answer = (await service.send(`GET ${path}?${all}&page_size=100`, { as: 'ada' })).json;
    const items: readonly Row[] = answer.items;
    const byId = new Map(items.map((item) => [item.__meta?._directus?.id, item]));
    const translations = rowsOf(`${type.from}_translations`);
    for (const row of rowsOf(type.from)) {
      const record = byId.get(String(row.id));
      if (record === undefined)
        throw new Error(`${type.from} ${row.id} is not there: ${JSON.stringify(answer).slice(0, 200)}`);
      for (const { from, to } of type.fields) {
        const own = record[to];
        const isByLanguage =
          own !== null && typeof own === 'object' && Object.keys(own).some((tag) => languages.includes(tag));
        const wanted = plain(row[from]);
        const isNothing = own !== null && typeof own === 'object' && Object.keys(own).length === 0;
        const here = isByLanguage || isNothing ? (own.en ?? null) : own;
        if (wanted === null || typeof wanted !== 'object') {
          // Ids are others here, and a time that is not known is that of the import.
          if (/^[0-9a-f-]{36}$/.test(String(own ?? wanted)) || /_at$/.test(to) || own?.url !== undefined) continue;
          compared += 1;
          if (here !== wanted && !String(wanted).includes('<'))
            different.push(`${type.from} ${row.id} ${from}: ${here} / ${wanted}`);
        }
        // Of several in one language, the last one is taken.
        const rows = translations.filter((each: Row) => Object.values(each).includes(row.id));
        for (const said of new Map(rows.map((each: Row) => [each.languages_code, each])).values()) {
          if (/^(?:status|date_|user_|sort)/.test(from) || typeof said[from] !== 'string' || said[from].includes('<'))
            continue;
          compared += 1;
          const tag = said.languages_code.slice(0, 2);
          const there = isByLanguage ? own[tag] : tag === 'en' ? own : null;
          if (there !== said[from]) different.push(`${type.from} ${row.id} ${from} ${tag}: ${there} / ${said[from]}`);
        }
      }
    }
  }
  expect(different).toEqual([]);
  expect(first.media?.[0]).toBeGreaterThan(0);
  expect(compared).toBeGreaterThan(500);
  const anonymous = await service.send('GET /api/v1/cms/imported_posts?page_size=50', {});
  const published = rowsOf('posts').filter(
    ({ status, published_at: at }) => status === 'published' && at !== null && Date.parse(at) < Date.now(),
  );
  expect(anonymous.json.total).toBe(published.length);
});
