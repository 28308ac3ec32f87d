import { join } from 'node:path';
import { type ChildServer, type ProcessMemory, processMemory, processorSeconds } from './child-server.ts';
import { article, author, cachedArticle, topic, writeContent } from './content.ts';
import { load } from './load.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { logProgress } from './progress.ts';
import { prepareRecto } from './recto-server.ts';
import { note, SoakTraffic } from './soak-traffic.ts';
import { fixed, whole } from './table.ts';
import { type Trend, trendOf } from './trend.ts';

/** Memory of one process under full load of all kinds of requests. */
export interface SoakFigures {
  readonly seconds: number;
  /** Requests of the mix, almost all different. */
  readonly requests: number;
  /** Including requests for one cached list, sent beside the mix to keep the service busy. */
  readonly requestsPerSecond: number;
  /** Processors that the service used, on average. */
  readonly processors: number;
  /** Responses with an unexpected status. */
  readonly unexpected: number;
  /** Responses by kind of request and status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly samples: readonly MemorySample[];
  /** The growth of anonymous memory over the second half in MiB a minute, and its standard error. */
  readonly slope: number;
  readonly slopeError: number;
}

export interface MemorySample extends ProcessMemory {
  /** Seconds since the load began. */
  readonly at: number;
  /** The size of cached responses as the service reports it, a part of the anonymous memory. */
  readonly cached: number;
}

export interface SoakOptions {
  readonly seconds: number;
  readonly clients: number;
  /** Articles, and as many cached ones. */
  readonly articles: number;
  readonly notes: number;
}

/** Loads one process on SQLite and watches its memory. The number of records stays the same, so growth is not data. */
export const measureSoak = (options: SoakOptions): Promise<SoakFigures> => soakOn({}, options);

/** The same on PostgreSQL. */
export async function measurePostgresSoak(options: SoakOptions): Promise<SoakFigures> {
  await using postgres = await startBenchPostgres();
  return await soakOn({ RECTO_DATABASE_URL: postgres.url }, options);
}

async function soakOn(
  settings: Readonly<Record<string, string>>,
  { seconds, clients, articles, notes }: SoakOptions,
): Promise<SoakFigures> {
  await using recto = await prepareRecto([author, topic, article, cachedArticle, note], settings);
  const files = join(recto.folder, 'export');
  logProgress(`importing ${whole(articles)} articles, and as many cached ones`);
  await writeContent(files, articles);
  await recto.import(files);
  await writeContent(files, articles, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  await using server = await recto.start();
  logProgress('making tokens and notes');
  const traffic = await SoakTraffic.open({ server, articles, notes });
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const processorBefore = await processorSeconds(server.pid);
  const ending = AbortSignal.timeout(seconds * 1000);
  const samples: MemorySample[] = [];
  // The clients of the mix are slower than the service; requests for one cached list keep it fully busy.
  const busy = load({ url: `${server.url}/api/v1/cms/cached-articles`, connections: 4, seconds });
  const mix = traffic.run(clients, ending);
  let loggedAt = Number.NEGATIVE_INFINITY;
  const pause = Math.max(250, (seconds * 1000) / 300);
  while (!ending.aborted) {
    samples.push({ at: elapsed(), ...(await processMemory(server.pid)), cached: await cachedMebibytes(server) });
    loggedAt = logMemory(samples, seconds, loggedAt);
    await Bun.sleep(pause);
  }
  const { requestsPerSecond } = await busy;
  await mix;
  const took = elapsed();
  const { slope, error } = anonymousTrend(samples, took);
  return {
    seconds: took,
    requests: traffic.sent,
    requestsPerSecond: traffic.sent / took + requestsPerSecond,
    processors: ((await processorSeconds(server.pid)) - processorBefore) / took,
    unexpected: traffic.unexpected,
    answers: Object.fromEntries([...traffic.answers].toSorted()),
    samples,
    slope: slope * 60,
    slopeError: error * 60,
  };
}

async function cachedMebibytes({ url }: ChildServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^recto_cache_bytes (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN) / 2 ** 20;
}

/** The line through the anonymous memory of the second half. */
export const anonymousTrend = (samples: readonly MemorySample[], seconds: number): Trend =>
  trendOf(samples.filter(({ at }) => at > seconds / 2).map(({ at, anonymous }) => ({ at, value: anonymous })));

/** Logs memory every half minute; returns the time of the last log line. */
function logMemory(samples: readonly MemorySample[], seconds: number, before: number): number {
  const last = samples.at(-1);
  if (last === undefined || last.at < before + 30) return before;
  const { at, total, anonymous, mapped, cached } = last;
  logProgress(
    `${whole(at)} of ${whole(seconds)} s: ${fixed(total, 0)} MiB, of which ${fixed(anonymous, 0)} anonymous, ${fixed(mapped, 0)} mapped; ${fixed(cached, 0)} MiB of answers are cached`,
  );
  return at;
}
