import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import { insert, makeThings, names } from './things.fixture.ts';

describe('generations', () => {
  test('move with a commit, once for a transaction, and not with a rollback', async () => {
    await using database = await openTestSqlite();
    const { generations } = database;
    const read = async () => {
      await generations.refresh();
      return [generations.of('article'), generations.of('author')];
    };
    expect(await read()).toEqual([0, 0]);
    await database.transaction(async (transaction) => {
      transaction.touch('article');
      transaction.touch('article');
    });
    expect(generations.of('article')).toBe(0);
    expect(await read()).toEqual([1, 0]);
    const refused = database.transaction(async (transaction) => {
      transaction.touch('author');
      throw new Error('refused');
    });
    const committed = database.transaction(async (transaction) => transaction.touch('article'));
    await expect(refused).rejects.toThrow('refused');
    await committed;
    expect(await read()).toEqual([2, 0]);
  });

  test('show what another process committed', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    await database.transaction(async (transaction) => transaction.touch('article'));
    await database.generations.refresh();
    const script = `
      import { openSqliteDatabase } from ${JSON.stringify(join(import.meta.dir, 'sqlite-database.ts'))};
      import { rectoTables } from ${JSON.stringify(join(import.meta.dir, '../../service/recto-tables.ts'))};
      const database = await openSqliteDatabase({ path: ${JSON.stringify(database.path)}, engine: rectoTables });
      await Promise.all(Array.from({ length: 20 }, (_, index) => database.transaction(async (transaction) => {
        await transaction.run({ sql: 'INSERT INTO things (name) VALUES (?)', parameters: ['other ' + index] });
        transaction.touch(index % 2 === 0 ? 'article' : 'author');
      })));
      await database.close();`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'inherit', stderr: 'inherit' });
    const own = Array.from({ length: 20 }, (_, index) =>
      database.transaction(async (transaction) => {
        await transaction.run(insert(`own ${index}`));
        transaction.touch('article');
      }),
    );
    await Promise.all(own);
    expect(await child.exited).toBe(0);
    await database.generations.refresh();
    expect(database.generations.of('article')).toBe(31);
    expect(database.generations.of('author')).toBe(10);
    expect((await names(database)).toSorted()).toEqual(
      ['own', 'other'].flatMap((who) => Array.from({ length: 20 }, (_, index) => `${who} ${index}`)).toSorted(),
    );
  });
});
