// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

// A search counts and ranks up to 10,000 matches, of the records that its caller sees.

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
const bound = 10_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([note]);
  await service.account('ada', 'admin');
  // Matches less well than what has the word in its title.
  await service.seed('notes', { title: 'first', owner: 'a colourful word', open: true });
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

/** Adds records with the word in their title, with their places in the index, as the writer of records makes them. */
async function add(count: number): Promise<void> {
  const { database } = service;
  const { dialect } = database;
  await database.transaction(async (transaction) => {
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    for (let from = 0; from < count; from += 500) {
      const some = ids.slice(from, from + 500);
      const rows = some.map(() => `(?, 'colour', ?, null)`).join(', ');
      const values = some.flatMap((id) => [id, dialect.encode('boolean', true)]);
      await transaction.run(query(`insert into "cms_note" ("id", "title", "open", "owner") values ${rows}`, ...values));
      const places = some.map(() => '?').join(', ');
      const numbers = query(`select "$row" as "row" from "cms_note" where "id" in (${places})`, ...some);
      const made = await transaction.rows<{ row: number }>(numbers);
      const entries = made.map(({ row }) => ({ row, words: ['colour', ''] }));
      for (const statement of dialect.search.indexNew('cms_note', ['title', 'owner'], entries))
        await transaction.run(statement);
    }
    transaction.touch('note');
  });
}

test('10,000 matches are counted and ranked, and of one more there is a bounded total in the order of storage', async () => {
  const first = async (): Promise<unknown> =>
    (await service.send('GET /api/v1/cms/notes?search=colo')).json.items[0].title;
  await add(bound - 1);
  expect(await total('search=colo')).toEqual([200, bound, undefined]);
  expect(await first()).toBe('colour');
  await add(1);
  expect(await total('search=colo')).toEqual([200, bound, true]);
  expect(await first()).toBe('first');
  // A search for fewer, and a list without a search, are what they were.
  expect(await total('search=colourful')).toEqual([200, 1, undefined]);
  expect(await total('search=colo&owner=mia')).toEqual([200, 0, undefined]);
  expect(await total('')).toEqual([200, bound + 2, undefined]);
});
