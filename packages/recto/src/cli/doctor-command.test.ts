import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder } from '../../../../test/support/processes/recto-process.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';
import type { Finding } from '../features/finding.ts';
import { runtimeFinding } from '../service/doctor/diagnosis.ts';
import { runCommandLine } from './command-line.ts';

const note = (type: string) =>
  `singular = "note"\nplural = "notes"\nfields = [{ name = "a", field_type = "${type}" }]\n`;

/** A data folder that a stopped service has created. */
let folder: RectoFolder;
const file = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = new RectoFolder({ 'note.toml': note('text') });
  const service = folder.spawn(['start'], {
    RECTO_ADMIN_EMAIL: 'ada@example.com',
    RECTO_ADMIN_PASSWORD: 'correct horse',
  });
  const url = await service.url();
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
  });
  const token = Reflect.get(Object(await answer.json()), 'access_token');
  const made = await fetch(`${url}/api/v1/cms/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: '{"a": "one"}',
  });
  expect(made.status).toBe(201);
  service.kill('SIGTERM');
  await service.ended();
});
afterAll(() => folder[Symbol.dispose]());

const environment = (changes: Readonly<Record<string, string>>) => ({
  RECTO_DATA_DIR: file('data'),
  RECTO_CONTENT_TYPES_DIR: file('content-types'),
  RECTO_PORT: '0',
  ...changes,
});

async function findings(changes: Readonly<Record<string, string>> = {}) {
  const { exitCode, out, err } = await runCommand(['doctor', '--json'], { environment: environment(changes) });
  expect(err).toBe('');
  const report: { ok: boolean; findings: readonly Finding[] } = JSON.parse(out);
  expect(report.ok).toBe(exitCode === 0);
  const find = (check: string) => report.findings.find((finding) => finding.check === check);
  const failed = report.findings.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
  return { exitCode, failed, find };
}

test('a data folder in order passes, and stays as it is', async () => {
  const before = readFileSync(file('data/recto.db'));
  const { exitCode, failed, find } = await findings();
  expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] });
  expect(find('schema')?.detail).toBe('the definitions fit what is stored');
  expect(readFileSync(file('data/recto.db'))).toEqual(before);
});

test.each(['doctor', 'check', 'start', 'export', 'media'])('%s repeats no keys of the storage', async (command) => {
  for (const url of ['s3://key:hunter2@files', 's3://files?endpoint=https://key:hunter2@s3.example.com']) {
    const more = command === 'export' ? ['--out', file('out')] : command === 'media' ? ['verify'] : [];
    const ended = await runCommand([command, ...more], { environment: environment({ RECTO_STORAGE_URL: url }) });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.out + ended.err).toContain('RECTO_STORAGE_URL');
    expect(ended.out + ended.err).not.toContain('hunter2');
  }
});

test('files and their storage are looked at', async () => {
  expect((await findings()).find('media')?.detail).toContain('no files yet');
  const away = { RECTO_STORAGE_URL: 's3://files?endpoint=http://127.0.0.1:9&region=x', AWS_ACCESS_KEY_ID: 'a' };
  const unkeyed = await findings(away);
  expect([unkeyed.failed, unkeyed.find('media')?.detail]).toEqual([['media'], expect.stringContaining('no keys')]);
  const unreached = await findings({ ...away, AWS_SECRET_ACCESS_KEY: 'b' });
  expect([unreached.exitCode, unreached.find('media')?.verdict]).toEqual([0, 'warn']);
  expect(unreached.find('media')?.detail).toContain('cannot be reached');
});

test('files that are gone are reported', async () => {
  cpSync(file('data'), file('with-media'), { recursive: true });
  const database = new Database(file('with-media/recto.db'));
  const insert = 'insert into recto_media_files (hash, storage_key, size, created_at) values (?, ?, 1, 0)';
  database.query(insert).run('a'.repeat(64), 'files/ab/gone');
  const missing = await findings({ RECTO_DATA_DIR: file('with-media') });
  expect(missing.find('media')?.detail).toContain('1 of the first 1 file not found in');
  folder.write('with-media/media/files/ab/gone', 'x');
  expect((await findings({ RECTO_DATA_DIR: file('with-media') })).find('media')?.verdict).toBe('ok');
  database
    .query(
      "insert into cms_media (id, name, mime_type, size, hash, visibility, url) values ('m1', 'a', 'b', 1, ?, 'public', '/a')",
    )
    .run('b'.repeat(64));
  database.close();
  const lost = await findings({ RECTO_DATA_DIR: file('with-media') });
  expect(lost.find('media')).toMatchObject({ verdict: 'warn', detail: expect.stringContaining('m1') });
});

test('the way that mails take and their templates are looked at', async () => {
  const mail = (url: string, more = {}) =>
    findings({
      ...{ RECTO_MAIL_URL: url, RECTO_MAIL_FROM: 'mail@example.com', RECTO_URL: 'https://cms.example.com' },
      ...{ RECTO_MAILS_DIR: file('mails'), ...more },
    });
  const found = async (url: string) => (await mail(url)).find('mail');
  expect((await findings()).find('mail')).toMatchObject({ verdict: 'ok', detail: 'off' });
  expect(await found('log:')).toMatchObject({ verdict: 'ok' });
  expect(await found(`file:${file('sent/mails')}`)).toMatchObject({ verdict: 'ok', detail: 'written into files' });
  expect(existsSync(file('sent'))).toBe(false);
  folder.write('taken', '');
  expect(await found(`file:${file('taken/mails')}`)).toMatchObject({ verdict: 'warn' });
  expect(await found('smtp://127.0.0.1:1')).toMatchObject({
    ...{ verdict: 'warn', detail: expect.stringContaining('The mail server cannot be used') },
  });
  folder.write('mails/password_reset.txt', 'Subject: Hello\n\n{{nobody}}');
  expect((await mail('log:')).failed).toEqual(['mail']);
});

test('before the first start nothing is created', async () => {
  const { exitCode } = await findings({ RECTO_DATA_DIR: file('none/data') });
  expect(exitCode).toBe(0);
  expect(existsSync(file('none'))).toBe(false);
});

test('a new type is brought by the next start', async () => {
  folder.write('more-types/note.toml', note('text'));
  folder.write('more-types/memo.toml', note('text').replace('"note"', '"memo"').replace('"notes"', '"memos"'));
  const { exitCode, find } = await findings({ RECTO_CONTENT_TYPES_DIR: file('more-types') });
  expect(exitCode).toBe(0);
  expect(find('schema')?.detail).toBe('the next start brings the database up to: memo');
});

interface Trouble {
  readonly name: string;
  readonly make?: () => void;
  readonly settings: () => Readonly<Record<string, string>>;
  readonly failed: readonly string[];
  readonly says: string;
}
const troubles: readonly Trouble[] = [
  {
    name: 'settings',
    settings: () => ({ RECTO_PORT: 'x', RECTO_FOO: '1' }),
    failed: ['settings'],
    says: 'RECTO_FOO',
  },
  {
    name: 'definitions',
    make: () => folder.write('wrong-types/note.toml', note('txet')),
    settings: () => ({ RECTO_CONTENT_TYPES_DIR: file('wrong-types') }),
    failed: ['definitions'],
    says: 'txet',
  },
  {
    name: 'definitions that do not fit',
    make: () => folder.write('other-types/note.toml', note('boolean')),
    settings: () => ({ RECTO_CONTENT_TYPES_DIR: file('other-types') }),
    failed: ['schema'],
    says: 'note.toml',
  },
  {
    name: 'a file in the place of the data folder',
    make: () => folder.write('blocked', ''),
    settings: () => ({ RECTO_DATA_DIR: file('blocked/data') }),
    failed: ['data folder'],
    says: 'is no folder',
  },
  {
    name: 'a secret that others can read',
    make: () => {
      folder.write('open/secret', 's'.repeat(64));
      chmodSync(file('open/secret'), 0o644);
    },
    settings: () => ({ RECTO_DATA_DIR: file('open') }),
    failed: ['file rights'],
    says: 'chmod 600',
  },
  {
    name: 'a damaged database',
    make: () => folder.write('damaged/recto.db', 'no database '.repeat(1000)),
    settings: () => ({ RECTO_DATA_DIR: file('damaged') }),
    failed: ['database', 'schema'],
    says: 'recto restore',
  },
];
test.each(troubles)('fails for $name', async ({ make, settings, failed, says }) => {
  make?.();
  const found = await findings(settings());
  expect({ exitCode: found.exitCode, failed: found.failed }).toEqual({ exitCode: 1, failed: [...failed] });
  const { out, exitCode } = await runCommand(['doctor'], { environment: environment(settings()) });
  expect(exitCode).toBe(1);
  expect(out).toContain(says);
  expect(out).toContain(`, ${failed.length} fail\n`);
});

describe('the port', () => {
  test('fails when another program has it', async () => {
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello') });
    const { failed, find } = await findings({ RECTO_PORT: String(other.port) });
    expect(failed).toEqual(['port']);
    expect(find('port')?.remedy).toContain('RECTO_PORT');
  });

  test('is fine when the service itself has it', async () => {
    using served = new RectoFolder();
    const service = served.spawn(['start']);
    const { port } = new URL(await service.url());
    await service.err(/"msg":"started"/);
    const { exitCode, find } = await findings({ RECTO_PORT: port });
    service.kill('SIGTERM');
    await service.ended();
    expect(exitCode).toBe(0);
    expect(find('port')?.detail).toContain('a service answers there already');
  });
});

test('a folder that others can read is a warning', async () => {
  chmodSync(file('data'), 0o755);
  const { exitCode, find } = await findings();
  chmodSync(file('data'), 0o700);
  expect(exitCode).toBe(0);
  expect(find('data folder')).toMatchObject({ verdict: 'warn', remedy: `Run: chmod 700 ${file('data')}` });
});

test('so is one in the data folder', async () => {
  const transfers = file('data/transfers');
  mkdirSync(transfers, { mode: 0o755 });
  const { exitCode, find } = await findings();
  chmodSync(transfers, 0o700);
  expect(exitCode).toBe(0);
  expect(find('data folder')).toMatchObject({ verdict: 'warn', remedy: `Run: chmod 700 ${transfers}` });
  expect((await findings()).find('data folder')?.verdict).toBe('ok');
});

test.each([
  ['1.4.5', 'ok'],
  ['1.10.0', 'ok'],
  ['1.3.9', 'warn'],
] as const)('Bun %s is %s where 1.4.5 is installed', (running, verdict) => {
  expect(runtimeFinding(running, '1.4.5').verdict).toBe(verdict);
});

test.each([true, false])('colours on a terminal: %p', async (colours) => {
  let out = '';
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    environment: environment({}),
    colours,
  };
  expect(await runCommandLine(['doctor'], terminal)).toBe(0);
  expect(out.startsWith('\u001b[32mok  \u001b[0m  runtime')).toBe(colours);
  expect(out.includes('\u001b')).toBe(colours);
});
