import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { bareOnPostgres } from './bare-work.ts';
import { startServer } from './child-server.ts';
import { makeFolder, removeFolder } from './cleanup.ts';
import { article, author, topic } from './content.ts';
import { type Comparison, compare, median } from './paired-rounds.ts';
import { type BenchPostgres, startBenchPostgres } from './postgres-server.ts';
import { prepareRecto } from './recto-server.ts';
import { fixed } from './table.ts';

/**
 * Creates on PostgreSQL beside a bare program, on disks of different speed: `bun bench/slow-flush.ts [rounds] [seconds]`. Each flush of the
 * server takes so many microseconds longer, by a library that is loaded into it (Linux; made by the compiler `cc`).
 */
const [rounds, seconds] = [Number(Bun.argv[2] ?? 5), Number(Bun.argv[3] ?? 3)];
const delays = [0, 500, 1_000, 2_000, 4_000];

const body = JSON.stringify({ title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true });

const folder = await makeFolder();
try {
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755);
  const library = join(folder, 'slow-flush.so');
  const made = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dir, 'slow-flush.c')]);
  if (made.status !== 0) throw new Error(`The library was not made: ${made.error ?? made.stderr}`);
  process.stdout.write('flush longer by  of the bare program  creates a second: ours, bare\n');
  for (const delay of delays) {
    await using postgres = await startSlow(library, delay);
    const { ratios, ours, limit } = await compareCreates(postgres, delay);
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => fixed(ratio));
    const rates = [ours, limit].map(({ requestsPerSecond }) => Math.round(requestsPerSecond));
    process.stdout.write(`${delay} µs  ${fixed(median(ratios))} (${least} to ${most})  ${rates.join(', ')}\n`);
  }
} finally {
  await removeFolder(folder);
}

/** The server inherits these variables, and what is started later does not. */
async function startSlow(library: string, delay: number): Promise<BenchPostgres> {
  Object.assign(process.env, { LD_PRELOAD: library, SLOW_FLUSH_US: String(delay) });
  try {
    return await startBenchPostgres();
  } finally {
    delete process.env.LD_PRELOAD;
    delete process.env.SLOW_FLUSH_US;
  }
}

async function compareCreates({ url }: BenchPostgres, delay: number): Promise<Comparison> {
  await using recto = await prepareRecto([author, topic, article]);
  await using server = await recto.start({ RECTO_DATABASE_URL: url });
  const { create } = bareOnPostgres(url);
  await using limit = await startServer({
    command: [process.execPath, join(import.meta.dir, 'limits', create.program), ...create.words],
    address: /http:\/\/\S+:\d+/,
    firstPath: '/',
  });
  const ours = { server, path: '/api/v1/cms/articles', body };
  const bare = { server: limit, path: '/', body };
  return await compare(`create, ${delay} µs`, create.target, ours, bare, { rounds, seconds, connections: 32 });
}
