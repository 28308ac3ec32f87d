import { expect, test } from 'bun:test';
import { RectoFolder } from '../support/processes/recto-process.ts';

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "text", field_type = "text" }]';
const reader = 'name = "reader"\n[types.note]\nlist = true\n';

/** Sends JSON to a service, with an access token or none. */
async function send(url: string, line: string, sent: { readonly token?: string; readonly body?: object } = {}) {
  const [method = '', path = ''] = line.split(' ');
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (sent.token !== undefined) headers.Authorization = `Bearer ${sent.token}`;
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);
  const response = await fetch(`${url}${path}`, { method, headers, body });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function signIn(url: string): Promise<string> {
  const body = { email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD };
  return (await send(url, 'POST /api/v1/auth/login', { body })).json.access_token;
}

test('a wrong role stops the start, with its line', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  folder.write('roles/reader.toml', `${reader}get = 'txt = "x"'\n`);
  for (const command of ['start', 'check', 'dev']) {
    const { exitCode, err } = await folder.run([command]);
    expect([command, exitCode]).toEqual([command, 1]);
    expect(err).toContain('roles/reader.toml:4 types.note.get: There is no field "txt" in "note".');
  }
});

test('a change of a role holds in another process from its next request on', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const first = await folder.spawn(['start'], admin).url();
  const second = await folder.spawn(['start'], admin).url();
  const token = await signIn(first);
  const role = (list: boolean) => ({ name: 'reader', types: { note: { list } } });
  expect((await send(first, 'POST /api/v1/admin/roles', { token, body: role(true) })).status).toBe(201);
  const made = await send(first, 'POST /api/v1/admin/api-tokens', { token, body: { name: 'r', role: 'reader' } });
  const program = made.json.token;
  const listed = async (url: string) => (await send(url, 'GET /api/v1/admin/cms/notes', { token: program })).status;
  for (let round = 0; round < 4; round += 1) {
    const [writer, other] = round % 2 === 0 ? [first, second] : [second, first];
    const body = role(round % 2 === 1);
    expect((await send(writer, 'PUT /api/v1/admin/roles/reader', { token, body })).status).toBe(200);
    expect([round, await listed(other), await listed(writer)]).toEqual([
      round,
      ...(round % 2 === 1 ? [200, 200] : [403, 403]),
    ]);
  }
});

test('recto dev follows a role, and keeps the one before while it is wrong', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  folder.write('roles/reader.toml', reader);
  const service = folder.spawn(['dev'], admin);
  const url = await service.url();
  await service.out(/read anew when a file/);
  const token = await signIn(url);
  const program = (await send(url, 'POST /api/v1/admin/api-tokens', { token, body: { name: 'r', role: 'reader' } }))
    .json.token;
  const listed = async () => (await send(url, 'GET /api/v1/admin/cms/notes', { token: program })).status;
  expect(await listed()).toBe(200);
  folder.write('roles/reader.toml', `${reader}lst = true\n`);
  await service.err(/unknown name "lst"[\s\S]*goes on with the definitions it had before/);
  expect(await listed()).toBe(200);
  folder.write('roles/reader.toml', reader.replace('true', 'false'));
  await service.out(/Reloaded: 1 content type/);
  expect(await listed()).toBe(403);
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);
});

test('copies and restored backups have the roles, and do not start without what these name', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const service = folder.spawn(['start'], admin);
  const url = await service.url();
  const token = await signIn(url);
  const rule = 'text = "open"';
  const role = { name: 'reader', types: { note: { list: rule, get: rule } } };
  expect((await send(url, 'POST /api/v1/admin/roles', { token, body: role })).status).toBe(201);
  const made = await send(url, 'POST /api/v1/admin/api-tokens', { token, body: { name: 'r', role: 'reader' } });
  for (const text of ['open', 'closed'])
    expect((await send(url, 'POST /api/v1/admin/cms/notes', { token, body: { text } })).status).toBe(201);
  const total = async (at: string) =>
    (await send(at, 'GET /api/v1/admin/cms/notes', { token: made.json.token })).json.total;
  expect(await total(url)).toBe(1);
  service.kill('SIGTERM');
  await service.ended();
  expect(await folder.run(['backup', 'backup.db'])).toMatchObject({ exitCode: 0 });
  expect(await folder.run(['restore', 'backup.db'], { RECTO_DATA_DIR: 'restored' })).toMatchObject({ exitCode: 0 });
  expect(await folder.run(['copy', '--to', 'sqlite:copied/recto.db'])).toMatchObject({ exitCode: 0 });
  for (const data of ['restored', 'copied']) {
    const again = folder.spawn(['start'], { ...admin, RECTO_DATA_DIR: data });
    expect([data, await total(await again.url())]).toEqual([data, 1]);
    again.kill('SIGTERM');
    await again.ended();
  }
  folder.write('content-types/note.toml', note.replace('"text",', '"words",'));
  for (const data of ['restored', 'copied']) {
    const { exitCode, err } = await folder.run(['start'], { ...admin, RECTO_DATA_DIR: data });
    expect([data, exitCode]).toEqual([data, 1]);
    expect(err).toContain('There is no field "text" in "note"');
  }
});
