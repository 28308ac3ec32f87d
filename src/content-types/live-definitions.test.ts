import { expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, query } from '../../test/database.ts';
import { deployed } from '../../test/definitions.ts';
import { LiveDefinitions } from './live-definitions.ts';

const note = (...names: readonly string[]) =>
  deployed([{ singular: 'note', plural: 'notes', fields: names.map((name) => ({ name, field_type: 'text' })) }], []);

test.skipIf(!onPostgres)(
  'changed definitions may look at what is stored for longer than other reads may take',
  async () => {
    await using database = await openTestDatabase();
    await LiveDefinitions.open({ database, deployed: note('title', 'summary') });
    const hasty = await database.again({ readTimeoutMs: 100 });
    const locked = Promise.withResolvers<void>();
    const holding = database.transaction(async (transaction) => {
      await transaction.run(query('LOCK TABLE cms_note IN ACCESS EXCLUSIVE MODE'));
      locked.resolve();
      await transaction.rows(query('SELECT pg_sleep(0.6)'));
    });
    await locked.promise;
    const { changes } = await LiveDefinitions.open({ database: hasty, deployed: note('title') });
    expect(changes).toEqual({ created: [], changed: ['note'], reindexed: ['note'] });
    await holding;
    await hasty.close();
  },
);
