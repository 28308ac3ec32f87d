import { openSqliteDatabase } from '../../../packages/recto/src/database/sqlite/sqlite-database.ts';
import { migrateSchema } from '../../../packages/recto/src/migrations/migrate-schema.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { typesAfter } from './opened.ts';
import { steps } from './steps.ts';

/**
 * A process that goes through the history from a given step (`path count`, a line of stdin), and says before and
 * after each step. It is there to be killed.
 */
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

say('up');
for await (const line of console) {
  const [path = '', count = '0'] = line.split(' ');
  const database = await openSqliteDatabase({ path, engine: rectoTables });
  for (const [index, step] of [...steps.entries()].slice(Number(count))) {
    const types = typesAfter(index + 1);
    say(`step ${index}`);
    await migrateSchema(database, types, { all: false, names: step.drop ?? [] });
    say(`done ${index + 1}`);
  }
  await database.close();
  say('end');
}
