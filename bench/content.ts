import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

// The content of the benchmarks: articles with an author and topics.

const protocols = ['timestampable'];

export const author = {
  name: 'Author',
  singular: 'author',
  plural: 'authors',
  protocols,
  fields: [
    { name: 'name', field_type: 'text', required: true },
    { name: 'team', field_type: 'text' },
  ],
};

export const topic = {
  name: 'Topic',
  singular: 'topic',
  plural: 'topics',
  fields: [{ name: 'name', field_type: 'text', required: true }],
};

export const article = {
  name: 'Article',
  singular: 'article',
  plural: 'articles',
  protocols,
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'summary', field_type: 'text' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'], default: 'draft' },
    { name: 'reads', field_type: 'integer', indexed: true },
    { name: 'rating', field_type: 'float' },
    { name: 'featured', field_type: 'boolean' },
    { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
    { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'topics' } },
  ],
  api: {
    list: { filter: 'status = "published"' },
    get: { filter: 'status = "published"' },
    create: { access: 'public' },
  },
};

/** The same without a rule and with a cache. */
export const cachedArticle = {
  ...article,
  name: 'Cached article',
  singular: 'cached-article',
  plural: 'cached-articles',
  api: { list: { cache: true }, get: { cache: true } },
};

const syllables =
  'paper ink margin type press line page proof fold sheet cover spine serif grid column letter colour plate roller stone'.split(
    ' ',
  );

/** One of 8,000 words, so that a search finds some records and not most. */
const word = (number: number): string =>
  [number, number / syllables.length, number / syllables.length ** 2]
    .map((place) => syllables[Math.floor(place) % syllables.length])
    .join('');

/** Deterministic by number, so that two databases get the same content. */
function mixed(number: number): number {
  let value = (number + 1) * 2654435761;
  value = ((value >>> 16) ^ value) * 0x45d9f3b;
  return ((value >>> 16) ^ value) >>> 0;
}

export const text = (number: number, length: number): string =>
  Array.from({ length }, (_, place) => word(mixed(number * 31 + place) % 8_000)).join(' ');

/** UUIDv7 (RFC 9562, section 5.7) from a time and a number. */
function idOf(kind: number, number: number): string {
  const time = (1_780_000_000_000 + number).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${number.toString(16).padStart(12, '0')}`;
}

const time = (number: number): string => new Date(1_780_000_000_000 + number * 1000).toISOString();

export const authors = 100;
export const topics = 30;

export const authorOf = (number: number): Readonly<Record<string, unknown>> => ({
  id: idOf(1, number),
  name: text(number, 2),
  team: text(number % 7, 1),
  created_at: time(number),
  updated_at: time(number),
});

export const topicOf = (number: number): Readonly<Record<string, unknown>> => ({
  id: idOf(2, number),
  name: text(number, 1),
});

export const articleId = (number: number): string => idOf(3, number);

export const articleOf = (number: number): Readonly<Record<string, unknown>> => ({
  id: articleId(number),
  title: text(number, 5),
  summary: text(number + 1_000_003, 25),
  status: mixed(number) % 10 === 0 ? 'draft' : 'published',
  reads: mixed(number + 7) % 100_000,
  rating: (mixed(number + 13) % 5_000) / 1000,
  featured: mixed(number + 17) % 4 === 0,
  author: idOf(1, mixed(number + 19) % authors),
  topics: [...new Set([mixed(number + 23) % topics, mixed(number + 29) % topics])].map((topic) => idOf(2, topic)),
  created_at: time(number),
  updated_at: time(number),
});

/** Writes files for `recto import json`: authors, topics and a number of articles. */
export async function writeContent(folder: string, articles: number, plural = 'articles'): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeLines(join(folder, 'authors.ndjson'), authors, authorOf);
  await writeLines(join(folder, 'topics.ndjson'), topics, topicOf);
  await writeLines(join(folder, `${plural}.ndjson`), articles, articleOf);
}

/** Writes a file with more articles after the first ones. */
export async function writeMoreArticles(folder: string, articles: number, after: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeLines(join(folder, 'articles.ndjson'), articles, (number) => articleOf(after + number));
}

async function writeLines(path: string, count: number, record: (number: number) => object): Promise<void> {
  const file = createWriteStream(path);
  for (let number = 0; number < count; number += 1) {
    if (!file.write(`${JSON.stringify(record(number))}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
