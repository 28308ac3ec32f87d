import { Database } from 'bun:sqlite';
import { parseArgs } from 'node:util';
import { TestService } from '../test/support/service.ts';
import { article, articleOf, author, topic } from './content.ts';
import { print, processorTime, ratio, type Side, shown } from './in-process.ts';
import { median } from './paired-rounds.ts';

/*
 * What languages cost: `npx bun bench/languages.ts [--rounds 21] [--records 10000]`, in process, on the SQLite database of the tests.
 *
 * - a type without localized fields where the service has two languages, over the same where it has one;
 * - a localized type in the default language over the same type without localized fields, as a list and by slug;
 * - another language over the default, as a list, and by slug;
 * - the list that is sorted by an indexed localized field, of many records in 30 languages over that of a thousand.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '21' }, records: { type: 'string', default: '10000' } },
});
const rounds = Number(values.rounds);

const plain = {
  ...article,
  fields: [
    { ...article.fields[0], indexed: true },
    ...article.fields.slice(1),
    { name: 'slug', field_type: 'uid', target_field: 'title' },
  ],
};
const words = new Set(['title', 'summary', 'slug']);
const localized = {
  ...plain,
  fields: plain.fields.map((field) => (words.has(String(field.name)) ? { ...field, localized: true } : field)),
};

async function filled(definition: unknown, languages: readonly string[], records: number): Promise<TestService> {
  const service = await TestService.open(
    [definition, author, topic],
    languages.length > 1 ? { languages: languages.join(',') } : {},
  );
  const body = (number: number) => {
    const { title, summary, reads, rating, featured } = articleOf(number);
    return { title, summary, reads, rating, featured, slug: `article-${number}`, status: 'published' };
  };
  const first = await service.seed('articles', body(0));
  await service.account('eve', 'editor');
  // The rest is written past the API: millions of values. What they need for speed is for this connection alone.
  const database = new Database(service.database.path);
  for (const setting of ['cache_size = -1000000', 'synchronous = off', 'temp_store = memory']) {
    database.run(`pragma ${setting}`);
  }
  const columns = (table: string) =>
    database
      .query<{ name: string }, []>(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
  const own = columns('cms_article').filter((name) => name !== '$row');
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const insert = database.prepare(
    `insert into cms_article (${list(own)}) select ${own.map((name) => (['id', 'title', 'summary', 'reads', 'slug'].includes(name) ? '?' : `"${name}"`)).join(', ')} from cms_article where id = ?`,
  );
  database.transaction(() => {
    for (let number = 1; number < records; number += 1) {
      const given: Readonly<Record<string, unknown>> = { ...body(number), id: Bun.randomUUIDv7() };
      const taken = own.flatMap((name) =>
        ['id', 'title', 'summary', 'reads', 'slug'].includes(name) ? [String(given[name])] : [],
      );
      insert.run(...taken, first.id);
    }
  })();
  if (languages.length > 1 && definition === localized) {
    const table = 'cms_article__languages';
    const given = columns(table);
    // Indexes are made afterwards: to keep them in order from row to row takes ten times as long.
    const indexes = database
      .query<{ name: string; sql: string }, []>(
        `select name, sql from sqlite_master where type = 'index' and tbl_name = '${table}' and sql is not null`,
      )
      .all();
    for (const { name } of indexes) database.run(`drop index "${name}"`);
    database.run(`delete from ${table}`);
    const selects = [];
    for (const tag of languages.slice(1)) {
      const value = (name: string): string => {
        if (name === '$record') return 'id';
        if (name === '$language') return `'${tag}'`;
        if (name === '$changed_at') return 'updated_at';
        const column = name.replace('$shown', '');
        if (column === 'slug') return `slug || '-${tag.toLowerCase()}'`;
        return words.has(column) ? `${column} || ' ${tag}'` : 'null';
      };
      selects.push(`select ${given.map(value).join(', ')} from cms_article`);
    }
    // In the order of the table, which is that of its key.
    database.run(`insert into ${table} (${list(given)}) select * from (${selects.join(' union all ')}) order by 1, 2`);
    for (const index of indexes) database.run(index.sql);
    database.run(`update cms_article set "$languages" = ?`, [JSON.stringify(languages)]);
  }
  database.run('analyze');
  // What is read is the file, as after any other day, and not the log of all that has just been written.
  database.run('pragma wal_checkpoint(truncate)');
  database.close();
  return service;
}

const of = (service: TestService, query: string): Side => ({
  ...{ service, as: 'eve' },
  path: (number) => `/api/v1/admin/cms/articles?page=${1 + (number % 3)}&skip_total=true&${query}`,
});
const bySlug = (service: TestService, language: string): Side => ({
  ...{ service, as: 'eve' },
  path: (number) =>
    language === ''
      ? `/api/v1/admin/cms/articles?slug=article-${number}`
      : `/api/v1/admin/cms/articles?slug=article-${number}-${language}&language=${language}`,
});

{
  // So many that each file is beyond the size up to which statements are taken to be quick.
  await using one = await filled(plain, ['en'], 3_000);
  await using two = await filled(plain, ['en', 'de'], 3_000);
  await using both = await filled(localized, ['en', 'de'], 3_000);
  const sort = 'sort=title:asc';
  print(
    `without localized fields, two languages over one: ${shown(await ratio(of(two, sort), of(one, sort), rounds))}`,
  );
  print(
    `default language over no languages:               ${shown(await ratio(of(both, sort), of(one, sort), rounds))}`,
  );
  const german = of(both, `${sort}&language=de`);
  print(`another language over the default:                ${shown(await ratio(german, of(both, sort), rounds))}`);
  const fallen = of(both, `${sort}&language=de&fallback=true`);
  print(`another with fallback over the default:           ${shown(await ratio(fallen, of(both, sort), rounds))}`);
  print(
    `slug, default over no languages:                  ${shown(await ratio(bySlug(both, ''), bySlug(one, ''), rounds))}`,
  );
  print(
    `slug, another language over the default:          ${shown(await ratio(bySlug(both, 'de'), bySlug(both, ''), rounds))}`,
  );
}
{
  const tags = 'en,de,fr,es,it,pt,nl,sv,da,nb,fi,pl,cs,sk,hu,ro,bg,el,tr,uk,ru,ar,he,fa,hi,ja,ko,zh,th,vi'.split(',');
  await using few = await filled(localized, tags, 1_000);
  await using many = await filled(localized, tags, Number(values.records));
  for (const query of ['sort=title:asc&language=de', 'sort=title:asc&language=de&fallback=true']) {
    const times: [number, number][] = [];
    for (let round = -2; round < rounds; round += 1) {
      const time = [await processorTime(of(few, query)), await processorTime(of(many, query))] as const;
      if (round >= 0) times.push([...time]);
    }
    const [a, b] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))];
    print(`30 languages, ${query}: ${a.toFixed(0)} µs of 1,000 records, ${b.toFixed(0)} µs of ${values.records}`);
  }
}
