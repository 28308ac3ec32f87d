import { cpus } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startServer } from './child-server.ts';
import { article, articleId, articleOf, author, topic, writeContent, writeMoreArticles } from './content.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';
import { loadSteadily, type SteadyResult } from './steady-load.ts';
import { fixed } from './table.ts';

/** The latency of gets by id while others were busy. */
export interface NeighbourFigure {
  readonly workers: number;
  readonly neighbour: string;
  readonly gets: SteadyResult;
  /** The same requests, in turn with those, to an idle server: the noise of the machine itself. */
  readonly bare: SteadyResult;
  /** The work that the neighbours completed meanwhile. */
  readonly queries: number;
  readonly slowestQuery: number;
  readonly creates: number;
  readonly importSeconds: number | null;
}

export interface NeighbourSize {
  /** Articles stored before, and articles imported. */
  readonly records: number;
  /** The duration of a measurement without an import; with one, the import's duration. */
  readonly seconds: number;
}

/** Gets are sent at this pace, to each of two servers. */
const perSecond = 200;

const list = '/api/v1/cms/articles';

/** The slowest query open to anonymous callers: nearly every record has a word with this prefix, and all are ranked and counted. */
export const slowestQuery = `${list}?search=p&page=400&page_size=100&include=author,topics`;

type Neighbour = 'query' | 'import' | 'creates';

const cases: readonly (readonly [name: string, neighbours: readonly Neighbour[]])[] = [
  ['nobody', []],
  ['the slowest query, without pause', ['query']],
  ['`recto import json`', ['import']],
  ['creates by the API, without pause', ['creates']],
  ['all three', ['query', 'import', 'creates']],
];

/** How long gets by id take beside neighbours that keep the service as busy as they can. */
export async function measureNeighbours(
  size: NeighbourSize,
  keep: (figures: readonly NeighbourFigure[]) => Promise<void>,
): Promise<readonly NeighbourFigure[]> {
  const figures: NeighbourFigure[] = [];
  for (const workers of new Set([1, cpus().length])) {
    await using recto = await prepareRecto([author, topic, article]);
    logProgress(`importing ${size.records.toLocaleString('en')} articles`);
    await writeContent(join(recto.folder, 'export'), size.records);
    await recto.import(join(recto.folder, 'export'));
    await using server = await recto.start({ RECTO_WORKERS: String(workers), RECTO_LOG_LEVEL: 'fatal' });
    await using bare = await startBare(recto, server);
    for (const [place, [neighbour, kinds]] of cases.entries()) {
      logProgress(`beside ${neighbour}, ${workers === 1 ? 'one worker' : `${workers} workers`}`);
      const more = join(recto.folder, `more-${place}`);
      if (kinds.includes('import')) await writeMoreArticles(more, size.records, size.records * (place + 1));
      const measured = await measureBeside(kinds, { recto, server, bare, more, seconds: size.seconds });
      figures.push({ workers, neighbour, ...measured });
      const { gets } = measured;
      logProgress(`gets: p50 ${fixed(gets.p50)} ms, p99 ${fixed(gets.p99)} ms, at most ${fixed(gets.max)} ms`);
      await keep(figures);
    }
  }
  return figures;
}

/** A server that answers every request with the same record. */
async function startBare(recto: Recto, server: ChildServer): Promise<ChildServer> {
  const body = join(recto.folder, 'record.json');
  const answer = await fetch(server.url + getPath(1));
  await Bun.write(body, await answer.bytes());
  return startServer({
    command: [process.execPath, join(import.meta.dir, 'limits/bytes-server.ts'), body],
    address: /http:\S+/,
    firstPath: '/',
  });
}

interface Scene {
  readonly recto: Recto;
  readonly server: ChildServer;
  readonly bare: ChildServer;
  /** The files to import. */
  readonly more: string;
  readonly seconds: number;
}

async function measureBeside(
  kinds: readonly Neighbour[],
  { recto, server, bare, more, seconds }: Scene,
): Promise<Omit<NeighbourFigure, 'workers' | 'neighbour'>> {
  const ending = new AbortController();
  const has = (kind: Neighbour): boolean => kinds.includes(kind);
  const importing = has('import') ? recto.import(more) : undefined;
  const [queries, creates, gets] = await Promise.all([
    has('query') ? askAgainAndAgain(server, ending.signal) : idle,
    has('creates') ? createAgainAndAgain(server, ending.signal) : idle,
    getSteadily(server, bare, seconds, importing).finally(() => ending.abort()),
  ]);
  const importSeconds = (await importing) ?? null;
  return { ...gets, queries: queries.count, slowestQuery: queries.slowest, creates: creates.count, importSeconds };
}

/** For this many seconds, or until the import has ended. */
async function getSteadily(
  server: ChildServer,
  bare: ChildServer,
  seconds: number,
  importing: Promise<unknown> | undefined,
): Promise<Pick<NeighbourFigure, 'gets' | 'bare'>> {
  const paths = Array.from({ length: 500 }, (_, number) => getPath(number * 7));
  const groups = [server, bare].map(({ url }) => paths.map((path) => url + path));
  const load = { groups, perSecond: perSecond * groups.length };
  const [gets, alone] = await loadSteadily(
    importing === undefined ? { ...load, seconds } : { ...load, until: importing },
  );
  if (gets === undefined || alone === undefined) throw new Error('Nothing was measured.');
  return { gets, bare: alone };
}

/** A record that an anonymous caller may get. */
function getPath(number: number): string {
  let published = number;
  while (articleOf(published).status !== 'published') published += 1;
  return `${list}/${articleId(published)}`;
}

interface Done {
  readonly count: number;
  /** Milliseconds. */
  readonly slowest: number;
}

const idle: Promise<Done> = Promise.resolve({ count: 0, slowest: 0 });

const askAgainAndAgain = (server: ChildServer, ending: AbortSignal): Promise<Done> =>
  repeat(ending, () => fetch(server.url + slowestQuery));

const createAgainAndAgain = (server: ChildServer, ending: AbortSignal): Promise<Done> =>
  repeat(ending, (number) => {
    const { id: _, ...body } = articleOf(5_000_000 + number);
    const headers = { 'Content-Type': 'application/json' };
    return fetch(server.url + list, { method: 'POST', headers, body: JSON.stringify(body) });
  });

/** One client: a request, its answer, the next one. An import may block writers for so long that they get a `Retry-After`. */
async function repeat(ending: AbortSignal, send: (number: number) => Promise<Response>): Promise<Done> {
  let count = 0;
  let slowest = 0;
  for (let number = 0; !ending.aborted; number += 1) {
    const begun = performance.now();
    const answer = await send(number);
    await answer.arrayBuffer();
    if (answer.ok) count += 1;
    else if (answer.status !== 503) throw new Error(`A neighbour was answered ${answer.status}.`);
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return { count, slowest };
}
