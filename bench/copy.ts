import { join } from 'node:path';
import { startPostgres } from '../test/support/database/postgres-server.ts';
import { article, author, topic, writeContent } from './content.ts';
import { prepareRecto } from './recto-server.ts';

/** `bun bench/copy.ts [articles]`: how long `recto copy` takes from SQLite to PostgreSQL and back, and how much memory. */
const articles = Number(process.argv[2] ?? 100_000);
await using recto = await prepareRecto([author, topic, article]);
await using postgres = await startPostgres();
const files = join(recto.folder, 'export');
await writeContent(files, articles);
await recto.import(files);

const first = `sqlite:${join(recto.folder, 'data/recto.db')}`;
await copy('SQLite to PostgreSQL', first, postgres.url);
await copy('PostgreSQL to SQLite', postgres.url, `sqlite:${join(recto.folder, 'back.db')}`);

async function copy(name: string, from: string, to: string): Promise<void> {
  const started = performance.now();
  const main = join(import.meta.dir, '../packages/recto/src/cli/main.ts');
  const child = Bun.spawn([process.execPath, main, 'copy', '--from', from, '--to', to, '--json'], {
    cwd: recto.folder,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '' },
  });
  const output: unknown = await new Response(child.stdout).json();
  if ((await child.exited) !== 0) throw new Error(JSON.stringify(output));
  const seconds = (performance.now() - started) / 1000;
  // What the command prints.
  const rows = (output as { readonly tables: readonly { readonly rows: number }[] }).tables.reduce(
    (sum, table) => sum + table.rows,
    0,
  );
  const usage = child.resourceUsage();
  const memory = (usage?.maxRSS ?? 0) / 1024 / 1024;
  const microseconds = Number(usage?.cpuTime.total ?? 0) / rows;
  process.stdout.write(
    `${name}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, ${microseconds.toFixed(0)} µs of its processor time each, at most ${memory.toFixed(0)} MiB\n`,
  );
}
