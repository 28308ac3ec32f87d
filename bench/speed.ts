import { join } from 'node:path';
import { type BareWork, bareOnPostgres, bareOnSqlite } from './bare-work.ts';
import { type ChildServer, startServer } from './child-server.ts';
import { article, articleId, author, cachedArticle, topic, writeContent } from './content.ts';
import { type Comparison, compare, type RoundOptions } from './paired-rounds.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';

/** A body whose create is answered with 201. */
const created = JSON.stringify({ title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true });

/** Compares every operation on SQLite with a bare program that does the same work, on a number of articles. */
export async function measureSpeed(
  articles: number,
  options: RoundOptions,
  keep: Keep,
): Promise<readonly Comparison[]> {
  await using recto = await prepareFilled(articles);
  await using ours = await recto.start();
  const bare = bareOnSqlite(recto.database, join(recto.folder, 'bare.db'));
  return await measureOn({ folder: recto.folder, articles, ours, bare, options, keep });
}

/** The same on PostgreSQL. */
export async function measurePostgresSpeed(
  articles: number,
  options: RoundOptions,
  keep: Keep,
): Promise<readonly Comparison[]> {
  await using postgres = await startBenchPostgres();
  await using recto = await prepareFilled(articles);
  logProgress('copying into PostgreSQL');
  await postgres.fill((url) => recto.copyTo(url));
  await using ours = await recto.start({ RECTO_DATABASE_URL: postgres.url });
  return await measureOn({ folder: recto.folder, articles, ours, bare: bareOnPostgres(postgres.url), options, keep });
}

async function prepareFilled(articles: number): Promise<Recto> {
  const recto = await prepareRecto([author, topic, article, cachedArticle]);
  logProgress(`importing ${articles.toLocaleString('en')} articles`);
  const files = join(recto.folder, 'export');
  await writeContent(files, articles);
  await recto.import(files);
  await writeContent(files, 1000, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  return recto;
}

interface Parts {
  /** For the limits' own files. */
  readonly folder: string;
  readonly articles: number;
  readonly ours: ChildServer;
  readonly bare: BareWork;
  readonly options: RoundOptions;
  /** Receives the figures so far. */
  readonly keep: Keep;
}

type Keep = (figures: readonly Comparison[]) => Promise<void>;

const operations: readonly ((parts: Parts) => Promise<Comparison>)[] = [
  (parts) => cached('cached list of 20', '/api/v1/cms/cached-articles?sort=reads:desc', parts),
  (parts) => cached('cached get', `/api/v1/cms/cached-articles/${articleId(7)}`, parts),
  uncachedGet,
  uncachedList,
  included,
  durableCreate,
];

async function measureOn(parts: Parts): Promise<readonly Comparison[]> {
  const figures: Comparison[] = [];
  for (const measure of operations) {
    figures.push(await measure(parts));
    await parts.keep(figures);
  }
  return figures;
}

const limit = (program: string, firstPath: string, words: readonly string[]): Promise<ChildServer> =>
  startServer({
    command: [process.execPath, join(import.meta.dir, 'limits', program), ...words],
    address: /http:\/\/\S+:\d+/,
    firstPath,
  });

async function cached(operation: string, path: string, { folder, ours, options }: Parts): Promise<Comparison> {
  const bytes = join(folder, 'bytes.json');
  await Bun.write(bytes, await fetch(ours.url + path));
  await using server = await limit('bytes-server.ts', '/', [bytes]);
  return await compare(operation, 0.7, { server: ours, path }, { server, path: '/' }, options);
}

async function uncachedGet({ ours, bare, options }: Parts): Promise<Comparison> {
  const id = articleId(7);
  const { program, words, target } = bare.get;
  await using server = await limit(program, `/${id}`, words);
  const path = `/api/v1/cms/articles/${id}`;
  await requireEqual(`${ours.url}${path}`, `${server.url}/${id}`);
  return await compare('uncached get', target, { server: ours, path }, { server, path: `/${id}` }, options);
}

async function uncachedList({ articles, ours, bare, options }: Parts): Promise<Comparison> {
  const path = '/api/v1/cms/articles?featured=true&sort=reads:desc';
  const { program, words, target } = bare.list;
  await using server = await limit(program, '/', words);
  await requireEqual(`${ours.url}${path}`, server.url);
  const operation = `uncached list, filtered and sorted, of ${articles.toLocaleString('en')} with total`;
  return await compare(operation, target, { server: ours, path }, { server, path: '/' }, options);
}

/** Compared with the list without it. */
async function included({ ours, options }: Parts): Promise<Comparison> {
  const list = '/api/v1/cms/articles?sort=reads:desc';
  const path = `${list}&include=author,topics`;
  return await compare('list with two relations', 0.5, { server: ours, path }, { server: ours, path: list }, options);
}

async function durableCreate({ ours, bare, options }: Parts): Promise<Comparison> {
  const { program, words, target } = bare.create;
  await using server = await limit(program, '/', words);
  const path = '/api/v1/cms/articles';
  const body = created;
  return await compare('durable create', target, { server: ours, path, body }, { server, path: '/', body }, options);
}

/** The limit must return the same as ours, except for `next_cursor`. */
async function requireEqual(ours: string, limit: string): Promise<void> {
  const texts = await Promise.all([ours, limit].map(async (url) => (await fetch(url)).text()));
  const [answer, bareAnswer] = texts.map((text) => text.replace(/,"next_cursor":"[^"]*"/, ''));
  if (answer === bareAnswer) return;
  const place = [...(answer ?? '')].findIndex((character, index) => character !== bareAnswer?.[index]);
  const around = [answer, bareAnswer].map((text) => text?.slice(Math.max(0, place - 100), place + 100));
  throw new Error(`The limit returns something else, at character ${place}:\n${around.join('\n')}`);
}
