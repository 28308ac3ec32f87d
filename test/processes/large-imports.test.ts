import { Database as BunDatabase } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { writeWordpressFile } from '../support/wordpress-file.ts';

// `recto import` of files of 10 and 40 MB: one run is killed, and another is watched.

/** What the database holds of the records that an import makes. */
function imported(path: string): number {
  if (!existsSync(path)) return 0;
  using database = new BunDatabase(path, { readonly: true });
  try {
    return (
      database.query<{ n: number }, []>("SELECT count(*) AS n FROM recto_imports WHERE kind <> 'author'").get()?.n ?? 0
    );
  } catch {
    // The table or the file is only just being made.
    return 0;
  }
}

test('a run that is killed is taken up by the next', async () => {
  using folder = new RectoFolder();
  const written = writeWordpressFile(join(folder.path, 'site.xml'), 10_000_000);
  const total = written.posts + written.pages + written.comments;
  const database = join(folder.path, 'data/recto.db');
  const run = folder.spawn(['import', 'wordpress', 'site.xml']);
  while (imported(database) === 0) await Bun.sleep(2);
  run.kill('SIGKILL');
  await run.ended();
  const some = imported(database);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(total);
  const { exitCode, out } = await folder.run(['import', 'wordpress', 'site.xml', '--json']);
  expect(exitCode).toBe(0);
  const { counts } = JSON.parse(out);
  const sum = (name: string) =>
    counts.reduce((all: number, count: Record<string, number>) => all + (count[name] ?? 0), 0);
  expect([sum('taken') + sum('before') - 1, sum('skipped')]).toEqual([total, 0]);
  expect(imported(database)).toBe(total);
  // Nothing of the killed run's working copy is left.
  expect(readdirSync(join(folder.path, 'data')).filter((name) => !name.startsWith('recto.db'))).toEqual([]);
}, 600_000);

test.skipIf(!existsSync('/proc/self/status'))(
  'memory does not grow with the file',
  async () => {
    using folder = new RectoFolder();
    const file = join(folder.path, 'site.xml');
    writeWordpressFile(file, 40_000_000);
    expect(statSync(file).size).toBeGreaterThan(40_000_000);
    const main = join(import.meta.dir, '../../packages/recto/src/cli/main.ts');
    const run = Bun.spawn([process.execPath, main, 'import', 'wordpress', file], {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? '' },
      stdout: 'ignore',
      stderr: 'inherit',
    });
    // What the system reports at the end counts this process from before the program was loaded; its own status does not.
    let peak = 0;
    const look = setInterval(() => {
      peak = Math.max(peak, peakMemory(run.pid));
    }, 20);
    expect(await run.exited).toBe(0);
    clearInterval(look);
    expect(peak).toBeGreaterThan(0);
    expect(peak / 1024).toBeLessThan(300);
  },
  600_000,
);

/** The most memory that a process had at once so far, in KiB; 0 when it has ended. */
function peakMemory(pid: number): number {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}
