import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder, type RectoProcess } from '../../../../test/support/processes/recto-process.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';

const noteType = `
singular = "note"
plural = "notes"
fields = [{ name = "text", field_type = "text" }]

[api]
create = { access = "public" }
`;
const noteOf = (url: string, text: string) =>
  fetch(`${url}/api/v1/cms/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });

/** The number of notes with this text. */
async function notesOf(url: string, text: string): Promise<unknown> {
  const body: unknown = await (await fetch(`${url}/api/v1/cms/notes?text=${encodeURIComponent(text)}`)).json();
  return Reflect.get(Object(body), 'total');
}

let folder: RectoFolder;
let service: RectoProcess | undefined;
let url = '';

async function start(): Promise<void> {
  service = folder.spawn(['start']);
  url = await service.url();
  await service.err(/"msg":"started"/);
}

async function stop(): Promise<void> {
  service?.kill('SIGTERM');
  await service?.ended();
  service = undefined;
}

const file = (name: string): string => join(folder.path, name);
const run = (...args: readonly string[]) => runCommand(args, { environment: { RECTO_DATA_DIR: file('data') } });
const dataFiles = () => readdirSync(file('data')).toSorted();

beforeAll(async () => {
  folder = new RectoFolder({ 'note.toml': noteType });
  await start();
});
afterAll(async () => {
  await stop();
  folder[Symbol.dispose]();
});

test('a backup of a service that writes is complete, and a restore brings it back', async () => {
  for (let number = 1; number <= 20; number += 1) expect((await noteOf(url, `early ${number}`)).status).toBe(201);
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      expect((await noteOf(url, `meanwhile ${written}`)).status).toBe(201);
      written += 1;
    }
  })();
  const ended = await folder.run(['backup', 'copy.db']);
  writing = false;
  await writer;
  expect(written).toBeGreaterThan(0);
  expect(ended).toMatchObject({ exitCode: 0, err: '' });
  expect(ended.out).toMatch(
    /^Backed up data\/recto\.db to copy\.db: \d+ tables, \d+ rows, \d+ bytes, checked\.\nThe files of media are not in it: copy data\/media /,
  );
  expect(statSync(file('copy.db')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('.recto-'))).toEqual([]);

  await noteOf(url, 'after the backup');
  const running = await folder.run(['restore', 'copy.db', '--force']);
  expect(running).toMatchObject({ exitCode: 1, out: '' });
  expect(running.err).toContain('Another process has data/recto.db open: stop the service first.');
  expect(await notesOf(url, 'after the backup')).toBe(1);

  await stop();
  const before = dataFiles();
  const unforced = await run('restore', file('copy.db'));
  expect(unforced).toMatchObject({ exitCode: 1, out: '' });
  expect(unforced.err).toContain('with --force');
  expect(dataFiles()).toEqual(before);

  const restored = await run('restore', file('copy.db'), '--force', '--json');
  expect(restored).toMatchObject({ exitCode: 0, err: '' });
  const { ok, kept, rows } = JSON.parse(restored.out);
  expect({ ok, early: rows.cms_note >= 20 }).toEqual({ ok: true, early: true });
  expect(kept).toMatch(/recto\.db\.before-restore-\d{8}T\d{6}Z$/);
  using former = new BunDatabase(kept, { readonly: true });
  expect(former.query("SELECT count(*) AS value FROM cms_note WHERE text = 'after the backup'").get()).toEqual({
    value: 1,
  });
  expect(statSync(file('data/recto.db')).mode & 0o777).toBe(0o600);

  await start();
  expect(await notesOf(url, 'early 20')).toBe(1);
  expect(await notesOf(url, 'after the backup')).toBe(0);
  expect((await noteOf(url, 'goes on')).status).toBe(201);
}, 600_000);

describe('into a folder of its own', () => {
  const elsewhere = (name: string) => ({ environment: { RECTO_DATA_DIR: file(name) } });

  test('a backup is restored where there is no data folder; the backup stays as it is', async () => {
    expect((await run('backup', file('second.db'))).exitCode).toBe(0);
    const bytes = readFileSync(file('second.db'));
    const { exitCode, out } = await runCommand(['restore', file('second.db')], elsewhere('new-data'));
    expect(exitCode).toBe(0);
    expect(out).not.toContain('kept');
    expect(readdirSync(file('new-data'))).toEqual(['recto.db']);
    expect(readFileSync(file('second.db'))).toEqual(bytes);
  });

  const garbage = 'no database '.repeat(1000);
  const wrong: readonly [name: string, make: () => void, says: string][] = [
    ['a file that is none', () => writeFileSync(file('wrong.db'), garbage), 'file is not a database'],
    ['an empty file', () => writeFileSync(file('wrong.db'), ''), 'it is no database of Recto'],
    [
      'a database of another program',
      () => {
        writeFileSync(file('wrong.db'), '');
        using other = new BunDatabase(file('wrong.db'));
        other.run('CREATE TABLE theirs (x)');
      },
      'it is no database of Recto',
    ],
    [
      'a damaged backup',
      () => {
        const bytes = readFileSync(file('second.db'));
        bytes.fill(0x41, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192);
        writeFileSync(file('wrong.db'), bytes);
      },
      'wrong.db',
    ],
  ];
  test.each(wrong)('%s is rejected, and nothing is touched', async (_, make, says) => {
    make();
    const nowhere = await runCommand(['restore', file('wrong.db')], elsewhere('untouched'));
    expect(nowhere).toMatchObject({ exitCode: 1, out: '' });
    expect(nowhere.err).toContain(says);
    expect(existsSync(file('untouched'))).toBe(false);
    const before = dataFiles();
    expect((await run('restore', file('wrong.db'), '--force')).exitCode).toBe(1);
    expect(dataFiles()).toEqual(before);
  });

  test('a damaged database is replaced by force, and kept', async () => {
    folder.write('broken/recto.db', garbage);
    const { exitCode, out } = await runCommand(['restore', file('second.db'), '--force'], elsewhere('broken'));
    expect(exitCode).toBe(0);
    expect(out).toContain('What was there is kept as');
    const [kept = ''] = readdirSync(file('broken')).filter((name) => name.includes('before-restore'));
    expect(readFileSync(join(file('broken'), kept), 'utf8')).toBe(garbage);
  });
});

describe('a backup is rejected', () => {
  test('over a file that is there', async () => {
    folder.write('there.db', 'mine');
    const { exitCode, err } = await run('backup', file('there.db'));
    expect(exitCode).toBe(1);
    expect(err).toContain('nothing is overwritten');
    expect(readFileSync(file('there.db'), 'utf8')).toBe('mine');
  });

  test('into a folder that is not there', async () => {
    const { exitCode, err } = await run('backup', file('nowhere/copy.db'));
    expect(exitCode).toBe(1);
    expect(err).toContain('There is no folder');
  });

  test('without a database, which is not created', async () => {
    const nowhere = file('no-data');
    const { exitCode, err } = await runCommand(['backup', file('x.db')], { environment: { RECTO_DATA_DIR: nowhere } });
    expect(exitCode).toBe(1);
    expect(err).toContain('There is no data folder');
    expect([existsSync(nowhere), existsSync(file('x.db'))]).toEqual([false, false]);
  });

  test('of a damaged database', async () => {
    folder.write('damaged/recto.db', 'no database '.repeat(1000));
    const environment = { RECTO_DATA_DIR: file('damaged') };
    const { exitCode, err } = await runCommand(['backup', file('y.db')], { environment });
    expect(exitCode).toBe(1);
    expect(err).toContain('file is not a database');
    expect(existsSync(file('y.db'))).toBe(false);
  });
});

test('a file for restore must be named and be there', async () => {
  expect((await run('restore')).exitCode).toBe(2);
  expect(await run('restore', file('gone.db'))).toMatchObject({
    exitCode: 1,
    err: `There is no file ${file('gone.db')}.\n`,
  });
});
