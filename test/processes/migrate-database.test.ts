// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { newTestLocation } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

// `recto migrate` on either database: what is stored follows, and nothing is changed without a backup unasked.

const definition = (field: string) => `
singular = "note"
plural = "notes"
protocols = ["versionable"]
fields = [${field}]
[api.create]
access = "public"
`;
const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const json = { 'Content-Type': 'application/json' };

test('a renamed field is taken along with its values and versions, after a backup', async () => {
  await using place = await newTestLocation();
  const { location } = place;
  const url = location.kind === 'postgres' ? location.url : `sqlite:${location.path}`;
  const environment = { RECTO_DATABASE_URL: url, ...admin };
  using folder = new RectoFolder({ 'note.toml': definition('{ name = "title", field_type = "text" }') });
  const served = async (use: (api: string) => Promise<void>) => {
    const service = folder.spawn(['start'], environment);
    await use(`${await service.url()}/api/v1`);
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
  };
  await served(async (api) => {
    const made = await fetch(`${api}/cms/notes`, { method: 'POST', headers: json, body: '{"title":"one"}' });
    expect(made.status).toBe(201);
  });
  folder.write(
    'content-types/note.toml',
    definition('{ name = "headline", field_type = "text", renamed_from = "title" }'),
  );
  expect((await folder.run(['migrate', 'plan'], environment)).exitCode).toBe(3);
  const apply = (...options: string[]) => folder.run(['migrate', 'apply', '--yes', ...options], environment);
  const asked = await apply();
  if (location.kind === 'sqlite') {
    expect([asked.exitCode, asked.out]).toEqual([
      0,
      expect.stringMatching(/^Backed up to .*\n.*\n {2}note: 1 record\n/),
    ]);
  } else {
    expect([asked.exitCode, asked.err]).toEqual([1, expect.stringContaining('pg_dump')]);
    expect((await folder.run(['migrate', 'plan'], environment)).exitCode).toBe(3);
    const done = await apply('--no-backup');
    expect([done.exitCode, done.out]).toEqual([0, expect.stringContaining('  note: 1 record\n')]);
  }
  await served(async (api) => {
    const { items } = JSON.parse(await (await fetch(`${api}/cms/notes`)).text());
    expect(items).toMatchObject([{ headline: 'one' }]);
    const body = JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD });
    const login = await fetch(`${api}/auth/login`, { method: 'POST', headers: json, body });
    const headers = { Authorization: `Bearer ${JSON.parse(await login.text()).access_token}` };
    const revision = await fetch(`${api}/admin/cms/notes/${items[0].id}/revisions/1`, { headers });
    expect(JSON.parse(await revision.text()).record).toMatchObject({ headline: 'one' });
  });
}, 600_000);
