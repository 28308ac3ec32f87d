import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { newPostgresDatabase } from '../support/database/postgres-place.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  protocols: ['timestampable', 'lockable', 'metaable', 'soft_deletable', 'sortable', 'nestable'],
  api: { create: { access: 'public' } },
};

test('a managed PostgreSQL will do: a user who only owns the database, and no extension', async () => {
  await using place = await newPostgresDatabase();
  using folder = new RectoFolder({ 'note.json': JSON.stringify(noteType) });
  const recto = folder.spawn(['start'], { RECTO_DATABASE_URL: place.url, RECTO_LOG_LEVEL: 'warn' });
  const url = await recto.url();
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ title: 'Margins' });
  expect((await fetch(`${url}/api/v1/cms/notes`, { method: 'POST', headers, body })).status).toBe(201);
  const found = await fetch(`${url}/api/v1/cms/notes?search=margin`);
  expect(((await found.json()) as { total: number }).total).toBe(1);
  recto.kill('SIGTERM');
  expect((await recto.ended()).exitCode).toBe(0);
  await using client = new SQL(place.url, { max: 1 });
  const extensions = await client.unsafe('SELECT extname FROM pg_extension');
  // Which every database has.
  expect(extensions.map(({ extname }: { extname: string }) => extname)).toEqual(['plpgsql']);
  const [role] = await client.unsafe(
    'SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user',
  );
  expect({ ...role }).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false });
}, 600_000);
