import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder } from '../../../../test/support/processes/recto-process.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';

/** A data folder that a stopped service has created, and what a killed one would have left in it. */
let folder: RectoFolder;
const stray = (name: string): string => join(folder.path, 'data', 'media', 'files', 'ab', name);
const hourMs = 3_600_000;

beforeAll(async () => {
  folder = new RectoFolder({});
  const service = folder.spawn(['start']);
  await service.url();
  service.kill('SIGTERM');
  await service.ended();
  mkdirSync(join(stray('x'), '..'), { recursive: true });
});
afterAll(() => folder[Symbol.dispose]());

/** Leaves a file of no record that was written at a time. */
function leave(name: string, at: number): void {
  writeFileSync(stray(name), 'left');
  utimesSync(stray(name), at / 1000, at / 1000);
}

const media = (...args: readonly string[]) =>
  runCommand(['media', ...args], {
    environment: {
      RECTO_DATA_DIR: join(folder.path, 'data'),
      RECTO_CONTENT_TYPES_DIR: join(folder.path, 'content-types'),
    },
  });

test('files of no record are unfinished while they are young, and removed once they are old enough', async () => {
  const begun = Math.floor(Date.now() / 1000) * 1000;
  leave('young', begun);
  leave('older', begun - hourMs / 2);
  const removable = new Date(begun + hourMs).toISOString();
  const early = await media('verify', '--json');
  expect([early.exitCode, JSON.parse(early.out)]).toMatchObject([
    0,
    { ok: true, faults: [], unfinished: { files: 2, removable_at: removable } },
  ]);
  const printed = await media('verify');
  expect(printed.out).toContain('2 files of no record, written within the last hour');
  expect(printed.out).toContain(removable);

  const swept = await media('sweep');
  expect([swept.exitCode, swept.out]).toEqual([0, expect.stringContaining('Removed 0 files without a record, 0 that')]);
  expect(swept.out).toContain(`Left 2 files that may be of uploads that are not finished`);
  expect(swept.out).toContain(removable);
  const half = await media('sweep', '--older-than', '20m', '--json');
  expect(JSON.parse(half.out)).toEqual({
    ...{ ok: true, unused: 0, strays: 1, unfinished: 0, variants: 0 },
    left: { files: 1, removable_at: new Date(begun + hourMs / 3).toISOString() },
  });
  leave('old', begun - 2 * hourMs);
  const late = await media('verify', '--json');
  expect([late.exitCode, JSON.parse(late.out)]).toMatchObject([
    1,
    { ok: false, faults: [{ kind: 'file_without_row', at: 'files/ab/old' }], unfinished: { files: 1 } },
  ]);
  expect(JSON.parse((await media('sweep', '--hours', '1', '--json')).out)).toMatchObject({ strays: 1 });
  expect(JSON.parse((await media('verify', '--json')).out)).toMatchObject({ ok: true, unfinished: { files: 1 } });
});

test.each(['', '1', '2w', '-1h', '1.5h', 'h'])('--older-than %p is none', async (time) => {
  const { exitCode, err } = await media('sweep', '--older-than', time);
  expect([exitCode, err]).toEqual([2, expect.stringContaining('--older-than must be')]);
});

test('files that records lack are added from a folder, by their hashes', async () => {
  const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
  const id = (number: number) => `01900000-0000-7000-8000-00000000080${number}`;
  const records = [
    { id: id(1), name: 'one.txt', hash: hashOf('one') },
    { id: id(2), name: 'same.txt', hash: hashOf('one') },
    { id: id(3), name: 'two.txt', hash: hashOf('two') },
    { id: id(4), name: 'never.txt', hash: hashOf('never') },
  ];
  const lines = join(folder.path, 'media.ndjson');
  writeFileSync(lines, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const environment = {
    RECTO_DATA_DIR: join(folder.path, 'data'),
    RECTO_CONTENT_TYPES_DIR: join(folder.path, 'content-types'),
  };
  const imported = await runCommand(['import', 'json', lines, '--json'], { environment });
  expect([imported.exitCode, JSON.parse(imported.out)]).toMatchObject([0, { missing_files: { total: 4 } }]);
  expect(JSON.parse((await media('verify', '--json')).out).faults).toHaveLength(4);

  const files = join(folder.path, 'files');
  mkdirSync(join(files, 'deep', 'er'), { recursive: true });
  writeFileSync(join(files, 'deep', 'er', 'x'), 'one');
  writeFileSync(join(files, 'y.bin'), 'two');
  writeFileSync(join(files, 'z.bin'), 'of no record');
  const added = await media('add', files, '--json');
  expect([added.exitCode, JSON.parse(added.out)]).toEqual([
    0,
    { ok: true, added: 2, records: 3, before: 0, unknown: 1, refused: [], missing: [id(4)] },
  ]);
  expect(JSON.parse((await media('verify', '--json')).out)).toMatchObject({
    ...{ ok: false, files: 2, faults: [{ kind: 'record_without_file', at: id(4) }] },
  });
  const again = await media('add', files);
  expect(again.out).toContain('Added 0 files, for 0 records. 2 were there before, 1 belong to no record.');
  expect(again.out).toContain(`1 record still without a file: ${id(4)}`);

  // What the storage has lost comes back under its key.
  const stored = join(folder.path, 'data', 'media', 'files');
  rmSync(stored, { recursive: true });
  expect(JSON.parse((await media('add', files, '--json')).out)).toMatchObject({ added: 2, records: 3, before: 0 });
  expect(JSON.parse((await media('verify', '--json')).out).faults).toHaveLength(1);

  const service = folder.spawn(['start']);
  const url = await service.url();
  const served = await fetch(`${url}/media/${id(2)}/same.txt`);
  expect([served.status, await served.text()]).toEqual([200, 'one']);
  service.kill('SIGTERM');
  await service.ended();
  expect((await media('add', join(folder.path, 'nowhere'))).exitCode).toBe(1);
});

test('an export with its files is imported elsewhere with them', async () => {
  const environment = (at: RectoFolder) => ({
    RECTO_DATA_DIR: join(at.path, 'data'),
    RECTO_CONTENT_TYPES_DIR: join(at.path, 'content-types'),
  });
  const recto = (at: RectoFolder, ...args: readonly string[]) => runCommand(args, { environment: environment(at) });
  const out = join(folder.path, 'export');
  const lost = await recto(folder, 'export', '--with-media', '--out', out, '--json');
  expect([lost.exitCode, JSON.parse(lost.out).media]).toMatchObject([0, { files: 2, missing: [], damaged: [] }]);
  expect(statSync(join(out, 'media')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(out, 'media'))).toHaveLength(2);
  expect((await recto(folder, 'export', '--with-media', '--type', 'posts', '--out', `${out}2`)).exitCode).toBe(1);

  using elsewhere = new RectoFolder({});
  const plain = await recto(elsewhere, 'import', 'json', out, '--dry-run');
  expect([plain.exitCode, plain.out]).toEqual([0, expect.stringContaining('Files that are missing')]);
  // One record names a file that there never was.
  const full = await recto(elsewhere, 'import', 'json', out, '--with-media', '--json');
  const report = JSON.parse(full.out);
  expect([full.exitCode, report.missing_files.total]).toEqual([1, 1]);
  expect(full.err).toContain('The files of 1 record are missing.');
  expect(report.counts).toContainEqual({ kind: 'files', taken: 2, before: 0, skipped: 0, failed: 0 });
  const verified = JSON.parse((await recto(elsewhere, 'media', 'verify', '--json')).out);
  expect(verified).toMatchObject({ files: 2, faults: [{ kind: 'record_without_file' }], unfinished: null });
  const file = join(out, 'posts.ndjson');
  expect((await recto(elsewhere, 'import', 'json', file, '--with-media')).err).toContain('--with-media goes with');
});
