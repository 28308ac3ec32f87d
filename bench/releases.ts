import { article, author, topic } from './content.ts';
import { postgresMissing, startBenchPostgres } from './postgres-server.ts';
import { prepareRecto } from './recto-server.ts';

/**
 * How long it takes to publish a release of 1,000 records, from the request to the reply: `npx bun bench/releases.ts`. Each release changes
 * a text and a number of 1,000 published articles with an author, topics and versions. Prints the median of some rounds.
 */

const size = 1_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const toReachMs = { sqlite: 1_000, postgres: 2_000 } as const;

const types = [
  author,
  topic,
  {
    ...article,
    protocols: [
      'timestampable',
      'versionable',
      { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
    ],
    fields: article.fields.filter(({ name }) => name !== 'status'),
  },
];

/** Requests as the admin of a server. */
class Client {
  readonly #url: string;
  #token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn(): Promise<void> {
    const body = { email: 'bench@example.com', password: 'a bench password' };
    this.#token = (await this.send('POST /api/v1/auth/login', body)).access_token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async send(line: string, body?: object): Promise<any> {
    const [method = '', path = ''] = line.split(' ');
    const authorization = this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.#url}${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${line}: ${answer.status} ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** Some requests at a time. */
async function many<T>(count: number, make: (place: number) => Promise<T>): Promise<readonly T[]> {
  const made: T[] = [];
  for (let first = 0; first < count; first += 50) {
    const places = Array.from({ length: Math.min(50, count - first) }, (_, index) => first + index);
    made.push(...(await Promise.all(places.map(make))));
  }
  return made;
}

async function measure(name: keyof typeof toReachMs, settings: Readonly<Record<string, string>>): Promise<void> {
  await using prepared = await prepareRecto(types, { ...settings, RECTO_RATE_LIMIT: 'off' });
  await using server = await prepared.start();
  const client = new Client(server.url);
  await client.signIn();
  const authors = await many(10, (place) => client.send('POST /api/v1/admin/cms/authors', { name: `Author ${place}` }));
  const topics = await many(10, (place) => client.send('POST /api/v1/admin/cms/topics', { name: `Topic ${place}` }));
  const articles = await many(size, (place) =>
    client.send('POST /api/v1/admin/cms/articles', {
      ...{ title: `Article ${place}`, summary: 'About it. '.repeat(10), reads: place, status: 'published' },
      ...{ author: authors[place % 10].id, topics: [topics[place % 10].id, topics[(place + 1) % 10].id] },
    }),
  );
  const took: Record<'check' | 'publish' | 'revert', number[]> = { check: [], publish: [], revert: [] };
  const timed = async (what: keyof typeof took, line: string) => {
    const began = performance.now();
    const answer = await client.send(line);
    took[what].push(performance.now() - began);
    return answer;
  };
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await client.send('POST /api/v1/admin/releases', { name: `Round ${round}` });
    const changes = { title: `Round ${round}`, reads: 10_000 + round };
    // One after another: each is a change of the release.
    for (const { id: record } of articles)
      await client.send(`PUT /api/v1/admin/releases/${id}/items/article/${record}`, { action: 'publish', changes });
    await timed('check', `GET /api/v1/admin/releases/${id}/check`);
    await timed('publish', `POST /api/v1/admin/releases/${id}/publish`);
    await timed('revert', `POST /api/v1/admin/releases/${id}/revert`);
  }
  for (const [what, times] of Object.entries(took)) {
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    const goal = what === 'publish' ? `, to reach: ${toReachMs[name]} ms` : '';
    const range = `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`;
    process.stdout.write(`${name}: ${what} of ${size} records: ${Math.round(median)} ms (${range})${goal}\n`);
  }
}

await measure('sqlite', {});
const missing = postgresMissing();
if (missing === undefined) {
  await using postgres = await startBenchPostgres();
  await measure('postgres', { RECTO_DATABASE_URL: postgres.url });
} else process.stdout.write(`postgres: ${missing}\n`);
