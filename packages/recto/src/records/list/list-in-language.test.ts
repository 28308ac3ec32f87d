// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, type TestDatabase } from '../../../../../test/support/database/database.ts';
import { definitionsIn, definitionsOf } from '../../../../../test/support/definitions.ts';
import { anonymous } from '../../base/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typesInLanguage } from '../../definition/languages/types-in-language.ts';
import { viewNamed } from '../../definition/rights/read-view.ts';
import { syncSchema } from '../../migrations/sync-schema.ts';
import { readListQuery } from '../../query/list-query.ts';
import { languageDialect } from '../plans/language-tables.ts';
import { RequestBindings } from '../plans/plan.ts';
import { buildListPlan, type ListShape, listValues } from './list-plan.ts';

const word = { name: 'title', field_type: 'text', max_length: 100, indexed: true };
const slug = { name: 'slug', field_type: 'uid' };
const plain = { singular: 'note', plural: 'notes', fields: [word, slug, { name: 'count', field_type: 'integer' }] };
const localized = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { ...word, localized: true },
    { ...slug, localized: true },
    { name: 'body', field_type: 'richtext', localized: true },
    { name: 'count', field_type: 'integer' },
  ],
};

const planOf = (types: ContentTypes, dialect: Dialect, singular: string, text: string) => {
  const type = types.get(singular);
  const view = viewNamed(text.includes('natural') ? 'admin' : 'list');
  const query = readListQuery(text, { type, types, view }, { pageSize: 20, maxPageSize: 100 }, new Set());
  const shape: ListShape = { type, types, view, authenticated: false, tenant: false, query, after: null };
  const bindings = new RequestBindings(anonymous, listValues(shape, dialect).items);
  return { plan: buildListPlan(shape, dialect, 'as_defined'), bindings };
};

let database: TestDatabase;
const types = definitionsIn('en,de,fr', plain, localized);

beforeAll(async () => {
  database = await openTestDatabase();
  await syncSchema(database, types);
});
afterAll(() => database.close());

test.each(['', 'sort=title:asc', 'slug=a&fields=title', 'filter=count > 1', 'search=words'])(
  'a type without localized fields has the statements of a service with one language: %p',
  (text) => {
    const one = planOf(definitionsOf(plain), database.dialect, 'note', text).plan;
    const several = planOf(types, database.dialect, 'note', text).plan;
    expect([several.items.sql, several.total.sql]).toEqual([one.items.sql, one.total.sql]);
    const german = readLanguage(types.languages, types.languages.others[0] ?? types.languages.default, true, 'admin');
    if (german === undefined) throw new Error('German is not the default language.');
    const shown = typesInLanguage(types, german);
    expect(planOf(shown, languageDialect(database.dialect, shown), 'note', text).plan.items.sql).toBe(one.items.sql);
  },
);

describe.if(!onPostgres)('in another language, with values of the default where it lacks some', () => {
  const steps = async (text: string, of: 'items' | 'total' = 'items'): Promise<string> => {
    const german = readLanguage(types.languages, types.languages.others[0] ?? types.languages.default, true, 'admin');
    if (german === undefined) throw new Error('German is not the default language.');
    const shown = typesInLanguage(types, german);
    const { plan, bindings } = planOf(shown, languageDialect(database.dialect, shown), 'article', text);
    const { sql, parameters } = plan[of].bind(bindings);
    const lines = await database.rows<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, parameters });
    return lines.map(({ detail }) => detail).join('\n');
  };
  const sorts = 'USE TEMP B-TREE FOR ORDER BY';

  test('a list by an indexed field is a range of the index of what the language shows', async () => {
    for (const direction of ['asc', 'desc', 'asc:natural', 'desc:natural']) {
      const [page = ''] = (await steps(`sort=title:${direction}`)).split('CORRELATED SCALAR SUBQUERY');
      expect(page).toContain(direction.endsWith('natural') ? 'title$shown:natural' : 'title$shown');
      expect(page).not.toContain(sorts);
    }
  });

  test('a list by an indexed field looks up the records of its page alone, and counts none', async () => {
    const [page = '', rest = ''] = (await steps('sort=title:desc')).split('SCAN page');
    expect(page).toMatch(/SEARCH \S+__languages USING COVERING INDEX/);
    expect(page).not.toMatch(/(?:SEARCH|SCAN) t\b/);
    expect(rest).toMatch(/SEARCH t\b/);
    for (const text of ['', 'sort=title:desc']) {
      const counted = await steps(text, 'total');
      expect(counted).toContain('COVERING INDEX');
      expect(counted).not.toMatch(/(?:SEARCH|SCAN) t\b/);
    }
  });

  test('a slug is looked up in the index of what the language shows', async () => {
    const shown = await steps('slug=hallo');
    expect(shown).toContain('slug$shown');
    expect(shown).not.toMatch(/SCAN (?:t|l0)\b/);
    // The record itself is looked up once: to be shown, and neither to be found nor to be counted.
    expect(shown.match(/SEARCH t\b/g)).toHaveLength(1);
    expect(await steps('slug=hallo', 'total')).not.toMatch(/SEARCH t\b/);
    expect((await steps('slug=hallo&filter=count > 1', 'total')).match(/SEARCH t\b/g)).toHaveLength(1);
  });

  test('a list in its usual order reads no more records than the page has', async () => {
    const shown = await steps('');
    expect(shown).not.toContain('MATERIALIZE');
    expect(shown).not.toMatch(/SCAN (?:t|l0)(?! USING)/);
  });
});
