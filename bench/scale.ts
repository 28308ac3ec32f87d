import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildServer } from './child-server.ts';
import { makeFolder, removeFolder } from './cleanup.ts';
import { articleId, articleOf, text } from './content.ts';
import { load } from './load.ts';
import { median, type RoundOptions } from './paired-rounds.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { logProgress } from './progress.ts';
import { storedArticles } from './stored-articles.ts';

/** One operation on one database at one number of records: medians over the rounds, in milliseconds, of one client. */
export interface ScaleFigure {
  readonly database: ScaleDatabase;
  readonly operation: string;
  readonly records: number;
  readonly p50: number;
  readonly p99: number;
}

export type ScaleDatabase = 'SQLite' | 'PostgreSQL';

const articles = '/api/v1/cms/articles';
const list = (query: string): string => `${articles}?${query}&skip_total=true`;

interface Operation {
  readonly operation: string;
  /** The request for a number of records; null: too few for this operation. */
  readonly path: (records: number, server: ChildServer) => string | null | Promise<string>;
  /** JSON; makes it a POST. */
  readonly body?: string;
  /** Each request follows an unmeasured write, so that nothing of the list is cached. */
  readonly afterWrite?: true;
}

/** The number of a page of 15 with three quarters of all records before it: 50,000 of a million. */
const farPage = (records: number): number => records / 20;

const draft = JSON.stringify({ title: 'One more', reads: 3 });
const [rare, oneOfThem] = [text(5, 2), text(5, 1)];

const operations: readonly Operation[] = [
  { operation: 'get', path: () => `${articles}/${articleId(5)}` },
  { operation: 'create', path: () => articles, body: draft },
  { operation: 'first page, total known', path: () => articles },
  { operation: 'first page, total counted after a write', path: () => articles, afterWrite: true },
  { operation: 'first page, without total', path: () => list('page=1') },
  {
    operation: 'page 1,000 of 5, by number',
    path: (records) => (records < 10_000 ? null : list('page=1000&page_size=5')),
  },
  {
    operation: 'page at ¾ of the list, by number',
    path: (records) => list(`page=${farPage(records)}&page_size=15`),
  },
  { operation: 'page at ¾ of the list, by cursor', path: nextOfFarPage },
  { operation: 'filtered by a boolean', path: () => list('featured=true') },
  { operation: 'filtered by a relation to one', path: () => list(`author=${articleOf(3).author}`) },
  { operation: 'filtered by a relation to many', path: () => list(`topics=${topicOfThird()}`) },
  { operation: 'sorted by an indexed field', path: () => list('sort=reads:desc') },
  { operation: 'indexed sort, filtered by a boolean', path: () => list('sort=reads:desc&featured=true') },
  {
    operation: 'indexed sort, filtered by a relation',
    path: () => list(`sort=reads:desc&author=${articleOf(3).author}`),
  },
  { operation: 'sorted by a field without index', path: () => list('sort=rating:desc') },
  { operation: 'with two relations included', path: () => list('include=author,topics') },
  { operation: 'searched for two words', path: () => list(`search=${encodeURIComponent(rare)}`) },
  { operation: 'searched for a word (in 4 of 1,000)', path: () => list(`search=${oneOfThem}`) },
  { operation: 'searched for a beginning (in 3 of 4)', path: () => list('search=colour') },
];

/** In the order in which they are reported. */
export const scaleOperations: readonly string[] = operations.map(({ operation }) => operation);

const topicOfThird = (): string => String((articleOf(3).topics as readonly string[])[0]);

/** The path of a page far back, by the cursor that the page before it gives. */
async function nextOfFarPage(records: number, server: ChildServer): Promise<string> {
  const response = await fetch(server.url + list(`page=${farPage(records)}&page_size=15`));
  const { next_cursor } = (await response.json()) as { next_cursor: string };
  return list(`page_size=15&cursor=${next_cursor}`);
}

/** How long each operation takes at a number of records. One client at a time, to measure latency. */
export const measureScale: Readonly<
  Record<ScaleDatabase, (records: number, options: RoundOptions) => Promise<readonly ScaleFigure[]>>
> = {
  SQLite: async (records, options) => {
    const { recto, data } = await storedArticles(records);
    // Records created during this measurement affect no other one.
    const own = await makeFolder();
    try {
      await cp(data, own, { recursive: true });
      await using server = await recto.start({ RECTO_DATA_DIR: own });
      return await measureDatabase('SQLite', records, server, options);
    } finally {
      await removeFolder(own);
    }
  },

  PostgreSQL: async (records, options) => {
    const { recto, data } = await storedArticles(records);
    await using postgres = await startBenchPostgres();
    logProgress(`copying ${records.toLocaleString('en')} articles into PostgreSQL`);
    await postgres.fill((url) => recto.copyTo(url, join(data, 'recto.db')));
    await using server = await recto.start({ RECTO_DATABASE_URL: postgres.url });
    return await measureDatabase('PostgreSQL', records, server, options);
  },
};

/** Measures every operation on a server with this many records. */
async function measureDatabase(
  database: ScaleDatabase,
  records: number,
  server: ChildServer,
  options: RoundOptions,
): Promise<readonly ScaleFigure[]> {
  const figures: ScaleFigure[] = [];
  for (const operation of operations) {
    const path = await operation.path(records, server);
    if (path === null) continue;
    const { p50, p99 } = await latencies(server, { ...operation, path }, options);
    figures.push({ database, operation: operation.operation, records, p50, p99 });
    logProgress(
      `${database}, ${records.toLocaleString('en')} records, ${operation.operation}: ${p50.toFixed(3)} (${p99.toFixed(3)}) ms`,
    );
  }
  return figures;
}

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

type Asked = Omit<Operation, 'path'> & { readonly path: string };

/** The median of the rounds. */
async function latencies(
  server: ChildServer,
  asked: Asked,
  { rounds, seconds }: Pick<RoundOptions, 'rounds' | 'seconds'>,
): Promise<Latencies> {
  const slow = asked.afterWrite === true || (await once(server, asked)) > slowest;
  const measured: Latencies[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(slow ? await oneByOne(server, asked, seconds) : await loaded(server, asked, seconds));
  }
  return { p50: median(measured.map(({ p50 }) => p50)), p99: median(measured.map(({ p99 }) => p99)) };
}

/** In milliseconds. The load generator reports nothing for requests that take about as long as the round. */
const slowest = 100;

async function loaded(server: ChildServer, { operation, path, body }: Asked, seconds: number): Promise<Latencies> {
  const sent = body === undefined ? {} : { body };
  const { faults, p50, p99 } = await load({ url: server.url + path, ...sent, seconds, connections: 1 });
  if (faults > 0) throw new Error(`${operation}: ${faults} requests failed`);
  return { p50, p99 };
}

async function oneByOne(server: ChildServer, asked: Asked, seconds: number): Promise<Latencies> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    if (asked.afterWrite === true) await once(server, { operation: 'create', path: articles, body: draft });
    times.push(await once(server, asked));
  } while (performance.now() < end);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** In milliseconds. */
async function once(server: ChildServer, { operation, path, body }: Asked): Promise<number> {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const begun = performance.now();
  const response = await fetch(server.url + path, body === undefined ? {} : { ...post, body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${operation}: ${path} was answered with ${response.status}`);
  return performance.now() - begun;
}

/** The p50 of an operation at the greatest number of records over that at the least; undefined where there is only one. */
export function growth(figures: readonly ScaleFigure[], operation: string): number | undefined {
  const sizes = figures.filter((figure) => figure.operation === operation).sort((a, b) => a.records - b.records);
  const [first, last] = [sizes[0], sizes.at(-1)];
  return first === undefined || last === undefined || first === last ? undefined : last.p50 / first.p50;
}
