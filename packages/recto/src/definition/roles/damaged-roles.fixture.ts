import fc from 'fast-check';
import type { Json } from '../damaged-definitions.fixture.ts';

/** Types that the roles below are for. */
export const roleTypes: readonly Json[] = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['ownable', { name: 'statusable', values: ['draft', 'published'] }],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'body', field_type: 'text' },
      { name: 'fee', field_type: 'integer', private: true },
      { name: 'desk', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'desks' } },
    ],
  },
  { singular: 'desk', plural: 'desks', fields: [{ name: 'name', field_type: 'text' }] },
  { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] },
];

const grant = (...rules: readonly string[]): fc.Arbitrary<Json> => fc.constantFrom(true, false, ...rules);

const ofArticles = ['created_by = @request.auth.id', 'status != "published"', 'desk.name = "news"'];

const fieldsOf = (...names: readonly string[]): fc.Arbitrary<Json> =>
  fc.tuple(fc.constantFrom('only', 'except'), fc.subarray([...names])).map(([list, some]): Json => ({ [list]: some }));

const articleGrant = fc.record(
  {
    list: grant(...ofArticles),
    get: grant(...ofArticles),
    create: grant('title != null', '@request.body.title:isset'),
    update: grant(...ofArticles),
    delete: grant(...ofArticles),
    publish: grant(...ofArticles),
    read: fieldsOf('title', 'body', 'desk', 'status', 'created_by'),
    write: fc.record({ except: fc.subarray(['title', 'body', 'desk']) }),
  },
  { requiredKeys: [] },
);

const otherGrant = fc.record(
  {
    list: grant('id != null'),
    get: grant('id = @request.query.id'),
    create: grant(),
    update: grant(),
    delete: grant(),
  },
  { requiredKeys: [] },
);

/** Right roles for the types above. */
export const soundRoles: fc.Arbitrary<Json> = fc
  .record(
    {
      name: fc.constantFrom('writer', 'news-desk'),
      label: fc.constantFrom('Writer', 'News desk'),
      base: fc.constantFrom('member', 'editor'),
      types: fc.record({ article: articleGrant, desk: otherGrant, '*': otherGrant }, { requiredKeys: [] }),
      may: fc.record(
        {
          media: fc.constantFrom('none', 'own', 'all'),
          comments: fc.constantFrom('none', 'moderate'),
          users: fc.boolean(),
          import: fc.constant(false),
          events: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['name'] },
  )
  // True because every value in it is text, a truth, or a list or table of these.
  .map((role) => role as Json);

const words = [
  ...[
    'writer',
    'admin',
    'editor',
    'member',
    'article',
    'articles',
    'desk',
    'desks',
    'nothing',
    'title',
    'titel',
    'fee',
  ],
  ...['status', 'own', 'all', 'moderate', 'true', 'false', '', '*', 'only', 'except', 'created_by', 'created_by ='],
];

/** One thing that goes wrong with a role. */
export interface RoleDamage {
  readonly way: 'reword' | 'rename' | 'remove' | 'replace' | 'add';
  readonly at: number;
  readonly word: string;
  readonly value: Json;
}

export const roleDamages: fc.Arbitrary<RoleDamage> = fc.record({
  way: fc.constantFrom<RoleDamage['way']>('reword', 'rename', 'remove', 'replace', 'add'),
  at: fc.nat(10_000),
  word: fc.constantFrom(...words),
  value: fc.oneof(
    fc.constantFrom<Json[]>(null, true, false, 3, '', 'x', [], {}, ['title', 'title'], { only: ['fee'], except: [] }),
    // True because what JSON values there are is what `Json` says.
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  ),
});

interface Place {
  readonly parent: Json[] | { [name: string]: Json };
  readonly key: string;
}

function placesIn(parent: Json): readonly Place[] {
  if (typeof parent !== 'object' || parent === null) return [];
  // True because it is a list or a table now.
  const inside = parent as Place['parent'];
  return Object.entries(parent).flatMap(([key, value]) => [{ parent: inside, key }, ...placesIn(value)]);
}

/** The role after the damage. */
export function damagedRole(role: Json, { way, at, word, value }: RoleDamage): Json {
  const copy = structuredClone(role);
  const places = placesIn(copy);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return copy;
  const { parent, key } = place;
  const present: unknown = Reflect.get(parent, key);
  if (way === 'replace') Reflect.set(parent, key, value);
  if (way === 'reword') Reflect.set(parent, key, word);
  if (way === 'add' && !Array.isArray(parent)) Reflect.set(parent, word, value);
  if (way === 'remove' || way === 'rename') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
    if (way === 'rename') Reflect.set(parent, Array.isArray(parent) ? parent.length : word, present);
  }
  return copy;
}

export const isTable = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
