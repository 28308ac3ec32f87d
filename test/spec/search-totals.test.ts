import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { compiledQuery } from '../../packages/recto/src/database/compiled-query.ts';
import { TestService } from '../service.ts';

// A search counts up to 10,000 matches, of the records that its caller sees.

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'open', field_type: 'boolean' },
    { name: 'owner', field_type: 'text' },
  ],
  api: { list: { filter: 'open = true', filter_auth: 'owner = "mia" || owner = "max"' } },
};
const many = 10_003;

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([note]);
  await service.account('ada', 'admin');
  const made = { title: 'a colourful word', open: true };
  await service.seed('notes', made);
  await service.seed('notes', { title: 'colour', open: false, owner: 'mia' });
  await service.seed('notes', { title: 'another', open: true });
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

const total = async (query: string, as?: string): Promise<unknown[]> => {
  const reply = await service.send(`GET /api/v1/cms/notes?${query}`, as === undefined ? {} : { as });
  return [reply.status, reply.json.total, reply.json.total_is_estimate];
};

test('few matches are counted exactly, of each caller', async () => {
  expect(await total('search=colo')).toEqual([200, 1, undefined]);
  expect(await total('search=colo', 'ada')).toEqual([200, 2, undefined]);
  expect(await total('search=colo&filter=open', 'ada')).toEqual([200, 1, undefined]);
  expect(await total('search=colo&open=false', 'ada')).toEqual([200, 1, undefined]);
  expect(await total('search=…')).toEqual([200, 0, undefined]);
});

test('more than 10,000 matches are 10,000 with a mark', async () => {
  const { database } = service;
  // Copies of the first record and of its place in the index, as the writer of records makes them.
  const { dialect } = database;
  await database.transaction(async (transaction) => {
    const columns = sql`"title", "open", "owner"`;
    const ids = Array.from({ length: many }, () => crypto.randomUUID());
    for (let from = 0; from < many; from += 500) {
      const rows = ids
        .slice(from, from + 500)
        .map((id) => sql`(${id}, 'colour', ${dialect.encode('boolean', true)}, null)`);
      await transaction.run(
        compiledQuery(sql`insert into "cms_note" ("id", ${columns}) values ${sql.join(rows)}`, dialect),
      );
    }
    const copies = sql`select "$row" as "row" from "cms_note" where "title" = 'colour' and "owner" is null`;
    const rows = await transaction.rows<{ row: number }>(compiledQuery(copies, dialect));
    for (let from = 0; from < rows.length; from += 500) {
      const entries = rows.slice(from, from + 500).map(({ row }) => ({ row, words: ['colour', ''] }));
      for (const statement of dialect.search.indexNew('cms_note', ['title', 'owner'], entries))
        await transaction.run(statement);
    }
    transaction.touch('note');
  });
  expect(await total('search=colo')).toEqual([200, 10_000, true]);
  expect(await total('search=colourful')).toEqual([200, 1, undefined]);
  expect(await total('')).toEqual([200, many + 2, undefined]);
});
