import type { Values } from './world.ts';

export type Definition = {
  readonly singular?: string;
  readonly plural?: string;
  readonly kind?: 'collection' | 'single';
  readonly extends?: string;
  readonly renamed_from?: string;
  readonly protocols?: readonly unknown[];
  readonly fields: readonly FieldDefinition[];
};

export interface FieldDefinition {
  readonly name: string;
  readonly field_type: string;
  readonly [option: string]: unknown;
}

export const field = (name: string, type: string, options: object = {}): FieldDefinition => ({
  name,
  field_type: type,
  ...options,
});

export const relation = (name: string, kind: string, target: string, options: object = {}): FieldDefinition =>
  field(name, 'relation', { relation: { relation_type: kind, target, ...options } });

/** The definitions that the history begins with, by singular (or by the type that is extended). */
export const firstDefinitions: Readonly<Record<string, Definition>> = {
  author: {
    singular: 'author',
    plural: 'authors',
    fields: [
      field('name', 'text'),
      field('email', 'email', { unique: true }),
      field('born', 'date'),
      field('rating', 'integer'),
    ],
  },
  tag: { singular: 'tag', plural: 'tags', fields: [field('word', 'text'), field('weight', 'integer')] },
  article: {
    singular: 'article',
    plural: 'articles',
    fields: [
      field('title', 'text', { max_length: 200 }),
      field('subtitle', 'text'),
      field('body', 'richtext'),
      field('views', 'integer'),
      field('price', 'text'),
      field('published_on', 'date'),
      field('state', 'enum', { enum_values: ['new', 'live', 'old', 'never'] }),
      field('featured', 'boolean'),
      field('flags', 'json'),
      relation('writer', 'many_to_one', 'authors'),
      relation('tags', 'many_to_many', 'tags'),
    ],
  },
  note: {
    singular: 'note',
    plural: 'notes',
    fields: [
      field('text', 'text'),
      relation('about', 'many_to_one', 'articles'),
      relation('above', 'many_to_one', 'notes'),
    ],
  },
  home: { singular: 'home', kind: 'single', fields: [field('heading', 'text'), field('count', 'integer')] },
  post: { extends: 'post', fields: [field('mood', 'text'), relation('seen_by', 'many_to_many', 'authors')] },
};

/** How many records of each type there are to begin with. */
export interface Size {
  readonly authors: number;
  readonly tags: number;
  readonly articles: number;
  readonly notes: number;
  readonly posts: number;
}

export const wholeSize: Size = { authors: 40, tags: 25, articles: 160, notes: 90, posts: 20 };
export const smallSize: Size = { authors: 5, tags: 4, articles: 12, notes: 8, posts: 3 };

/** The record of a type with this number, given the ids of those before it. */
export type Maker = (index: number, ids: Readonly<Record<string, readonly string[]>>) => Values;

const pick = <T>(items: readonly T[] | undefined, index: number): T | null =>
  items === undefined || items.length === 0 ? null : (items[index % items.length] ?? null);

const day = (index: number): string => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);

/** In the order in which they refer to one another. Values are spread: some are empty, some are repeated. */
export const makers: readonly (readonly [type: string, size: keyof Size, make: Maker])[] = [
  [
    'author',
    'authors',
    (index) => ({
      name: `Writer ${index} Ångström`,
      email: `writer${index}@example.org`,
      born: index % 3 === 0 ? null : day(index * 40),
      rating: index % 4 === 0 ? null : index % 6,
    }),
  ],
  ['tag', 'tags', (index) => ({ word: `word${index}`, weight: index * 1000 - 500 })],
  [
    'article',
    'articles',
    (index, { author, tag }) => ({
      title: `Title number ${index} of a café`,
      subtitle: index % 5 === 0 ? null : `Below ${index}`,
      body: `<p>Body ${index} with jam and bread</p>`,
      views: index % 7 === 0 ? null : index * 12_345_678,
      price: index % 6 === 0 ? null : `${index}.5`,
      published_on: index % 4 === 0 ? null : day(index),
      state: pick(['new', 'live', 'old', null], index),
      featured: index % 3 === 0 ? null : index % 2 === 0,
      flags: index % 2 === 0 ? { index, list: [1, 'two', null] } : null,
      writer: index % 8 === 0 ? null : pick(author, index),
      tags: (tag ?? []).slice(index % 3, (index % 3) + (index % 4)),
    }),
  ],
  [
    'note',
    'notes',
    (index, { article, note }) => ({
      text: `Note ${index} on it`,
      about: index % 9 === 0 ? null : pick(article, index * 3),
      above: index % 2 === 0 ? null : pick(note, index - 1),
    }),
  ],
  [
    'post',
    'posts',
    (index, { author }) => ({
      title: `Post ${index}`,
      mood: pick(['glad', 'calm', null], index),
      seen_by: (author ?? []).slice(0, index % 3),
    }),
  ],
];

/** What the single type holds. */
export const home: Values = { heading: 'Welcome', count: 3 };
