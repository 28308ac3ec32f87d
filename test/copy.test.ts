import { Database as BunDatabase } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersOf, fileIn, fillWorld, openWorld, urlOf } from './copy-world.ts';
import { newPostgresLocation, onPostgres } from './database.ts';
import { runCommand } from './run-command.ts';
import { expectSchemaAgrees } from './schema-agrees.ts';

const seed = Number(process.env.RECTO_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-copy-'));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** All rows of a file, by table, whatever the order of columns; without empty tables and what each database makes for itself. */
function rowsOf(path: string): Readonly<Record<string, readonly string[]>> {
  using file = new BunDatabase(path, { strict: true, readonly: true, safeIntegers: true });
  const tables = file
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT IN ('recto_generations', 'recto_auth_locks')`,
    )
    .all();
  const rows = tables.map(({ name }): [string, readonly string[]] => [
    name,
    file
      .query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`)
      .all()
      .map((row) =>
        JSON.stringify(Object.entries(row).toSorted(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
      )
      .toSorted(),
  ]);
  return Object.fromEntries(rows.filter(([, all]) => all.length > 0));
}

const copied = async (from: string, to: string, ...more: readonly string[]) => {
  const { exitCode, out, err } = await runCommand(['copy', '--from', from, '--to', to, '--json', ...more]);
  return { exitCode, err, ...JSON.parse(out) };
};

// Both databases are in each of these.
describe.skipIf(onPostgres)('a copy', () => {
  test(`to PostgreSQL and back holds and tells the same (seed ${seed})`, async () => {
    using folder = new Folder();
    await using middle = await newPostgresLocation();
    const [first, last] = [fileIn(folder.path, 'first.db'), fileIn(folder.path, 'last.db')];
    const callers = await fillWorld(first, seed);
    let told: Awaited<ReturnType<typeof answersOf>>;
    {
      await using service = await openWorld(first);
      told = await answersOf(service, callers);
    }
    const up = await copied(urlOf(first), urlOf(middle.location));
    expect({ ...up, tables: [] }).toMatchObject({ exitCode: 0, ok: true, resumed: 0, changed: false });
    // Before anyone has signed in there.
    const down = await copied(urlOf(middle.location), urlOf(last));
    expect({ ...down, tables: [] }).toMatchObject({ exitCode: 0, ok: true, resumed: 0, changed: false });
    expect(down.tables).toEqual(up.tables);
    expect(rowsOf(last.path)).toEqual(rowsOf(first.path));
    await expectSchemaAgrees(last.path);
    for (const location of [middle.location, last]) {
      await using service = await openWorld(location);
      expect(await answersOf(service, callers)).toEqual(told);
      const body = { email: 'ada@example.com', password: 'correct horse' };
      expect((await service.send('POST /api/v1/auth/login', { body })).status).toBe(200);
      // New records come behind all others.
      const made = await service.send('POST /api/v1/admin/cms/things', {
        headers: callers.ada ?? {},
        body: { text: 'after the copy', code: 'new' },
      });
      expect(made.status).toBe(201);
      const { json } = await service.send('GET /api/v1/admin/cms/things?search=after', { headers: callers.ada ?? {} });
      expect(json.items.map((item: { id: string }) => item.id)).toEqual([made.json.id]);
    }
  }, 180_000);
});
