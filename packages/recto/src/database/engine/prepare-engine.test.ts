// databases: sqlite, postgres
import { Database as BunDatabase } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  newTestLocation,
  onPostgres,
  openTestDatabase,
  type TestLocation,
} from '../../../../../test/support/database/database.ts';
import { AccountStore } from '../../auth/account-store.ts';
import { FatalError } from '../../base/fatal-error.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import { readAsItIs } from '../read-database.ts';
import { engineState } from './engine-state.ts';
import { defineEngineTable, plainText } from './engine-table.ts';
import { engineTables } from './engine-tables.ts';
import { openVersion, versions } from './migrating.fixture.ts';

/** Opens and closes the database in a version; returns the columns and rows that it then has. */
async function opened(place: TestLocation, version: keyof typeof versions) {
  const database = await openVersion(place.location, version);
  try {
    const columns = await database.rows<{ name: string }>(database.dialect.schema.columns('recto_samples'));
    const rows = await database.rows<object>({ sql: 'SELECT * FROM recto_samples ORDER BY id', parameters: [] });
    return { columns: columns.map(({ name }) => name), rows: rows.map((row) => ({ ...row })) };
  } finally {
    await database.close();
  }
}

const stateOf = ({ location }: TestLocation, engine = versions.second) =>
  readAsItIs(location, (executor, dialect) => engineState(executor, dialect, engine));

const migrated = { columns: ['id', 'text', 'size'], rows: [{ id: 'first', text: 'made with the table', size: 20 }] };

test('a new database has the present shape at once, and its number', async () => {
  await using place = await newTestLocation();
  expect(await opened(place, 'second')).toEqual({
    columns: ['id', 'text', 'size'],
    rows: [{ id: 'first', text: 'made with the table', size: null }],
  });
  expect(await stateOf(place)).toEqual({ number: 2, present: new Set(['recto_samples', 'recto_others']) });
});

test('an earlier one goes through its migrations once, and gets the tables that are new', async () => {
  await using place = await newTestLocation();
  expect((await opened(place, 'first')).columns).toEqual(['id', 'text']);
  expect((await stateOf(place))?.number).toBe(0);
  expect(await opened(place, 'second')).toEqual(migrated);
  expect(await opened(place, 'second')).toEqual(migrated);
  expect(await stateOf(place)).toEqual({ number: 2, present: new Set(['recto_samples', 'recto_others']) });
});

test('several processes that start at once migrate it once', async () => {
  await using place = await newTestLocation();
  await opened(place, 'first');
  const script = `
    import { openVersion } from ${JSON.stringify(join(import.meta.dir, 'migrating.fixture.ts'))};
    await (await openVersion(${JSON.stringify(place.location)}, 'second')).close();`;
  const children = Array.from({ length: 3 }, () =>
    Bun.spawn([process.execPath, '-e', script], { stdout: 'inherit', stderr: 'inherit' }),
  );
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
  expect(await opened(place, 'second')).toEqual(migrated);
});

test('one that fails half-way changes nothing', async () => {
  await using place = await newTestLocation();
  const before = await opened(place, 'first');
  await expect(opened(place, 'broken')).rejects.toThrow('half-way');
  expect(await opened(place, 'first')).toEqual(before);
  expect(await opened(place, 'second')).toEqual(migrated);
});

test('a table that lacks a declared column after all migrations is an error', async () => {
  await using place = await newTestLocation();
  await opened(place, 'first');
  await forgetNumber(place, versions.first);
  await expect(opened(place, 'forgetful')).rejects.toThrow('recto_samples still has no size');
});

test('a database of a newer version is rejected, in one sentence', async () => {
  await using place = await newTestLocation();
  await opened(place, 'second');
  const refused = opened(place, 'first');
  await expect(refused).rejects.toThrow(FatalError);
  await expect(refused).rejects.toThrow(
    /^The database .+ was written by a newer version of Recto \(its tables have number 2, this version knows 0\): run that version, or restore a backup\.$/,
  );
  expect((await stateOf(place))?.number).toBe(2);
});

test('a database without a number is taken over as it is', async () => {
  await using place = await newTestLocation();
  const open = () => openTestDatabase({ location: place.location });
  const tables = rectoTables.tables.map(({ name }) => name);
  const shapes = async () => {
    await using database = await open();
    const columns = await Promise.all(tables.map((name) => database.rows(database.dialect.schema.columns(name))));
    return Object.fromEntries(tables.map((name, index) => [name, columns[index]]));
  };
  const before = await shapes();
  {
    await using database = await open();
    await database.transaction(async (transaction) =>
      transaction.run({ sql: "INSERT INTO recto_imports VALUES ('a', 'b', 'c', 'd')", parameters: [] }),
    );
  }
  await forgetNumber(place);
  expect((await stateOf(place, rectoTables))?.number).toBeUndefined();
  expect(await shapes()).toEqual(before);
  expect((await stateOf(place, rectoTables))?.number).toBe(rectoTables.number);
  await using database = await open();
  const imports = await database.rows<object>({ sql: 'SELECT * FROM recto_imports', parameters: [] });
  expect(imports.map((row) => ({ ...row }))).toEqual([{ source: 'a', kind: 'b', external_id: 'c', record_id: 'd' }]);
});

test.skipIf(onPostgres)('the tables of version 0.1.0 are those that are made today', async () => {
  await using old = await newTestLocation();
  await using today = await newTestLocation();
  {
    using file = new BunDatabase(old.path, { strict: true, create: true });
    file.run(await Bun.file(join(import.meta.dir, '../../../../../test/fixtures/tables-of-0.1.0.sql')).text());
  }
  for (const { location } of [old, today]) await (await openTestDatabase({ location })).close();
  expect(shapesIn(old.path)).toEqual(shapesIn(today.path));
  using file = new BunDatabase(old.path, { strict: true, readonly: true });
  expect(file.query('SELECT taken FROM recto_auth_locks').values()).toEqual([[3]]);
});

test('a database from before tenants gets their column', async () => {
  await using place = await newTestLocation();
  const open = () => openTestDatabase({ location: place.location });
  {
    await using database = await open();
    await database.transaction(async (transaction) => {
      for (const table of ['recto_accounts', 'recto_api_tokens'])
        await transaction.run({ sql: `ALTER TABLE ${table} DROP COLUMN tenant_id`, parameters: [] });
    });
  }
  await forgetNumber(place);
  await using database = await open();
  for (const table of ['recto_accounts', 'recto_api_tokens'])
    expect(await database.rows<{ name: string }>(database.dialect.schema.columns(table))).toContainEqual({
      name: 'tenant_id',
    });
});

const account = {
  ...{ id: '01a1fc4b-24c3-74a0-9be7-dcae031900ad', email: { address: 'ada@example.com', key: 'ada@example.com' } },
  ...({ username: null, passwordHash: 'x', role: 'member', tenant: 'acme' } as const),
};

test('accounts from before flags were kept are found by them', async () => {
  await using place = await newTestLocation();
  const open = () => openTestDatabase({ location: place.location });
  const flags = ['verified', 'profile_public', 'second_factor'];
  {
    await using database = await open();
    await database.transaction(async (transaction) => {
      await new AccountStore(database.dialect).insert(transaction, account, 0);
      for (const name of flags)
        await transaction.run({ sql: `ALTER TABLE recto_accounts DROP COLUMN ${name}`, parameters: [] });
    });
  }
  await forgetNumber(place);
  await using database = await open();
  const unset = flags.map((name) => `${name} IS NULL`).join(' OR ');
  expect(await database.rows({ sql: `SELECT id FROM recto_accounts WHERE ${unset}`, parameters: [] })).toEqual([]);
});

test('accounts from before profiles keep what they have, and get empty profiles', async () => {
  await using place = await newTestLocation();
  const open = () => openTestDatabase({ location: place.location });
  {
    await using database = await open();
    await database.transaction(async (transaction) => {
      await new AccountStore(database.dialect).insert(transaction, account, 0);
      for (const name of ['display_name', 'avatar', 'bio', 'website', 'profile_public'])
        await transaction.run({ sql: `ALTER TABLE recto_accounts DROP COLUMN ${name}`, parameters: [] });
    });
  }
  await forgetNumber(place);
  await using database = await open();
  const accounts = new AccountStore(database.dialect);
  expect(await accounts.byId(database, account.id)).toMatchObject({
    ...{ email: 'ada@example.com', tenant: 'acme', profilePublic: false },
    profile: { display_name: null, avatar: null, bio: null, website: null },
  });
});

describe('a registry', () => {
  const table = (name: string, ...numbers: readonly number[]) =>
    defineEngineTable<{ readonly id: string }>({
      name,
      key: ['id'],
      columns: { id: plainText },
      migrations: numbers.map((number) => ({ number, up: async () => undefined })),
    });

  test('knows its migrations in the order of their numbers', () => {
    const { number, migrations } = engineTables([table('a', 1, 3), table('b', 2)]);
    expect(number).toBe(3);
    expect(migrations.map((each) => [each.number, each.table.name])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'a'],
    ]);
  });

  test('takes no two tables of one name, no number twice, and leaves none out', () => {
    expect(() => engineTables([table('a'), table('a')])).toThrow('Two engine tables are named a.');
    expect(() => engineTables([table('a', 1), table('b', 1)])).toThrow('Migration 1 of b should have the number 2.');
    expect(() => engineTables([table('a', 1), table('b', 3)])).toThrow('Migration 3 of b should have the number 2.');
  });
});

/** Leaves the database as the version before numbers did. */
async function forgetNumber({ location }: TestLocation, engine = rectoTables): Promise<void> {
  await using database = await openTestDatabase({ location, engine });
  await database.transaction(async (transaction) =>
    transaction.run({ sql: 'DROP TABLE recto_engine', parameters: [] }),
  );
}

/** Columns and indexes by table. */
function shapesIn(path: string) {
  using file = new BunDatabase(path, { strict: true, readonly: true });
  const tables = file.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return tables.all().map(({ name }) => ({
    name,
    columns: file.query('SELECT name, upper(type), "notnull", pk FROM pragma_table_info(?)').values(name),
    indexes: file
      .query<{ name: string; unique: number }, [string]>(
        'SELECT name, "unique" FROM pragma_index_list(?) ORDER BY origin, name',
      )
      .all(name)
      .map((index) => [
        index.name.startsWith('sqlite_autoindex') ? '' : index.name,
        index.unique,
        file.query('SELECT name FROM pragma_index_info(?) ORDER BY seqno').values(index.name),
      ])
      .toSorted(),
  }));
}
