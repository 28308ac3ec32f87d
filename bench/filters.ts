import { anonymous } from '../packages/recto/src/base/caller.ts';
import { sqliteDialect } from '../packages/recto/src/database/sqlite/sqlite-dialect.ts';
import { endpointViews } from '../packages/recto/src/definition/rights/read-view.ts';
import { syncSchema } from '../packages/recto/src/migrations/sync-schema.ts';
import { readListQuery } from '../packages/recto/src/query/list-query.ts';
import { buildListPlan, type ListShape, listValues } from '../packages/recto/src/records/list/list-plan.ts';
import { RequestBindings } from '../packages/recto/src/records/plans/plan.ts';
import { openTestDatabase, type TestDatabase } from '../test/support/database/database.ts';
import { definitionsOf } from '../test/support/definitions.ts';

// What filters cost: `npx bun bench/filters.ts`, with RECTO_TEST_DATABASE=postgres for PostgreSQL. Each figure is the best of
// several runs, so that other programs on the machine matter little.

const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const name = { name: 'name', field_type: 'text', max_length: 50 };
const types = definitionsOf(
  {
    singular: 'item',
    plural: 'items',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'views', field_type: 'integer', indexed: true },
      relation('author', 'many_to_one', 'authors'),
      relation('topics', 'many_to_many', 'topics'),
    ],
  },
  { singular: 'author', plural: 'authors', fields: [name, relation('team', 'many_to_one', 'teams')] },
  { singular: 'topic', plural: 'topics', fields: [name] },
  { singular: 'team', plural: 'teams', fields: [name] },
);

/** Of each author, topic and team, whatever the number of items, the first has 20 items; the others share the rest. */
const others = 1_000;
const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
const id = (kind: string, expression: string) => `'${kind}' || (100000000 + ${expression})`;

async function seeded(items: number): Promise<TestDatabase> {
  const database = await openTestDatabase();
  await syncSchema(database, types);
  const rare = `CASE WHEN i % ${items / 20} = 7 THEN 0 ELSE 1 + i % ${others - 1} END`;
  const statements = [
    `INSERT INTO cms_team (id, name) ${numbers(others)} SELECT ${id('t', 'i')}, 'team' || i FROM n`,
    `INSERT INTO cms_topic (id, name) ${numbers(others)} SELECT ${id('o', 'i')}, 'topic' || i FROM n`,
    `INSERT INTO cms_author (id, name, team) ${numbers(others)} SELECT ${id('a', 'i')}, 'author' || i, ${id('t', 'i')} FROM n`,
    `INSERT INTO cms_item (id, title, views, author) ${numbers(items)}
      SELECT ${id('i', 'i')}, 'Item ' || i, i * 79 % ${items}, ${id('a', rare)} FROM n`,
    `INSERT INTO "cms_item$topics" (source_id, target_id, position) ${numbers(items)}
      SELECT ${id('i', 'i')}, ${id('o', rare)}, 0 FROM n`,
  ];
  await database.transaction(async (transaction) => {
    for (const sql of statements) await transaction.run({ sql, parameters: [] });
    for (const { table } of types.all) {
      for (const { sql } of database.dialect.schema.analyze(table)) await transaction.run({ sql, parameters: [] });
    }
  });
  return database;
}

function statements(query: string, database: TestDatabase) {
  const type = types.get('item');
  const read = readListQuery(
    query,
    { type, types, view: endpointViews.list },
    { pageSize: 20, maxPageSize: 100 },
    new Set(),
  );
  const shape: ListShape = {
    type,
    types,
    view: endpointViews.list,
    authenticated: false,
    tenant: false,
    query: read,
    after: null,
  };
  const plan = buildListPlan(shape, database.dialect, 'as_defined');
  const values = listValues(shape, database.dialect);
  return {
    page: plan.items.bind(new RequestBindings(anonymous, values.items)),
    total: plan.total.bind(new RequestBindings(anonymous, values.total)),
  };
}

/** Milliseconds of the fastest of several runs. */
async function fastest(run: () => unknown, most = 40): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + 1_500;
  for (let count = 0; count < most && (count < 3 || performance.now() < end); count += 1) {
    const begin = performance.now();
    await run();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

const expression = (filter: string) => `filter=${encodeURIComponent(filter)}`;
const lists = [
  'views=77',
  expression('views = 77'),
  expression('views > 100 && views < 200'),
  expression('author.name = "author0"'),
  expression('author.name = "author7"'),
  expression('author.name ~ "%"'),
  expression('author.team.name = "team0"'),
  expression('topics.name ?= "topic0"'),
  expression('topics.name ?= "topic7"'),
  expression('topics.name ?!= "topic7"'),
  `${expression('author.name = "author0"')}&sort=views:desc`,
  `${expression('author.name = "author7"')}&sort=views:desc`,
  `${expression('topics.name ?= "topic7"')}&sort=views:desc`,
  `${expression('author.name ~ "%"')}&sort=views:desc`,
];

const sizes = process.argv.slice(2).map(Number);
const rows = new Map<string, string[]>(lists.map((query) => [query, []]));
for (const items of sizes.length === 0 ? [10_000, 1_000_000] : sizes) {
  const database = await seeded(items);
  for (const query of lists) {
    const { page, total } = statements(query, database);
    const times = [await fastest(() => database.rows(page)), await fastest(() => database.rows(total))];
    rows.get(query)?.push(...times.map((time) => time.toFixed(2)));
  }
  await database.close();
}
const print = (line: string) => process.stdout.write(`${line}\n`);
print(`${'list'.padEnd(40)} page and total in ms, by number of records`);
for (const [query, times] of rows) {
  print(decodeURIComponent(query).padEnd(40) + times.map((time) => time.padStart(9)).join(''));
}

/** Milliseconds to read, check and plan a filter of a shape that was never asked before, without the database. */
function planning(): number {
  const type = types.get('item');
  const operators = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'];
  const paths = ['title', 'author.name', 'author.team.name', 'topics.name'];
  const filters = paths.flatMap((a) =>
    operators.flatMap((one) =>
      operators.map((other) => `${a} ${a === 'topics.name' ? '?' : ''}${one} "x" && title ${other} "y"`),
    ),
  );
  const once = () => {
    const begin = process.cpuUsage();
    for (const filter of filters) {
      const read = readListQuery(
        expression(filter),
        { type, types, view: endpointViews.list },
        { pageSize: 20, maxPageSize: 100 },
        new Set(),
      );
      const shape: ListShape = {
        type,
        types,
        view: endpointViews.list,
        authenticated: false,
        tenant: false,
        query: read,
        after: null,
      };
      buildListPlan(shape, sqliteDialect, 'as_defined');
    }
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000 / filters.length;
  };
  return Math.min(...Array.from({ length: 20 }, once));
}
print(`planning a new filter: ${planning().toFixed(3)} ms of processor time`);
