import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, processorSeconds, residentMebibytes } from './child-server.ts';
import { article, author, cachedArticle, topic, writeContent } from './content.ts';
import { type LoadOptions, load } from './load.ts';
import { median, type RoundOptions } from './paired-rounds.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';

/** Several workers compared with one, on one operation. Medians over the rounds. */
export interface WorkersComparison {
  readonly operation: string;
  readonly workers: number;
  readonly one: number;
  /** Requests a second, while load generator and workers share the cores of this machine. */
  readonly many: number;
  /**
   * The estimated speed-up with a core for each worker. The ideal is one independent service for each worker; it is scaled by
   * the processor cost of a request there over the cost in the busiest worker. Both run under the same load and share the
   * cores with the load generators, so those cancel out. What lowers the ratio is an uneven distribution of requests, and
   * the checks for what other workers write. Null where they wait for the disk and not for a processor.
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

/** Measures services with the same records, loading them in turn. Needs Linux: it reads `/proc`. */
export async function measureWorkers(workers: number, options: RoundOptions): Promise<readonly WorkersComparison[]> {
  logProgress('importing into each service');
  await using filled = await prepareFilled();
  await using one = await filled.start();
  await using many = await filled.start({ RECTO_WORKERS: String(workers) });
  await using others = new AsyncDisposableStack();
  const apart = [one];
  while (apart.length < workers) {
    const { start } = others.use(await prepareFilled());
    apart.push(others.use(await start()));
  }
  const compared: WorkersComparison[] = [];
  for (const operation of operations) compared.push(await compareWorkers(operation, { one, many, apart }, options));
  return compared;
}

async function prepareFilled(): Promise<Recto> {
  const recto = await prepareRecto([author, topic, article, cachedArticle]);
  const files = join(recto.folder, 'export');
  await writeContent(files, 1000);
  await recto.import(files);
  await writeContent(files, 1000, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  return recto;
}

interface Servers {
  readonly one: ChildServer;
  readonly many: ChildServer;
  /** As many services as `many` has workers, each with one worker and its own database. */
  readonly apart: readonly ChildServer[];
}

async function compareWorkers(
  { name, path, body }: Operation,
  { one, many, apart }: Servers,
  options: RoundOptions,
): Promise<WorkersComparison> {
  logProgress(`${name}, one against ${apart.length} workers`);
  const workers = apart.length;
  const pids = await childrenOf(many.pid);
  if (pids.length !== workers) throw new Error(`There are ${pids.length} workers, and not ${workers}.`);
  const sent = { ...options, ...(body === undefined ? {} : { body }) };
  // The same load on each: the generators share the connections equally.
  const shared = { ...sent, connections: Math.ceil(options.connections / workers) };
  const rounds = [];
  // The first warms up.
  for (let round = 0; round <= options.rounds; round += 1) {
    const single = await loadProcesses([one.pid], [one.url + path], sent);
    const each = apart.map(({ url }) => url + path);
    const separate = await loadProcesses(
      apart.map(({ pid }) => pid),
      each,
      shared,
    );
    const several = await loadProcesses(pids, Array(workers).fill(many.url + path), shared);
    if (round > 0) rounds.push({ single, several, ratio: separate.average / several.busiest });
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

interface LoadedProcesses {
  readonly requestsPerSecond: number;
  readonly p99: number;
  /** Processor seconds of the busiest process, divided by the requests to all. */
  readonly busiest: number;
  /** Processor seconds of all processes, divided by the requests to all. */
  readonly average: number;
}

/** One round: each address is loaded by its own generator. */
async function loadProcesses(
  pids: readonly number[],
  urls: readonly string[],
  options: Omit<LoadOptions, 'url'>,
): Promise<LoadedProcesses> {
  const before = await Promise.all(pids.map(processorSeconds));
  const results = await Promise.all(urls.map((url) => load({ ...options, url })));
  const faults = results.reduce((sum, result) => sum + result.faults, 0);
  if (faults > 0) throw new Error(`${urls[0]}: ${faults} requests failed`);
  const after = await Promise.all(pids.map(processorSeconds));
  const used = after.map((seconds, place) => seconds - (before[place] ?? 0));
  const requestsPerSecond = results.reduce((sum, result) => sum + result.requestsPerSecond, 0);
  const requests = requestsPerSecond * options.seconds;
  return {
    requestsPerSecond,
    p99: Math.max(...results.map(({ p99 }) => p99)),
    busiest: Math.max(...used) / requests,
    average: used.reduce((sum, seconds) => sum + seconds, 0) / requests,
  };
}

/** The processes that a process has started (Linux). */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}
