import fc from 'fast-check';
import {
  articles,
  days,
  definitions,
  idOf,
  memos,
  numbers,
  type TypeName,
  teams,
  topics,
  typeNames,
  typeOf,
  wordings,
  words,
  writers,
} from './secret-worlds.ts';

export interface Ask {
  readonly line: string;
  readonly as: 'mia' | 'max' | undefined;
  readonly body?: object;
}

const fieldsOf = (type: { readonly fields: readonly { readonly name: string }[] }) => [
  'id',
  ...type.fields.map(({ name }) => name),
];
const allFields = [...new Set(definitions.flatMap(fieldsOf))];
const ids = fc.tuple(fc.constantFrom(...typeNames), fc.integer({ min: 1, max: 9 })).map(([type, at]) => idOf(type, at));
const texts = numbers.map(String);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words, 'amber birch', 'published', 'draft', 'true', 'false', ...days) },
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: ids },
  fc.constantFrom('', '%', 'null', '"', '1.5', 'zinc@example.com'),
);

const relations = [
  'author',
  'topics',
  'reviewer',
  'quiet_topics',
  'inner_author',
  'inner_topics',
  'team',
  'articles',
  'memos',
  'reviewed',
  'writer',
];
type Parameter = fc.Arbitrary<readonly [name: string, value: string]>;

const search = fc.constantFrom(...words, 'amb', 'em', 'z', 'amber birch', 'birch cedar', 'AND', '…');
const paging: Parameter = fc.oneof(
  fc.tuple(fc.constant('page'), fc.constantFrom('1', '2')),
  fc.tuple(fc.constant('page_size'), fc.constantFrom('1', '2', '3', '50')),
  fc.tuple(fc.constant('skip_total'), fc.constantFrom('true', 'false')),
);

function sortBy(name: fc.Arbitrary<string>): Parameter {
  const direction = fc.constantFrom('asc', 'desc');
  const terms = fc
    .uniqueArray(name, { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((each) => direction.map((order) => `${each}:${order}`))));
  return fc.tuple(
    fc.constant('sort'),
    terms.map((some) => some.join(',')),
  );
}

const queryOf = (parameter: Parameter): fc.Arbitrary<string> =>
  fc
    .uniqueArray(parameter, { maxLength: 3, selector: ([name]) => name })
    .map((some) => (some.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(some))}`));

const quoted = (text: string): string => JSON.stringify(text);
const word = fc.constantFrom(...words.map((each) => each.toLowerCase()));
const compared = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'];

/** What a filter may compare, through relations to records that are shown to some, or to none. */
const paths = {
  text: ['author.name', 'author.bio', 'author.team.name', 'author.name:length', 'title', 'name', 'bio', 'team.name'],
  hidden: [
    'author.inner',
    'author.email',
    'author.active',
    'author.team.budget',
    'author.team',
    'team',
    'secret',
    'code',
  ],
  items: [
    ...['topics.name', 'topics.note', 'topics.shown', 'author.articles.title', 'author.articles.secret', 'memos.title'],
    ...[
      'author.articles.topics.name',
      'author.memos.title',
      'articles.title',
      'articles.topics.name',
      'articles.inner',
    ],
    ...[
      'quiet_topics.name',
      'inner_topics.name',
      'reviewed.title',
      'vault.color',
      '__meta.color',
      'topics',
      'articles',
    ],
  ],
  many: ['topics', 'author.articles', 'author.memos', 'articles', 'memos', 'quiet_topics', 'inner_topics', 'reviewed'],
};

const filterTerm: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...paths.text), fc.constantFrom(...compared), fc.constantFrom(...words, '%', 'a%', ''))
      .map(([path, operator, text]) => `${path} ${operator} ${path.endsWith('length') ? text.length : quoted(text)}`),
  },
  fc
    .tuple(
      fc.constantFrom(...paths.text, ...paths.hidden),
      fc.constantFrom('= null', '!= null', ':isset', ':isset = false'),
    )
    .map(([path, rest]) => (rest.startsWith(':') ? `${path}${rest}` : `${path} ${rest}`)),
  fc
    .tuple(
      fc.constantFrom(...paths.text, ...paths.hidden),
      fc.constantFrom('in', 'not in', ':lower in', ':lower not in'),
      word,
    )
    .map(([path, operator, text]) => `${path}${operator.startsWith(':') ? '' : ' '}${operator} ["x", "${text}"]`),
  fc
    .tuple(fc.constantFrom(...paths.hidden), fc.constantFrom(...compared), value)
    .map(([path, operator, text]) => `${path} ${operator} ${quoted(text)}`),
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...paths.many), fc.constantFrom(':length = 0', ':length > 1', ':length = 1', ':isset'))
      .map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...paths.items), fc.constantFrom(...compared), value)
      .map(([path, operator, text]) => `${path} ?${operator} ${quoted(text)}`),
  },
  fc
    .tuple(fc.constantFrom('views', 'price', 'weight'), fc.constantFrom(...compared), fc.constantFrom(...texts))
    .map((parts) => parts.join(' ')),
  fc.constantFrom('@request.auth.id != null', 'owner = @request.auth.id', '@request.auth.role = "member"', 'true'),
);

const filter: Parameter = fc.tuple(
  fc.constant('filter'),
  fc
    .array(fc.tuple(filterTerm, fc.constantFrom(' && ', ' || ')), { minLength: 1, maxLength: 2 })
    .map((terms) => terms.map(([term, join], at) => (at === 0 ? term : `${join}${term}`)).join('')),
);

interface Allowed {
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly sorts: readonly string[];
  readonly includes: readonly string[];
}

const idsOf = (type: TypeName) => [1, 2, 5].map((at) => idOf(type, at));

/** What an anonymous caller may ask each type for, by its plural. */
const allowed: Readonly<Record<string, Allowed>> = {
  articles: {
    filters: {
      status: ['published', 'draft'],
      views: texts,
      price: texts,
      day: days,
      author: idsOf('writer'),
      topics: idsOf('topic'),
    },
    sorts: ['id', 'title', 'status', 'views', 'price', 'day'],
    includes: ['author', 'topics', 'author.team', 'author.articles', 'author.articles.topics', 'author.memos'],
  },
  writers: {
    filters: { name: words, bio: words, team: idsOf('team') },
    sorts: ['id', 'name', 'bio'],
    includes: ['team', 'articles', 'memos', 'articles.topics', 'articles.author'],
  },
  topics: { filters: { name: words, weight: texts }, sorts: ['id', 'name', 'weight'], includes: [] },
  teams: { filters: { name: words }, sorts: ['name', 'budget'], includes: [] },
  memos: { filters: { title: words }, sorts: ['id', 'title'], includes: [] },
};

const allowedTo = (plural: string): Allowed => allowed[plural] ?? { filters: {}, sorts: ['id'], includes: [] };

/** Parameters that are fine for the type. */
function fittingQuery(plural: string): fc.Arbitrary<string> {
  const { filters, sorts, includes } = allowedTo(plural);
  const parameter: Parameter = fc.oneof(
    ...Object.entries(filters).map(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
    { weight: 3, arbitrary: sortBy(fc.constantFrom(...sorts)) },
    { weight: 6, arbitrary: fc.tuple(fc.constant('search'), search) },
    ...(includes.length === 0 ? [] : [{ weight: 4, arbitrary: includeOf(includes) }]),
    { weight: 3, arbitrary: paging },
    { weight: 3, arbitrary: selectionOf(readableNames(plural)) },
    { weight: 4, arbitrary: filter },
  );
  return queryOf(parameter);
}

/** Names of fields that an anonymous caller may read. */
const readableNames = (plural: string): readonly string[] => [
  ...new Set([...allowedTo(plural).sorts, ...Object.keys(allowedTo(plural).filters)]),
];

function selectionOf(names: readonly string[]): Parameter {
  const some = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
  return fc.tuple(
    fc.constant('fields'),
    some.map((chosen) => chosen.join(',')),
  );
}

function includeOf(paths: readonly string[]): Parameter {
  const some = fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 });
  return fc.tuple(
    fc.constant('include'),
    some.map((chosen) => chosen.join(',')),
  );
}

/** One parameter that mostly is not fine, in each of the ways in which an unreadable field can be named, and sometimes a fitting one. */
function probingQuery(type: {
  readonly plural: string;
  readonly fields: readonly { readonly name: string }[];
}): fc.Arbitrary<string> {
  const names = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fieldsOf(type)) }, fc.constantFrom(...allFields));
  const metas = ['__meta.color', '__meta.color', '__meta.size', '__meta.color.deep', 'vault.color', 'author.name'];
  const path = fc.array(fc.constantFrom(...relations), { minLength: 1, maxLength: 3 });
  const probe: Parameter = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(names, value) },
    { weight: 6, arbitrary: filter },
    { weight: 3, arbitrary: sortBy(names) },
    { weight: 3, arbitrary: selectionOf(fieldsOf(type)) },
    fc.tuple(
      fc.constant('include'),
      path.map((some) => some.join('.')),
    ),
    fc.tuple(fc.constantFrom('page', 'page_size', 'skip_total'), fc.constantFrom('0', 'x', '1')),
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...metas), fc.constantFrom(...words, ...texts, 'true')) },
  );
  const rest = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fittingQuery(type.plural));
  return fc.tuple(probe, rest).map(([[name, sent], more]) => {
    const query = new URLSearchParams(more);
    query.set(name, sent);
    return `?${query}`;
  });
}

/** What is asked of the list's records in groups: of readable fields and of others, with the same conditions as a list. */
function aggregateQuery(type: {
  readonly plural: string;
  readonly fields: readonly { readonly name: string }[];
}): fc.Arbitrary<string> {
  const { sorts } = allowedTo(type.plural);
  const readable = fc.constantFrom(...sorts, ...Object.keys(allowedTo(type.plural).filters));
  const name = fc.oneof({ weight: 6, arbitrary: readable }, fc.constantFrom(...fieldsOf(type)));
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 }).map((some) => some.join(','));
  const unit = fc.constantFrom('', '', ':month', ':week');
  const own: Parameter = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(
        fc.constant('group'),
        fc.tuple(name, unit).map((parts) => parts.join('')),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('sum', 'avg', 'min', 'max'), names) },
    fc.tuple(fc.constant('sort'), fc.constantFrom('count:desc', 'count:asc')),
    { weight: 2, arbitrary: fc.tuple(fc.constant('search'), search) },
    { weight: 3, arbitrary: filter },
  );
  return queryOf(own);
}

export const asks: fc.Arbitrary<Ask> = fc
  .constantFrom(articles, articles, articles, writers, writers, topics, memos, teams)
  .chain((type) => {
    const base = `/api/v1/cms/${type.plural}`;
    const query = fc.oneof({ weight: 2, arbitrary: fittingQuery(type.plural) }, probingQuery(type));
    const { includes } = allowedTo(type.plural);
    const selection = selectionOf(readableNames(type.plural));
    const including = queryOf(includes.length === 0 ? selection : fc.oneof(includeOf(includes), selection));
    const getQuery = fc.oneof({ weight: 2, arbitrary: including }, probingQuery(type));
    const own = fc.integer({ min: 1, max: 9 }).map((at) => idOf(typeOf[type.plural] ?? 'team', at));
    const id = fc.oneof({ weight: 4, arbitrary: own }, ids);
    const change = fc.record(
      {
        title: wordings,
        name: wordings,
        views: fc.constantFrom(...numbers),
        secret: wordings,
        bogus: wordings,
        inner: wordings,
      },
      { requiredKeys: [] },
    );
    return fc.oneof(
      { weight: 12, arbitrary: query.map((asked) => ({ line: `GET ${base}${asked}` })) },
      { weight: 6, arbitrary: aggregateQuery(type).map((asked) => ({ line: `GET ${base}/aggregate${asked}` })) },
      { weight: 4, arbitrary: fc.tuple(id, getQuery).map(([one, asked]) => ({ line: `GET ${base}/${one}${asked}` })) },
      fc.tuple(id, change).map(([one, body]) => ({ line: `PUT ${base}/${one}`, body })),
      id.map((one) => ({ line: `DELETE ${base}/${one}` })),
      fc.tuple(id, query).map(([one, asked]) => ({ line: `GET /api/v1/admin/cms/${type.plural}/${one}${asked}` })),
    );
  })
  .chain((asked) => fc.constantFrom<Ask['as']>(undefined, undefined, 'mia', 'max').map((as) => ({ ...asked, as })));
