// databases: sqlite, postgres
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { newTestLocation, onPostgres, type TestLocation } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

// A database as version 0.1.0 left it, with content of all kinds, and what that version answered about it. It was filled through
// requests, on SQLite and on PostgreSQL 15.

const fixture = join(import.meta.dir, '../fixtures/version-0.1.0');
const stored: {
  readonly refresh_token: string;
  readonly api_token: string;
  readonly answers: Readonly<Record<string, unknown>>;
} = JSON.parse(readFileSync(join(fixture, `answers.${onPostgres ? 'postgres' : 'sqlite'}.json`), 'utf8'));

/** As long as it was kept, the session that somebody goes on with would have ended. */
const later = ['recto_sessions', 'recto_refresh_tokens'].map(
  (table) => `UPDATE ${table} SET expires_at = '2126-01-01T00:00:00.000Z'`,
);

async function restore({ location }: TestLocation): Promise<void> {
  if (location.kind === 'sqlite') {
    writeFileSync(location.path, Bun.gunzipSync(readFileSync(join(fixture, 'database.db.gz'))), { mode: 0o600 });
    using file = new Database(location.path, { strict: true, readwrite: true });
    for (const statement of later) file.run(statement);
    return;
  }
  const text = readFileSync(join(fixture, 'database.postgres.sql'), 'utf8');
  await using sql = new SQL(location.url, { max: 1 });
  const [{ schema }] = await sql`SELECT current_schema() AS schema`;
  // As pg_dump wrote it, but for the name of the schema.
  await sql.unsafe(text.replaceAll('SCHEMA.', `"${schema}".`)).simple();
  // What pg_dump writes leaves the connection without a schema of its own.
  await sql.unsafe(`SET search_path = "${schema}"`);
  for (const statement of later) await sql.unsafe(statement);
}

async function restored() {
  const place = await newTestLocation();
  const { location } = place;
  await restore(place);
  const folder = new RectoFolder();
  cpSync(join(fixture, 'content-types'), join(folder.path, 'content-types'), { recursive: true });
  const environment = {
    RECTO_DATABASE_URL: location.kind === 'postgres' ? location.url : `sqlite:${location.path}`,
    RECTO_SECRET: 'a-secret-of-the-tests-0123456789abcdef',
  };
  const run = (...args: readonly string[]) => folder.run(args, environment);
  const dispose = async (): Promise<void> => {
    folder[Symbol.dispose]();
    await place[Symbol.asyncDispose]();
  };
  return { folder, environment, run, [Symbol.asyncDispose]: dispose };
}

describe('a database of version 0.1.0', () => {
  test('is upgraded by a start, and answers as it did', async () => {
    await using old = await restored();
    const check = await old.run('upgrade', '--check');
    expect([check.exitCode, check.out]).toEqual([0, expect.stringContaining("of Recto's own tables")]);
    const service = old.folder.spawn(['start'], old.environment);
    const url = `${await service.url()}/api/v1`;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${stored.api_token}` };
    const request = async (method: string, path: string, body?: object) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(url + path, { method, headers, ...text });
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    };
    const refreshed = await request('POST', '/auth/refresh', { refresh_token: stored.refresh_token });
    expect(refreshed.status).toBe(200);
    headers.Authorization = `Bearer ${refreshed.body.access_token}`;
    for (const [path, answer] of Object.entries(stored.answers)) {
      const now = await request('GET', path);
      expect([path, now.status, now.body]).toEqual([path, 200, like(answer)]);
    }
    const login = { email: 'mia@example.com', password: 'a long password' };
    expect((await request('POST', '/auth/login', login)).status).toBe(200);
    const [author] = (await request('GET', '/admin/cms/authors?sort=name:asc')).body.items;
    expect((await request('POST', `/admin/cms/authors/${author.id}/publish`)).body).toMatchObject({ bio: 'a draft' });
    const created = await request('POST', '/admin/cms/articles', { title: 'On paper, new', author: author.id });
    expect(created.status).toBe(201);
    expect((await request('GET', '/cms/articles?search=paper')).body.total).toBe(5);
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
    expect((await old.run('upgrade', '--check')).out).toContain('is that of this version');
    expect((await old.run('doctor')).exitCode).toBe(0);
  }, 600_000);

  test('is upgraded by a command, after a backup', async () => {
    await using old = await restored();
    const first = await old.run('upgrade', '--json');
    if (onPostgres) expect([first.exitCode, first.out]).toEqual([1, expect.stringContaining('pg_dump')]);
    const done = onPostgres ? await old.run('upgrade', '--no-backup', '--json') : first;
    expect({ ...JSON.parse(done.out) }).toMatchObject({
      ...{ ok: true, state: 'upgraded' },
      backup: onPostgres ? null : { file: expect.stringContaining('.before-upgrade-') },
    });
    expect(JSON.parse((await old.run('upgrade', '--json')).out)).toMatchObject({
      ok: true,
      state: 'current',
      migrations: 0,
    });
  }, 600_000);
});

/** Members that a later version added are allowed, at any depth. */
function like(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(like);
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, like(member)])),
  );
}
