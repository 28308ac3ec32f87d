import { join } from 'node:path';
import { processorSeconds, residentMebibytes } from './child-server.ts';
import { article, author, cachedArticle, topic, writeContent } from './content.ts';
import { load } from './load.ts';
import { prepareRecto } from './recto-server.ts';
import { note, SoakTraffic } from './soak-traffic.ts';
import { type Sample, trendOf } from './trend.ts';

/** Memory of one process under full load of all kinds of requests. */
export interface SoakFigures {
  readonly seconds: number;
  /** Those of the mix, of which hardly two are alike. */
  readonly requests: number;
  /** With those for one cached list that are sent beside the mix, to leave the service no idle moment. */
  readonly requestsPerSecond: number;
  /** Processors that the service used, on average. */
  readonly processors: number;
  /** Answers with a status that the request must not have. */
  readonly unexpected: number;
  /** Answers by kind of request and status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Resident memory in MiB by the time since the load began. */
  readonly samples: readonly Sample[];
  /** Over the second half: MiB a minute, and the standard error of that. */
  readonly slope: number;
  readonly slopeError: number;
}

export interface SoakOptions {
  readonly seconds: number;
  readonly clients: number;
  /** Articles, and as many cached ones. */
  readonly articles: number;
  readonly notes: number;
}

/** Loads one process for so long and watches its memory. The number of records stays, so that what grows is no data. */
export async function measureSoak({ seconds, clients, articles, notes }: SoakOptions): Promise<SoakFigures> {
  await using recto = await prepareRecto([author, topic, article, cachedArticle, note]);
  const files = join(recto.folder, 'export');
  await writeContent(files, articles);
  await recto.import(files);
  await writeContent(files, articles, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  await using server = await recto.start();
  const traffic = await SoakTraffic.open({ server, articles, notes });
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const processorBefore = await processorSeconds(server.pid);
  const ending = AbortSignal.timeout(seconds * 1000);
  const samples: Sample[] = [];
  // The clients of the mix take more time than the service; those of one cached list leave it none.
  const busy = load({ url: `${server.url}/api/v1/cms/cached-articles`, connections: 4, seconds });
  const mix = traffic.run(clients, ending);
  const pause = Math.max(250, (seconds * 1000) / 300);
  while (!ending.aborted) {
    samples.push({ at: elapsed(), value: await residentMebibytes(server.pid) });
    await Bun.sleep(pause);
  }
  const { requestsPerSecond } = await busy;
  await mix;
  const took = elapsed();
  const { slope, error } = trendOf(samples.filter(({ at }) => at > took / 2));
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
