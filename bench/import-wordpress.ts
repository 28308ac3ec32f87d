import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWordpressFile } from '../test/support/wordpress-file.ts';

/**
 * `bun bench/import-wordpress.ts [megabytes]`: how long the import of a made-up site takes, and how much memory. The promise is less
 * than 300 MiB for a file of 1 GB.
 */
const megabytes = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(tmpdir(), 'recto-import-'));
try {
  const file = join(folder, 'site.xml');
  const written = writeWordpressFile(file, megabytes * 1e6);
  const started = performance.now();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../packages/recto/src/cli/main.ts'), 'import', 'wordpress', file],
    { cwd: folder, stdout: 'pipe', stderr: 'inherit', env: { PATH: process.env.PATH ?? '' } },
  );
  const out = await new Response(child.stdout).text();
  const exitCode = await child.exited;
  const seconds = (performance.now() - started) / 1000;
  const memory = (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
  const size = statSync(file).size / 1e6;
  process.stdout.write(
    `${out}\n${JSON.stringify(written)}\nexit code ${exitCode}, ${size.toFixed(0)} MB in ${seconds.toFixed(1)} s, at most ${memory.toFixed(0)} MiB of memory\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
