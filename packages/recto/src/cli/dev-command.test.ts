import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { becomes } from '../../../../test/support/database/database.ts';
import { halfSent } from '../../../../test/support/processes/half-sent.ts';
import { RectoFolder, type RectoProcess } from '../../../../test/support/processes/recto-process.ts';

const note = (fields: string) => `
singular = "note"
plural = "notes"
fields = [${fields}]
[api]
create = { access = "public" }
list = { cache = true }
`;
const text = '{ name = "text", field_type = "text" }';
const memo = (field: string) => `
import { field } from './memo-field.ts';
export default { singular: 'memo', plural: 'memos', fields: [field, { name: '${field}', field_type: 'text' }] };
`;
const memoField = (name: string) => `export const field = { name: '${name}', field_type: 'text' };`;

let folder: RectoFolder;
let service: RectoProcess;
let url = '';

beforeAll(async () => {
  folder = new RectoFolder({ 'note.toml': note(text) });
  service = folder.spawn(['dev']);
  url = await service.url();
  await service.out(/read anew when a file in their folders changes/);
});
afterAll(async () => {
  service.kill('SIGTERM');
  const { exitCode } = await service.ended();
  folder[Symbol.dispose]();
  expect(exitCode).toBe(0);
});

const list = async (plural: string) => {
  const answer = await fetch(`${url}/api/v1/cms/${plural}`);
  return { status: answer.status, body: await answer.json() };
};

const document = async (): Promise<string> => (await fetch(`${url}/api/v1/openapi.json`)).text();

const create = (body: object) =>
  fetch(`${url}/api/v1/cms/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('changed definitions are served, errors are printed and change nothing', async () => {
  expect((await create({ text: 'one' })).status).toBe(201);
  expect((await list('notes')).body).toMatchObject({ total: 1, items: [{ text: 'one' }] });

  folder.write('content-types/note.toml', note(`${text}, { name = "colour", field_type = "text", default = "red" }`));
  await service.out(/Reloaded: 1 content type\.\n/);
  // Responses cached for the earlier definition are not reused.
  expect((await list('notes')).body).toMatchObject({ items: [{ text: 'one', colour: expect.anything() }] });
  expect((await create({ text: 'two', colour: 'blue' })).status).toBe(201);

  folder.write('content-types/note.toml', note('{ name = "text", field_type = "txet" }'));
  await service.err(/txet[\s\S]*goes on with the definitions it had before/);
  expect((await list('notes')).body).toMatchObject({ total: 2 });

  folder.write('content-types/note.toml', note('{ name = "text", field_type = "boolean" }'));
  await service.err(/do not fit what the database holds[\s\S]*goes on with/);
  expect((await list('notes')).body).toMatchObject({ total: 2, items: [{ text: 'one' }, { text: 'two' }] });

  const renamed = '{ name = "words", field_type = "text", renamed_from = "text" }';
  folder.write('content-types/note.toml', note(renamed));
  await service.err(/field "text" is renamed to "words"[\s\S]*recto migrate apply[\s\S]*goes on with/);
  expect((await list('notes')).body).toMatchObject({ total: 2, items: [{ text: 'one' }, { text: 'two' }] });

  folder.write('content-types/note.toml', note(text));
  folder.write(
    'content-types/memo-field.ts',
    `${memoField('first')}\nexport default { singular: 'part', plural: 'parts', fields: [field] };`,
  );
  folder.write('content-types/memo.ts', memo('second'));
  await becomes(async () => (await list('memos')).status, 200);

  const request = halfSent(url, '/api/v1/cms/notes', JSON.stringify({ text: 'begun before' }), 'close');
  await request.sent;
  // On a connection of its own, and so answered after the one of the partial request was accepted.
  await fetch(`${url}/api/v1/healthz`, { keepalive: false });
  rmSync(join(folder.path, 'content-types/note.toml'));
  folder.write('content-types/memo.ts', memo('third'));
  // Not by what is printed: files that are written one after the other may be read one by one.
  await becomes(async () => (await list('notes')).status, 404);
  await becomes(async () => (await document()).includes('"third"'), true);
  request.finish();
  expect(await request.answer).toStartWith('HTTP/1.1 201 ');
  expect(await document()).not.toContain('"second"');
}, 600_000);

test('wrong definitions make the start fail', async () => {
  using wrong = new RectoFolder({ 'note.toml': note('{ name = "a", field_type = "txet" }') });
  const { exitCode, err } = await wrong.run(['dev']);
  expect(exitCode).toBe(1);
  expect(err).toContain('txet');
});
