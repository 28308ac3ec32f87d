// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  environmentOf,
  newPostgresLocation,
  newTestLocation,
  onPostgres,
  openTestDatabase,
  type TestLocation,
} from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

/** A database that a later version has brought to its number; undefined: one from before numbers. */
async function numbered(place: TestLocation, number: number | undefined): Promise<void> {
  await using database = await openTestDatabase({ location: place.location });
  await database.transaction(async (transaction) => {
    const sql = number === undefined ? 'DROP TABLE recto_engine' : `UPDATE recto_engine SET number = ${number}`;
    await transaction.run({ sql, parameters: [] });
  });
}

const environmentFor = (place: TestLocation) =>
  place.location.kind === 'sqlite' ? { RECTO_DATABASE_URL: `sqlite:${place.path}` } : environmentOf(place);

const newer = 'was written by a newer version of Recto (its tables have number 99, this version knows';

describe('a database of a newer version', () => {
  test('is not served, and the doctor says why', async () => {
    await using place = await newTestLocation();
    using folder = new RectoFolder();
    await numbered(place, 99);
    const environment = environmentFor(place);
    for (const args of [['start'], ['start', '--workers', '2'], ['user', 'list']]) {
      const { exitCode, err } = await folder.run(args, environment);
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(newer) });
    }
    expect((await folder.run(['doctor'], environment)).out).toContain(newer);
  }, 600_000);

  test('is not copied', async () => {
    await using place = await newTestLocation();
    using folder = new RectoFolder();
    await numbered(place, 99);
    const { exitCode, err } = await folder.run(
      ['copy', '--to', `sqlite:${join(folder.path, 'to.db')}`],
      environmentFor(place),
    );
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(`The source ${newer}`) });
  }, 600_000);

  test.skipIf(onPostgres)(
    'is not restored',
    async () => {
      await using place = await newTestLocation();
      using folder = new RectoFolder();
      await numbered(place, 99);
      const { exitCode, err } = await folder.run(['restore', place.path]);
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(`${place.path} ${newer}`) });
    },
    600_000,
  );
});

test('a database from before numbers is copied as it is', async () => {
  await using place = await newTestLocation();
  await using target = await newPostgresLocation();
  using folder = new RectoFolder();
  await numbered(place, undefined);
  const { exitCode, err } = await folder.run(['copy', '--to', target.location.url], environmentFor(place));
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
}, 600_000);
