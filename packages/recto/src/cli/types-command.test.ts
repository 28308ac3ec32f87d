import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { RectoFolder } from '../../../../test/support/processes/recto-process.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';

const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "text", field_type = "text" }]\n';

test('prints to stdout, or writes a file; creates no data folder', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const printed = await folder.run(['types']);
  expect(printed).toMatchObject({ exitCode: 0, err: '' });
  expect(printed.out).toContain('\nexport interface NoteCreate {\n  text?: string | null;\n}\n');
  const written = await folder.run(['types', '--out', 'content.ts']);
  expect(written).toEqual({
    exitCode: 0,
    out: 'Wrote the types of category, comment, media, note, page, post to content.ts.\n',
    err: '',
  });
  expect(await Bun.file(join(folder.path, 'content.ts')).text()).toBe(printed.out);
  const files = [...new Bun.Glob('**').scanSync({ cwd: folder.path })];
  expect(files.toSorted()).toEqual(['content-types/note.toml', 'content.ts']);
});

test('--json prints the types with the text', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const environment = { RECTO_CONTENT_TYPES_DIR: join(folder.path, 'content-types') };
  const { exitCode, out } = await runCommand(['types', '--json'], { environment });
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ok: true, types: ['category', 'comment', 'media', 'note', 'page', 'post'] });
  expect(JSON.parse(out).text).toContain('export interface Note {');
});

test('--client leaves out what the client has of its own', async () => {
  using folder = new RectoFolder({ 'note.toml': note });
  const [all, client] = [await folder.run(['types']), await folder.run(['types', '--client'])];
  expect(all.out).toContain('next_cursor');
  expect(client.out).not.toContain('next_cursor');
  expect(client.out).not.toContain('replies');
  expect(client.out).toContain('export interface NoteCreate {');
  expect(client.out).toContain('export interface Content {');
});

test('fails for wrong definitions, and for a file that cannot be written', async () => {
  using folder = new RectoFolder({ 'note.toml': note.replace('"text" }', '"txet" }') });
  const environment = { RECTO_CONTENT_TYPES_DIR: join(folder.path, 'content-types') };
  const wrong = await runCommand(['types'], { environment });
  expect(wrong).toMatchObject({ exitCode: 1, out: '' });
  expect(wrong.err).toContain('txet');
  folder.write('content-types/note.toml', note);
  const unwritable = await runCommand(['types', '--out', join(folder.path, 'nowhere/content.ts')], { environment });
  expect(unwritable).toMatchObject({ exitCode: 1, out: '' });
  expect(unwritable.err).toContain('nowhere/content.ts cannot be written');
});
