import fc from 'fast-check';
import { type Planted, plantedId } from './planted.ts';

// Content types with something to hide in every way there is, and random records of them: what a reader may see is the
// same in both databases of a world, all else differs.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const relation = (name: string, relation_type: string, target: string, more: object = {}) => {
  const { mapped_by, ...field } = more as { mapped_by?: string };
  const mapped = mapped_by === undefined ? {} : { mapped_by };
  return { name, field_type: 'relation', relation: { relation_type, target, ...mapped }, ...field };
};
const secret = { private: true };

/** Every endpoint that returns records of the type has the same rule and whitelist, so that "may not read" is one thing. */
const shown = (filter: string, filter_auth: string, fields: readonly string[], cache: boolean) => ({
  list: { filter, filter_auth, fields, cache },
  get: { filter, filter_auth, fields, cache },
  update: { access: 'public', filter, fields },
});

export const articles = {
  singular: 'article',
  plural: 'articles',
  protocols: ['metaable'],
  fields: [
    text('title'),
    { name: 'body', field_type: 'richtext' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
    { name: 'views', field_type: 'integer' },
    { name: 'price', field_type: 'decimal' },
    { name: 'day', field_type: 'date' },
    relation('author', 'many_to_one', 'writers'),
    relation('topics', 'many_to_many', 'topics'),
    // From here on private, or outside the whitelist.
    text('secret', secret),
    { name: 'code', field_type: 'integer', private: true },
    { name: 'vault', field_type: 'json', private: true },
    { name: 'word', field_type: 'password' },
    relation('reviewer', 'many_to_one', 'writers', secret),
    relation('quiet_topics', 'many_to_many', 'topics', secret),
    text('inner'),
    { name: 'inner_count', field_type: 'integer' },
    relation('inner_author', 'many_to_one', 'writers'),
    relation('inner_topics', 'many_to_many', 'topics'),
    text('owner'),
  ],
  api: shown(
    'status = "published"',
    'owner = @request.auth.id',
    ['title', 'body', 'status', 'views', 'price', 'day', 'author', 'topics'],
    true,
  ),
};

export const writers = {
  singular: 'writer',
  plural: 'writers',
  fields: [
    text('name'),
    text('bio'),
    relation('team', 'many_to_one', 'teams'),
    relation('articles', 'one_to_many', 'articles', { mapped_by: 'author' }),
    relation('memos', 'one_to_many', 'memos', { mapped_by: 'writer' }),
    { name: 'active', field_type: 'boolean', private: true },
    { name: 'email', field_type: 'email', private: true },
    relation('reviewed', 'one_to_many', 'articles', { mapped_by: 'reviewer', private: true }),
    text('inner'),
  ],
  api: shown('active = true', 'active = true', ['name', 'bio', 'team', 'articles', 'memos'], false),
};

/** Without a whitelist: what is private stays so all the same. Members see more than anonymous callers. */
const topicRules = { filter: 'shown = true', filter_auth: 'members = true' };
export const topics = {
  singular: 'topic',
  plural: 'topics',
  fields: [
    text('name'),
    { name: 'weight', field_type: 'float' },
    { name: 'shown', field_type: 'boolean', private: true },
    { name: 'members', field_type: 'boolean', private: true },
    text('note', secret),
    { name: 'word', field_type: 'password' },
  ],
  api: { list: { ...topicRules, cache: true }, get: { ...topicRules, cache: true }, update: topicRules },
};

/** Nobody but an admin may read it, whatever points to it. */
export const teams = {
  singular: 'team',
  plural: 'teams',
  fields: [text('name'), { name: 'budget', field_type: 'integer' }],
  api: { list: { access: 'none' }, get: { access: 'admin' }, update: { access: 'admin' } },
};

/** Everyone may read it, but not who wrote it: the inverse relation shows nothing either. */
export const memos = {
  singular: 'memo',
  plural: 'memos',
  fields: [text('title'), relation('writer', 'many_to_one', 'writers')],
  api: shown('title:isset', 'title:isset', ['title'], true),
};

export const definitions = [articles, writers, topics, teams, memos];
export type TypeName = 'article' | 'writer' | 'topic' | 'team' | 'memo';

export const words = ['amber', 'birch', 'cedar', 'drift', 'Émile', 'zinc'];
export const numbers = [-1, 0, 1, 2, 7];
export const days = ['2026-01-31', '2026-02-01'];
const count = 4;

// Ids by type and number: 1 to 3 are seen by everyone, 4 by some, 5 is seen by nobody but there in both databases (others point to it),
// 6 to 9 are of either database alone.
const first: Readonly<Record<TypeName, number>> = { team: 0, topic: 100, writer: 200, article: 300, memo: 400 };
export const idOf = (type: TypeName, number: number): string => plantedId(first[type] + number);
const anyNumber = fc.integer({ min: 1, max: 5 });

export const wordings = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .map((some) => some.join(' '));
/** Mostly one word, so that filters meet it. */
const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, wordings);
const number = fc.constantFrom(...numbers);
const one = (type: TypeName) => fc.option(anyNumber.map((at) => idOf(type, at)));
const many = (type: TypeName) =>
  fc.uniqueArray(anyNumber, { maxLength: 3 }).map((some) => some.map((at) => idOf(type, at)));
const meta = fc.dictionary(
  fc.constantFrom('color', 'size'),
  fc.oneof(fc.constantFrom(...words), number, fc.boolean(), fc.constant({ deep: 'amber' })),
  { noNullPrototype: true },
);

/** What a reader may see of a record (of one that is seen at all), and what they may not. */
const open: Readonly<Record<TypeName, fc.Arbitrary<object>>> = {
  article: fc.record({
    title: wordings,
    body: fc.option(wordings),
    views: fc.option(number),
    price: fc.option(number.map(String)),
    day: fc.option(fc.constantFrom(...days)),
    author: one('writer'),
    topics: many('topic'),
  }),
  writer: fc.record({ name: wordings, bio: fc.option(wordings), team: one('team') }),
  topic: fc.record({ name: wordings, weight: fc.option(number) }),
  team: fc.constant({}),
  memo: fc.record({ title: wordings }),
};
const closed: Readonly<Record<TypeName, fc.Arbitrary<object>>> = {
  article: fc.record({
    secret: fc.option(word),
    code: fc.option(number),
    vault: meta,
    word: fc.option(fc.constantFrom('amber birch', 'zinc zinc')),
    reviewer: one('writer'),
    quiet_topics: many('topic'),
    inner: fc.option(word),
    inner_count: fc.option(number),
    inner_author: one('writer'),
    inner_topics: many('topic'),
    __meta: meta,
  }),
  writer: fc.record({
    email: fc.option(fc.constantFrom('amber@example.com', 'zinc@example.com')),
    inner: fc.option(word),
  }),
  topic: fc.record({ note: fc.option(word), word: fc.option(fc.constantFrom('amber birch', 'zinc zinc')) }),
  team: fc.record({ name: wordings, budget: number }),
  memo: fc.record({ writer: one('writer') }),
};
/** What makes a record seen or not. Nothing is said of a team, which is never seen. */
const seen: Readonly<Record<TypeName, object>> = {
  article: { status: 'published' },
  writer: { active: true },
  topic: { shown: true, members: true },
  team: {},
  memo: {},
};
const unseen: Readonly<Record<TypeName, object>> = {
  article: { status: 'draft' },
  writer: { active: false },
  topic: { shown: false, members: false },
  team: {},
  memo: { title: null },
};

export const typeOf: Readonly<Record<string, TypeName>> = {
  teams: 'team',
  topics: 'topic',
  writers: 'writer',
  articles: 'article',
  memos: 'memo',
};
export const typeNames: readonly TypeName[] = ['team', 'topic', 'writer', 'article', 'memo'];

export interface World {
  readonly open: readonly object[];
  readonly left: Hidden;
  readonly right: Hidden;
}

export interface Hidden {
  /** For each record that both have: its closed values; for the fifth of each type also its open ones. */
  readonly closed: readonly object[];
  /** Records of this database alone. */
  readonly more: readonly Planted[];
  /** Whether those come before the others, as the database keeps them. */
  readonly moreFirst: boolean;
}

const hiddenRecord = (type: TypeName) => fc.tuple(open[type], closed[type]).map(([a, b]) => ({ ...a, ...b }));
const hidden: fc.Arbitrary<Hidden> = fc.record({
  closed: fc.tuple(
    ...typeNames.flatMap((type) => [...Array.from({ length: count }, () => closed[type]), hiddenRecord(type)]),
  ),
  more: fc
    .tuple(
      ...typeNames.flatMap((type) =>
        [6, 7, 8, 9].map((at) =>
          fc.option(
            hiddenRecord(type).map((body) => ({ type, id: idOf(type, at), body: { ...body, ...unseen[type] } })),
          ),
        ),
      ),
    )
    .map((some) => some.filter((record) => record !== null)),
  moreFirst: fc.boolean(),
});
export const world: fc.Arbitrary<World> = fc.record({
  open: fc.tuple(...typeNames.flatMap((type) => Array.from({ length: count }, () => open[type]))),
  left: hidden,
  right: hidden,
});

/** The fourth article is a draft that one member sees as their own, the fourth topic is for all members. */
const ofMembers = (member: string): Readonly<Partial<Record<TypeName, object>>> => ({
  article: { status: 'draft', owner: member },
  topic: { shown: false, members: true },
});

/** The records of one of a world's databases, those that are pointed to first. */
export function recordsOf(
  { open: shown }: World,
  { closed: hidden, more, moreFirst }: Hidden,
  member: string,
): Planted[] {
  return typeNames.flatMap((type, place) => {
    const shared = [1, 2, 3, 4, 5].map((at): Planted => {
      const visible = at <= count ? shown[place * count + at - 1] : undefined;
      const body = {
        ...visible,
        ...hidden[place * (count + 1) + at - 1],
        ...(visible === undefined ? unseen : seen)[type],
      };
      const own = at === count ? (ofMembers(member)[type] ?? {}) : {};
      return { type, id: idOf(type, at), body: { ...body, ...own } };
    });
    const mine = more.filter((record) => record.type === type);
    // Records of one database alone may point to shared ones of their own type's other side, never the other way round.
    return moreFirst ? [...mine, ...shared] : [...shared, ...mine];
  });
}
