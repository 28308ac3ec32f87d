import { join } from 'node:path';
import { type ChildServer, startServer } from './child-server.ts';
import { article, articleId, author, cachedArticle, topic, writeContent } from './content.ts';
import { type Comparison, compare, type RoundOptions } from './paired-rounds.ts';
import { prepareRecto, type Recto } from './recto-server.ts';

/** The JSON of an article that a bare server would be written to make. */
const articleJson = `json_object('id', a.id, 'title', a.title, 'summary', a.summary, 'status', a.status, 'reads', a.reads,
  'rating', a.rating, 'featured', json(case a.featured when 1 then 'true' when 0 then 'false' end), 'author', a.author,
  'topics', json((select json_group_array(target_id) from (select target_id from "cms_article$topics" where source_id = a.id
    order by position))), 'created_at', a.created_at, 'updated_at', a.updated_at)`;

const bareGet = `select ${articleJson} as body from cms_article a where a.id = ? and a.status = 'published'`;

const filtered = `from cms_article where status = 'published' and featured = 1`;
const bareList = `select json_group_array(json(${articleJson})) as items
  from (select * ${filtered} order by reads desc, id limit 20) as a`;
const bareCount = `select count(*) as total ${filtered}`;

/** A body whose create is answered with 201. */
const created = JSON.stringify({ title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true });

/** Every operation held against a bare program of the same work, on so many articles. */
export async function measureSpeed(articles: number, options: RoundOptions): Promise<readonly Comparison[]> {
  await using recto = await prepareRecto([author, topic, article, cachedArticle]);
  const files = join(recto.folder, 'export');
  await writeContent(files, articles);
  await recto.import(files);
  await writeContent(files, 1000, 'cached-articles');
  await recto.import(join(files, 'cached-articles.ndjson'));
  await using ours = await recto.start();
  const parts: Parts = { recto, ours, options };
  return [
    await cached('cached list of 20', '/api/v1/cms/cached-articles?sort=reads:desc', parts),
    await cached('cached get', `/api/v1/cms/cached-articles/${articleId(7)}`, parts),
    await uncachedGet(parts),
    await uncachedList(articles, parts),
    await included(parts),
    await durableCreate(parts),
  ];
}

interface Parts {
  readonly recto: Recto;
  readonly ours: ChildServer;
  readonly options: RoundOptions;
}

const bare = (name: string, firstPath: string, ...more: readonly string[]): Promise<ChildServer> =>
  startServer({
    command: [process.execPath, join(import.meta.dir, 'limits', name), ...more],
    address: /http:\/\/\S+:\d+/,
    firstPath,
  });

async function cached(operation: string, path: string, { recto, ours, options }: Parts): Promise<Comparison> {
  const bytes = join(recto.folder, 'bytes.json');
  await Bun.write(bytes, await fetch(ours.url + path));
  await using limit = await bare('bytes-server.ts', '/', bytes);
  return await compare(operation, 0.7, { server: ours, path }, { server: limit, path: '/' }, options);
}

async function uncachedGet({ recto, ours, options }: Parts): Promise<Comparison> {
  const id = articleId(7);
  await using limit = await bare('record-server.ts', `/${id}`, recto.database, bareGet);
  const path = `/api/v1/cms/articles/${id}`;
  await requireEqual(`${ours.url}${path}`, `${limit.url}/${id}`);
  return await compare('uncached get', 0.6, { server: ours, path }, { server: limit, path: `/${id}` }, options);
}

async function uncachedList(articles: number, { recto, ours, options }: Parts): Promise<Comparison> {
  const path = '/api/v1/cms/articles?featured=true&sort=reads:desc';
  await using limit = await bare('list-server.ts', '/', recto.database, bareList, bareCount);
  await requireEqual(`${ours.url}${path}`, limit.url);
  const operation = `uncached list, filtered and sorted, of ${articles.toLocaleString('en')} with total`;
  return await compare(operation, 0.6, { server: ours, path }, { server: limit, path: '/' }, options);
}

/** Held against the list without it. */
async function included({ ours, options }: Parts): Promise<Comparison> {
  const list = '/api/v1/cms/articles?sort=reads:desc';
  const path = `${list}&include=author,topics`;
  return await compare('list with two relations', 0.5, { server: ours, path }, { server: ours, path: list }, options);
}

async function durableCreate({ recto, ours, options }: Parts): Promise<Comparison> {
  await using limit = await bare('create-server.ts', '/', join(recto.folder, 'bare.db'));
  const path = '/api/v1/cms/articles';
  const body = created;
  return await compare(
    'durable create',
    1.5,
    { server: ours, path, body },
    { server: limit, path: '/', body },
    options,
  );
}

/** The limit must tell what we tell; `next_cursor` is ours alone. */
async function requireEqual(ours: string, limit: string): Promise<void> {
  const texts = await Promise.all([ours, limit].map(async (url) => (await fetch(url)).text()));
  const [told, bareTold] = texts.map((text) => text.replace(/,"next_cursor":"[^"]*"/, ''));
  if (told !== bareTold) throw new Error(`The limit tells something else:\n${told}\n${bareTold}`);
}
