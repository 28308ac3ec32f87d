import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, processorSeconds, residentMebibytes } from './child-server.ts';
import { article, author, cachedArticle, topic, writeContent } from './content.ts';
import { load } from './load.ts';
import { median, type RoundOptions } from './paired-rounds.ts';
import { prepareRecto } from './recto-server.ts';

/** Several workers against one, on one operation. Medians over the rounds. */
export interface WorkersComparison {
  readonly operation: string;
  readonly workers: number;
  readonly one: number;
  /** Requests a second, while load generator and workers share the cores of this machine. */
  readonly many: number;
  /**
   * How many times as fast the workers would be with cores of their own: what a request costs one process, over what it costs
   * the busiest of the workers. The load generator's share of the processor is no part of it; what workers
   * lose by unequal shares, or by having to look at what the others write, is. Null where they wait for the disk, and not for
   * a processor.
   */
  readonly ratio: number | null;
  readonly p99One: number;
  readonly p99Many: number;
  /** Resident memory of the workers on average, and of the process that supervises them. */
  readonly workerMebibytes: number;
  readonly supervisorMebibytes: number;
}

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly body?: string;
}

const created = JSON.stringify({ title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true });

const operations: readonly Operation[] = [
  { name: 'cached list of 20', path: '/api/v1/cms/cached-articles?sort=reads:desc' },
  { name: 'uncached list of 20', path: '/api/v1/cms/articles?skip_total=true' },
  { name: 'create', path: '/api/v1/cms/articles', body: created },
];

/** Both serve the same database, and are loaded in turn. Needs Linux: it reads `/proc`. */
export async function measureWorkers(workers: number, options: RoundOptions): Promise<readonly WorkersComparison[]> {
  await using recto = await prepareRecto([author, topic, article, cachedArticle]);
  const files = join(recto.folder, 'export');
  await writeContent(files, 1000);
  await recto.import(files);
  await writeContent(files, 1000, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  await using one = await recto.start();
  await using many = await recto.start({ RECTO_WORKERS: String(workers) });
  const compared: WorkersComparison[] = [];
  for (const operation of operations) compared.push(await compareWorkers(operation, { workers, one, many }, options));
  return compared;
}

interface Servers {
  readonly workers: number;
  readonly one: ChildServer;
  readonly many: ChildServer;
}

async function compareWorkers(
  { name, path, body }: Operation,
  { workers, one, many }: Servers,
  options: RoundOptions,
): Promise<WorkersComparison> {
  const pids = await childrenOf(many.pid);
  if (pids.length !== workers) throw new Error(`There are ${pids.length} workers, and not ${workers}.`);
  const sent = body === undefined ? {} : { body };
  const rounds = [];
  // The first warms up.
  for (let round = 0; round <= options.rounds; round += 1) {
    const single = await loadProcesses([one.pid], { ...options, ...sent, url: one.url + path });
    const several = await loadProcesses(pids, { ...options, ...sent, url: many.url + path });
    if (round > 0) rounds.push({ single, several, ratio: single.busiest / several.busiest });
  }
  const memory = await Promise.all(pids.map(residentMebibytes));
  return {
    operation: name,
    workers,
    one: median(rounds.map(({ single }) => single.requestsPerSecond)),
    many: median(rounds.map(({ several }) => several.requestsPerSecond)),
    ratio: body === undefined ? median(rounds.map(({ ratio }) => ratio)) : null,
    p99One: median(rounds.map(({ single }) => single.p99)),
    p99Many: median(rounds.map(({ several }) => several.p99)),
    workerMebibytes: memory.reduce((sum, each) => sum + each, 0) / memory.length,
    supervisorMebibytes: await residentMebibytes(many.pid),
  };
}

/** A round, with the processor seconds that the busiest of the processes used for a request of all. */
async function loadProcesses(pids: readonly number[], options: Parameters<typeof load>[0]) {
  const before = await Promise.all(pids.map(processorSeconds));
  const { faults, requestsPerSecond, p99 } = await load(options);
  if (faults > 0) throw new Error(`${options.url}: ${faults} requests failed`);
  const after = await Promise.all(pids.map(processorSeconds));
  const used = after.map((seconds, place) => seconds - (before[place] ?? 0));
  return { requestsPerSecond, p99, busiest: Math.max(...used) / (requestsPerSecond * options.seconds) };
}

/** The processes that a process has started (Linux). */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}
