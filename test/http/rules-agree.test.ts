// databases: sqlite, postgres
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import fc from 'fast-check';
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { type Bindings, Slot, type SqlValue } from '../../packages/recto/src/base/bindings.ts';
import type { Caller } from '../../packages/recto/src/base/caller.ts';
import { postgresDialect } from '../../packages/recto/src/database/postgres/postgres-dialect.ts';
import { sqliteRuleDialect } from '../../packages/recto/src/database/sqlite/sqlite-rule-dialect.ts';
import { compileRule } from '../../packages/recto/src/rules/compile-rule.ts';
import type { RuleDialect } from '../../packages/recto/src/rules/rule-dialect.ts';
import {
  evaluateRule,
  holdsForItems,
  type RuleRecord,
  readOther,
} from '../../packages/recto/src/rules/rule-evaluator.ts';
import { ruleToSql } from '../../packages/recto/src/rules/rule-sql.ts';
import { articleScope } from '../../packages/recto/src/rules/scope.fixture.ts';
import type { JsonValue, Scalar, ValueKind } from '../../packages/recto/src/values/value-kind.ts';
import { onPostgres, testPostgresUrl } from '../support/database/database.ts';
import { randomCases } from '../support/random-cases.ts';

// The evaluator and the SQL of each database give the same answer on every rule: random rules on random records.

/** Rules that one statement asks about, so that many are asked in little time. */
const batch = 40;
const rulesARun = randomCases(20_000);
const articles = 30;
/** Of the records as well as of the rules. */
const seed = Number(process.env.RECTO_TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));

type Row = Readonly<Record<string, Scalar | JsonValue | null>>;

interface World {
  readonly article: readonly Row[];
  readonly author: readonly Row[];
  readonly team: readonly Row[];
  readonly tag: readonly Row[];
  /** `cms_article_tags`: the ids of an article and a tag. */
  readonly links: readonly (readonly [article: string, tag: string])[];
}

type Table = 'article' | 'author' | 'team' | 'tag';
const tables = ['article', 'author', 'team', 'tag'] as const;

/** What each column holds, for the databases to create it. */
const columns: Readonly<Record<Table, Readonly<Record<string, ValueKind>>>> = {
  article: {
    id: 'text',
    title: 'text',
    'sub-title': 'text',
    views: 'integer',
    big: 'bigint',
    rating: 'float',
    price: 'decimal',
    published: 'boolean',
    at: 'datetime',
    day: 'date',
    hour: 'time',
    __meta: 'json',
    author: 'text',
  },
  author: { id: 'text', name: 'text', age: 'integer', __meta: 'json', team: 'text' },
  team: { id: 'text', name: 'text', active: 'boolean', lead: 'text' },
  tag: { id: 'text', name: 'text', weight: 'integer', __meta: 'json', owner: 'text' },
};

// Small pools, so that values meet.
const texts = [
  '',
  'a',
  'A',
  'ab',
  'a%b',
  'a_b',
  '_',
  '%',
  'a\\b',
  'é',
  'É',
  '🙂',
  'x🙂y',
  '\uffff',
  '10',
  '9',
  'null',
  'true',
];
const integers = [-1, 0, 1, 2, 9, 10, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const bigints = [-(2n ** 63n), -1n, 0n, 1n, 2n, 10n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const floats = [-1.5, 0, 0.1, 1, 1.5, 2, 10, 1e300, 9007199254740991];
const decimals = [
  '-10',
  '-1.5',
  '-1',
  '0',
  '0.1',
  '0.10000000000000000001',
  '1',
  '1.5',
  '9',
  '10',
  '123456789012345678901',
];
const datetimes = [
  '0000-01-01T00:00:00.000Z',
  '2026-11-21T00:00:00.000Z',
  '2026-11-21T10:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];
const dates = ['2024-02-29', '2026-11-21', '2026-12-01'];
const times = ['00:00:00', '10:00:00', '10:00:00.250', '23:59:59'];
const authorIds = ['u1', 'u2', 'u3', 'u4'];
const teamIds = ['t1', 't2'];
const tagIds = ['g1', 'g2', 'g3', 'g4', 'g5'];

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });
const anyText = fc.oneof(
  { weight: 3, arbitrary: oneOf(texts) },
  fc.string({ unit: oneOf([...'abAB%_\\é🙂']), maxLength: 6 }),
);

const jsonLeaf: fc.Arbitrary<JsonValue> = fc.oneof(
  anyText,
  oneOf(floats),
  oneOf(integers),
  fc.boolean(),
  fc.constant(null),
);
const jsonList: fc.Arbitrary<JsonValue> = fc.array(jsonLeaf, { maxLength: 3 });
const jsonFlat: fc.Arbitrary<JsonValue> = fc.oneof(jsonLeaf, jsonList, fc.dictionary(oneOf(['x', 'y']), jsonLeaf));
const jsonInner: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: jsonFlat },
  { weight: 1, arbitrary: fc.array(jsonFlat, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(oneOf(['x', 'y']), jsonFlat) },
);
const json: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 1, arbitrary: jsonInner },
  {
    weight: 4,
    arbitrary: fc.dictionary(oneOf(['x', 'y', 'n', 'flag', 'list', 'a-b', 'length', 'constructor']), jsonInner),
  },
);

const authorRow = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: orNull(anyText),
    age: orNull(oneOf(integers)),
    __meta: orNull(json),
    team: orNull(oneOf([...teamIds, 'gone'])),
  });
const teamRow = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: orNull(anyText),
    active: orNull(fc.boolean()),
    lead: orNull(oneOf(authorIds)),
  });
const tagRow = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: orNull(anyText),
    weight: orNull(oneOf(integers)),
    __meta: orNull(json),
    owner: orNull(oneOf([...authorIds, 'gone'])),
  });
const articleRow = (id: string) =>
  fc.record({
    id: fc.constant(id),
    title: orNull(anyText),
    'sub-title': orNull(anyText),
    views: orNull(oneOf(integers)),
    big: orNull(oneOf(bigints)),
    rating: orNull(oneOf(floats)),
    price: orNull(oneOf(decimals)),
    published: orNull(fc.boolean()),
    at: orNull(oneOf(datetimes)),
    day: orNull(oneOf(dates)),
    hour: orNull(oneOf(times)),
    __meta: orNull(json),
    author: orNull(oneOf([...authorIds, 'gone'])),
  });
const articleIds = Array.from({ length: articles }, (_, index) => `r${index}`);
const worlds: fc.Arbitrary<World> = fc.record({
  article: fc.tuple(...articleIds.map(articleRow)),
  author: fc.tuple(...authorIds.map(authorRow)),
  team: fc.tuple(...teamIds.map(teamRow)),
  tag: fc.tuple(...tagIds.map(tagRow)),
  links: fc.uniqueArray(fc.tuple(oneOf(articleIds), oneOf(tagIds)), { maxLength: articles, selector: String }),
});

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const sent = ['@request.query.q1', '@request.query.q2', '@request.body.b1', '@request.body.b2', '@request.body.absent'];
const textFields = [
  'id',
  'title',
  'sub-title',
  'author',
  'author.id',
  'author.name',
  'author.team',
  'author.team.name',
  'author.team.lead.name',
];
const jsonPaths = [
  'meta.x',
  'meta.y',
  'meta.n',
  'meta.flag',
  'meta.a-b',
  'meta.length',
  'meta.constructor',
  'meta.x.y',
  'author.meta.x',
  'author.meta.n',
];
const jsonWholes = ['meta', 'author.meta'];
const relationsToMany = ['tags', 'author.posts', 'author.team.lead.posts'];
const lengths = [
  ...textFields.filter((field) => !/author(\.team)?$/.test(field)),
  ...jsonWholes,
  ...jsonPaths,
  'meta.list',
  ...relationsToMany,
].map((field) => `${field}:length`);
const issets = [...textFields, ...jsonWholes, ...jsonPaths, ...relationsToMany, 'views', 'price', 'author.age'].map(
  (field) => `${field}:isset`,
);
const booleans = ['published', 'author.team.active', ...issets];
const plainIntegers = ['views', 'author.age'];
const integerFields = [...plainIntegers, ...lengths];

// Lengths and `:isset` are never null, and a rule that asks is an error.
const nullable = [
  ...textFields,
  ...plainIntegers,
  'published',
  'author.team.active',
  ...jsonPaths,
  ...jsonWholes,
  'price',
  'at',
  ...sent,
  '@request.auth.id',
  '@request.language',
];

const equality = ['=', '!='];
const ordering = ['=', '!=', '<', '<=', '>', '>='];
const matching = ['~', '!~'];
const anyOf = (operators: readonly string[]): readonly string[] => operators.map((operator) => `?${operator}`);

// What leads to many values: records, and items of JSON.
const manyTexts = [
  ...['tags', 'tags.id', 'tags.name', 'tags.owner', 'tags.owner.name', 'author.posts', 'author.posts.title'],
  ...['author.posts.tags', 'author.posts.tags.name', 'author.posts.author.name', 'tags.owner.posts.title'],
  ...['tags.owner.team.name', 'author.team.lead.posts'],
  ...['facts.x', 'facts.y.x', 'author.facts.x', 'tags.owner.facts.x', 'author.posts.facts.y.x'],
];
const manyJson = [
  ...['meta', 'meta.x', 'meta.list', 'meta.x.y', 'meta.y.x', 'meta.length', 'author.meta', 'author.meta.x'],
  ...['tags.meta', 'tags.meta.list', 'tags.meta.x.y', 'tags.owner.meta.x', 'author.posts.meta.n'],
];
const manyIntegers = [
  ...['tags.weight', 'author.posts.views', 'tags.name:length', 'tags.meta.list:length', 'tags.owner.posts:length'],
  ...['author.posts.tags:length', 'author.posts.meta:length'],
];
const manyNumbers = ['facts.n', 'author.facts.n', 'facts.y.n', 'tags.owner.facts.n'];
const manyBooleans = [
  ...['facts.flag', 'author.posts.facts.flag'],
  ...['author.posts.published', 'tags.name:isset', 'tags.owner.team.active', 'author.posts.tags:isset'],
];

/** A comparison of one of `own` with one of `own` or `other`, on either side. */
function comparison(operators: readonly string[], own: fc.Arbitrary<string>, other: fc.Arbitrary<string>) {
  return fc
    .tuple(own, oneOf(operators), fc.oneof(own, { weight: 3, arbitrary: other }), fc.boolean())
    .map(([a, operator, b, swap]) => (swap ? `${b} ${operator} ${a}` : `${a} ${operator} ${b}`));
}

/** An any-of comparison of one of `many` with one of `single`, on either side. */
function anyComparison(operators: readonly string[], many: fc.Arbitrary<string>, single: fc.Arbitrary<string>) {
  return fc
    .tuple(many, oneOf(anyOf(operators)), single, fc.boolean())
    .map(([a, operator, b, swap]) => (swap ? `${b} ${operator} ${a}` : `${a} ${operator} ${b}`));
}

/** `in` or `not in` of one of `own`, with literals. */
function membership(own: fc.Arbitrary<string>, items: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(own, oneOf(['in', 'not in']), fc.array(items, { minLength: 1, maxLength: 4 }))
    .map(([operand, operator, values]) => `${operand} ${operator} [${values.join(', ')}]`);
}

const lowered = (fields: readonly string[]) => oneOf(fields.map((field) => `${field}:lower`));
const moments = fc
  .tuple(oneOf(['@now', '@today', '@yesterday', '@tomorrow']), oneOf(['', ' - 7d', ' + 36h', '-90s', ' + 2w', ' - 1m']))
  .map((parts) => parts.join(''));
const wholeDays = fc
  .tuple(oneOf(['@today', '@yesterday', '@tomorrow']), oneOf(['', ' - 7d', ' + 48h', ' + 1w']))
  .map((parts) => parts.join(''));

const literals = (values: readonly unknown[]) => oneOf(values.map(String));
const textLiteral = anyText.map(quoted);
/** The role is one of three words, and what is compared with it too. */
const roleOrText = oneOf(['"admin"', '"member"', '"editor"']);
const lowerLiteral = anyText.map((text) => quoted(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())));
/** With the escapes of patterns, which only they have. */
const patternLiteral = fc
  .array(oneOf(['a', 'B', '%', '_', '\\%', '\\_', '\\\\', '\\\\%', '🙂']), { maxLength: 5 })
  .map((parts) => `"${parts.join('')}"`);
const conditions: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: comparison(
      [...ordering, ...matching],
      oneOf(textFields),
      fc.oneof(
        textLiteral,
        oneOf([
          ...['@request.auth.id', '@request.auth.role', '@request.auth.email', '@request.language'],
          ...[...jsonPaths, ...sent],
        ]),
      ),
    ),
  },
  { weight: 2, arbitrary: comparison(matching, oneOf(textFields), textLiteral) },
  comparison(
    ordering,
    oneOf(plainIntegers),
    fc.oneof(literals(integers), oneOf(['rating', 'big', ...lengths, ...jsonPaths, ...sent])),
  ),
  // A negative literal beside a length is an error.
  comparison(
    ordering,
    oneOf(lengths),
    fc.oneof(literals(integers.filter((value) => value >= 0)), oneOf(['rating', 'big', ...jsonPaths, ...sent])),
  ),
  comparison(
    ordering,
    fc.constant('rating'),
    fc.oneof(literals([-1.5, 0, '0.10', 10]), oneOf([...integerFields, ...jsonPaths, ...sent])),
  ),
  comparison(ordering, fc.constant('big'), fc.oneof(literals(bigints), oneOf([...integerFields, ...sent]))),
  comparison(ordering, fc.constant('price'), fc.oneof(literals(decimals), oneOf(['1.50', '-0.0', ...sent]))),
  comparison(equality, oneOf(booleans), oneOf(['true', 'false', ...jsonPaths, ...sent])),
  comparison(
    ordering,
    oneOf(['at', '@now']),
    fc.oneof(literals(datetimes).map(quoted), oneOf(['"2026-11-21"', ...sent])),
  ),
  comparison(ordering, fc.constant('day'), fc.oneof(literals(dates).map(quoted), oneOf(sent))),
  comparison(ordering, fc.constant('hour'), fc.oneof(literals(times).map(quoted), oneOf(['"10:00"', ...sent]))),
  {
    weight: 2,
    arbitrary: comparison(
      [...ordering, ...matching],
      oneOf(jsonPaths),
      fc.oneof(textLiteral, oneOf(['@request.auth.id', ...sent])),
    ),
  },
  comparison(ordering, oneOf(jsonPaths), literals(floats.filter((value) => value < 1e21))),
  comparison(equality, oneOf(jsonPaths), oneOf(['true', 'false'])),
  {
    weight: 2,
    arbitrary: fc.oneof(
      membership(oneOf([...textFields, ...sent, ...jsonPaths, '@request.language']), textLiteral),
      membership(fc.constant('@request.auth.role'), roleOrText),
    ),
  },
  membership(oneOf(plainIntegers), literals(integers)),
  membership(oneOf([...jsonPaths, 'rating']), literals([-1.5, 0, 1, 10])),
  membership(fc.constant('big'), literals(bigints)),
  membership(fc.constant('price'), literals(decimals)),
  membership(oneOf(['published', ...jsonPaths]), oneOf(['true', 'false'])),
  membership(oneOf(['at', '@now']), literals(datetimes).map(quoted)),
  membership(fc.constant('day'), literals(dates).map(quoted)),
  membership(oneOf(lengths), literals([0, 1, 2])),
  {
    weight: 2,
    arbitrary: comparison(
      [...ordering, ...matching],
      lowered([...textFields, ...jsonPaths, ...sent, '@request.auth.email', '@request.language']),
      oneOf(['title', 'author.name', 'meta.x', '@request.query.q1', 'title:lower', '@request.body.b1:lower']),
    ),
  },
  membership(lowered([...textFields, ...jsonPaths, '@request.query.q1']), lowerLiteral),
  comparison(ordering, fc.constant('at'), moments),
  comparison(ordering, moments, fc.oneof(moments, literals(datetimes).map(quoted))),
  comparison(ordering, fc.constant('day'), wholeDays),
  oneOf(['q1', 'q2'].flatMap((name) => [`@request.query.${name}:isset`, `@request.query.${name}:isset = false`])),
  oneOf(['b1', 'title', 'views'].map((name) => `@request.body.${name}:isset`)),
  fc
    .tuple(
      oneOf(['title', 'views', 'price', 'at', 'day', 'published', 'author', 'big']),
      oneOf(['', ' = true', ' = false', ' != true']),
    )
    .map(([name, rest]) => `@request.body.${name}:changed${rest}`),
  fc.tuple(oneOf(textFields), oneOf(matching), patternLiteral).map((parts) => parts.join(' ')),
  {
    weight: 4,
    arbitrary: anyComparison(
      [...ordering, ...matching],
      oneOf(manyTexts),
      fc.oneof(
        { weight: 2, arbitrary: textLiteral },
        oneOf(['"g1"', '"g2"', '"u1"', '"r1"']),
        oneOf([...textFields, ...jsonPaths, ...sent, '@request.auth.id', '@request.language', 'title:lower']),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: anyComparison(
      [...ordering, ...matching],
      oneOf(manyJson),
      fc.oneof({ weight: 2, arbitrary: textLiteral }, oneOf([...textFields, ...sent.slice(0, 3), '@request.auth.id'])),
    ),
  },
  fc.tuple(oneOf([...manyTexts, ...manyJson]), oneOf(anyOf(matching)), patternLiteral).map((parts) => parts.join(' ')),
  anyComparison(
    ordering,
    oneOf(manyJson),
    fc.oneof(literals(floats.filter((value) => value < 1e21)), oneOf(['views', 'rating', 'tags:length'])),
  ),
  anyComparison([...ordering, ...matching], lowered([...manyTexts, ...manyJson]), lowerLiteral),
  anyComparison(equality, lowered([...manyTexts, ...manyJson]), oneOf(['title:lower', '@request.query.q1'])),
  anyComparison(equality, oneOf(manyJson), oneOf(['true', 'false', 'published', 'title:isset'])),
  {
    weight: 2,
    arbitrary: anyComparison(
      ordering,
      oneOf(manyIntegers.slice(0, 2)),
      fc.oneof(literals(integers), oneOf(['rating', 'big', 'views', ...lengths, ...jsonPaths, ...sent])),
    ),
  },
  anyComparison(
    ordering,
    oneOf(manyIntegers),
    fc.oneof(literals([0, 1, 2, 3]), oneOf(['rating', 'big', 'views', ...lengths, ...jsonPaths, ...sent])),
  ),
  anyComparison(
    ordering,
    oneOf(manyNumbers),
    fc.oneof(literals(floats.filter((value) => value < 1e21)), oneOf(['rating', 'views', ...jsonPaths, ...sent])),
  ),
  anyComparison(equality, oneOf(manyBooleans), oneOf(['true', 'false', ...booleans, ...jsonPaths, ...sent])),
  anyComparison(ordering, fc.constant('author.posts.price'), fc.oneof(literals(decimals), oneOf(['price', ...sent]))),
  anyComparison(ordering, fc.constant('author.posts.big'), fc.oneof(literals(bigints), oneOf(['views', ...sent]))),
  anyComparison(ordering, fc.constant('author.posts.at'), fc.oneof(moments, oneOf(['at', '@now', ...sent]))),
  anyComparison(ordering, fc.constant('author.posts.day'), fc.oneof(wholeDays, oneOf(['day', ...sent]))),
  fc
    .tuple(
      oneOf([
        'tags.name',
        'tags.owner',
        'tags.owner.name',
        'tags.weight',
        'author.posts.price',
        'author.posts.published',
      ]),
      oneOf(anyOf(equality)),
    )
    .map(([operand, operator]) => `${operand} ${operator} null`),
  fc.tuple(oneOf(nullable), oneOf(equality)).map(([operand, operator]) => `${operand} ${operator} null`),
  comparison(ordering, oneOf(sent), fc.oneof(textLiteral, literals(integers), oneOf(sent))),
  oneOf([...booleans, ...jsonPaths, ...sent, 'true', 'false']),
);

const { rule: rules } = fc.letrec<{ rule: string; group: string }>((tie) => ({
  rule: fc
    .array(fc.tuple(tie('group'), oneOf([' && ', ' || '])), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map(([text, join], index) => (index === 0 ? text : `${join}${text}`)).join('')),
  group: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'rule' },
    { weight: 4, arbitrary: conditions },
    { weight: 1, arbitrary: tie('rule').map((text) => `(${text})`) },
  ),
}));

const batches = fc.array(rules, { minLength: batch, maxLength: batch, size: 'max' });

const sentText = fc.oneof(
  anyText,
  literals([
    ...integers,
    ...bigints,
    ...floats,
    ...decimals,
    ...datetimes,
    ...dates,
    ...times,
    true,
    false,
    'a\0b',
    '\ud800',
    '%'.repeat(10_001),
    '%'.repeat(10_000),
  ]),
);
const sentJson: fc.Arbitrary<unknown> = fc.oneof(sentText, jsonInner);
const callers: readonly Caller[] = [
  { kind: 'anonymous' },
  { kind: 'account', id: 'u1', role: 'member', session: 's', email: 'aB', username: '10' },
  { kind: 'api_token', id: 'a', role: 'admin' },
  { kind: 'anonymous', language: 'aB' },
];
const requests: fc.Arbitrary<Bindings> = fc
  .record({
    caller: oneOf(callers),
    query: fc.dictionary(oneOf(['q1', 'q2']), sentText),
    body: fc.option(
      fc.dictionary(
        oneOf(['b1', 'b2', 'title', 'views', 'price', 'at', 'day', 'published', 'author', 'big']),
        sentJson,
      ),
      { freq: 5 },
    ),
    now: oneOf(datetimes),
  })
  .map(({ query, ...request }) => ({ ...request, query: new Map(Object.entries(query)), values: [] }));

/** A record of the world, as the evaluator asks for it. */
function recordOf(world: World, type: Table, row: Row, request: Bindings): RuleRecord {
  const targets: Readonly<Record<string, Table>> = { author: 'author', lead: 'author', owner: 'author', team: 'team' };
  const record: RuleRecord = {
    get: (field) => row[field === 'meta' || field === 'facts' ? '__meta' : field] ?? null,
    related: (field) => {
      const target = targets[field];
      if (target === undefined) throw new Error(`${type}.${field} is no relation to one record`);
      const found = world[target].find(({ id }) => id === row[field]);
      return found === undefined ? null : recordOf(world, target, found, request);
    },
    count: (field) => manyRows(world, row, field).length,
    holdsForAny: (any) => {
      let reached: readonly { readonly type: Table; readonly row: Row }[] = [{ type, row }];
      for (const hop of any.through) {
        reached = reached.flatMap((from): readonly { readonly type: Table; readonly row: Row }[] => {
          if (hop.to === 'many') return manyRows(world, from.row, hop.field);
          const target = targets[hop.field] ?? 'author';
          const found = world[target].find(({ id }) => id === from.row[hop.field]);
          return found === undefined ? [] : [{ type: target, row: found }];
        });
      }
      const other = readOther(any, record, request);
      return reached.some((end) => holdsForItems(any, other, recordOf(world, end.type, end.row, request)));
    },
  };
  return record;
}

/** The rows that a relation to many leads to. */
function manyRows(world: World, row: Row, field: string): readonly { readonly type: Table; readonly row: Row }[] {
  if (field === 'posts') {
    return world.article.filter(({ author }) => author === row.id).map((post) => ({ type: 'article', row: post }));
  }
  const ids = world.links.flatMap(([article, tag]) => (article === row.id ? [tag] : []));
  return world.tag.filter(({ id }) => ids.includes(String(id))).map((tag) => ({ type: 'tag', row: tag }));
}

/** A database with a world in it. */
interface Subject {
  /** The conditions' values for each article, in their order. */
  answers(
    conditions: readonly RawBuilder<boolean>[],
    request: Bindings,
  ): Promise<ReadonlyMap<string, readonly SqlValue[]>>;
  close(): void | Promise<void>;
}

interface Implementation {
  readonly name: string;
  readonly dialect: RuleDialect;
  open(world: World): Promise<Subject>;
}

const bind = (parameters: readonly unknown[], request: Bindings): SqlValue[] =>
  // Every parameter of a rule is a Slot or what `RuleDialect.encode` made.
  parameters.map((parameter) => (parameter instanceof Slot ? parameter.read(request) : (parameter as SqlValue)));

/** A row: `id`, and `c0`, `c1` … for the conditions. */
type Answers = Readonly<Record<string, SqlValue>>;

function question(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  const columns = conditions.map((condition, index) => sql`${condition} as ${sql.id(`c${index}`)}`);
  return sql`select "t0"."id" as "id", ${sql.join(columns)} from "cms_article" as "t0"`;
}

const answersOf = (rows: readonly Answers[], count: number): ReadonlyMap<string, readonly SqlValue[]> =>
  new Map(rows.map((row) => [String(row.id), Array.from({ length: count }, (_, index) => row[`c${index}`] ?? null)]));

const sqlite: Implementation = {
  name: 'SQLite',
  dialect: sqliteRuleDialect,
  async open(world) {
    const database = new Database(':memory:', { strict: true });
    const types: Readonly<Partial<Record<ValueKind, string>>> = {
      integer: 'integer',
      bigint: 'integer',
      boolean: 'integer',
      float: 'real',
    };
    for (const table of tables) {
      const entries = Object.entries(columns[table]);
      database.run(
        `create table cms_${table} (${entries.map(([name, kind]) => `"${name}" ${types[kind] ?? 'text'}`).join(', ')})`,
      );
      const insert = database.prepare(`insert into cms_${table} values (${entries.map(() => '?').join(', ')})`);
      for (const row of world[table]) {
        insert.run(
          ...entries.map(([name, kind]) => {
            const value = row[name] ?? null;
            if (kind === 'json') return value === null ? null : JSON.stringify(value);
            // Only a JSON column of the world holds an object.
            return value === null ? null : sqliteRuleDialect.encode(kind, value as Scalar);
          }),
        );
      }
    }
    database.run('create table cms_article_tags (source_id text, target_id text)');
    const link = database.prepare('insert into cms_article_tags values (?, ?)');
    for (const [article, tag] of world.links) link.run(article, tag);
    const builder = new Kysely<unknown>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    });
    return {
      async answers(conditions, request) {
        const query = question(conditions).compile(builder);
        const statement = database.prepare<Answers, SqlValue[]>(query.sql);
        const rows = statement.all(...bind(query.parameters, request));
        statement.finalize();
        return answersOf(rows, conditions.length);
      },
      close: () => database.close(),
    };
  },
};

const postgres: Implementation = {
  name: 'PostgreSQL',
  dialect: postgresDialect.rules,
  async open(world) {
    const client = new SQL(await testPostgresUrl(), { max: 1, connection: { jit: 'off' } });
    const run = (text: string, values: readonly SqlValue[] = []): Promise<Answers[]> =>
      client.unsafe(
        text,
        values.map((value) => (value === null ? null : String(value))),
      );
    for (const table of tables) {
      const entries = Object.entries(columns[table]);
      await run(
        `create temp table cms_${table} (${entries.map(([name, kind]) => `"${name}" ${postgresDialect.columnType(kind)}`).join(', ')})`,
      );
      const insert = `insert into cms_${table} values (${entries.map((_, place) => `$${place + 1}`).join(', ')})`;
      for (const row of world[table]) {
        const values = entries.map(([name, kind]) => {
          const value = row[name] ?? null;
          return value === null ? null : postgresDialect.encode(kind, value);
        });
        await run(insert, values);
      }
    }
    await run('create temp table cms_article_tags (source_id text collate "C", target_id text collate "C")');
    for (const link of world.links) await run('insert into cms_article_tags values ($1, $2)', link);
    return {
      async answers(conditions, request) {
        const query = question(conditions).compile(postgresDialect.builder);
        return answersOf(await run(query.sql, bind(query.parameters, request)), conditions.length);
      },
      close: () => client.close(),
    };
  },
};

/** Each is compared in the run of its database. */
const tested = onPostgres ? postgres : sqlite;

describe.each([tested])('the evaluator and $name', ({ dialect, open }) => {
  const [world] = fc.sample(worlds, { numRuns: 1, seed });
  if (world === undefined) throw new Error('fast-check made no world');
  let subject: Subject;
  beforeAll(async () => {
    subject = await open(world);
  }, 600_000);
  afterAll(() => subject.close());

  test(`agree on every rule and record`, async () => {
    const seen = { held: 0, failed: 0 };
    const anyOf = { held: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(batches, requests, async (sources, request) => {
        const compiled = sources.map((source) => compileRule(source, articleScope));
        const answers = await subject.answers(
          compiled.map((rule) => ruleToSql(rule, 't0', dialect)),
          request,
        );
        for (const row of world.article) {
          const record = recordOf(world, 'article', row, request);
          for (const [index, rule] of compiled.entries()) {
            const expected = evaluateRule(rule, record, request);
            seen[expected ? 'held' : 'failed'] += 1;
            if (rule.tree.node === 'any') anyOf[expected ? 'held' : 'failed'] += 1;
            const answer = answers.get(String(row.id))?.[index];
            // SQLite's truth is a number.
            if (answer === (typeof answer === 'number' ? Number(expected) : expected)) continue;
            const shown = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
            const said = `the evaluator says ${expected}, the database ${answer}`;
            throw new Error(`${rule.source}: ${said}, world ${seed}, record ${shown}`);
          }
        }
      }),
      { seed, numRuns: rulesARun / batch },
    );
    // The cases are worth something only where rules both hold and fail.
    expect(seen.held).toBeGreaterThan(2.5 * rulesARun);
    expect(seen.failed).toBeGreaterThan(2.5 * rulesARun);
    expect(anyOf.held).toBeGreaterThan(rulesARun / 4);
    expect(anyOf.failed).toBeGreaterThan(rulesARun / 4);
    expect(seen.held + seen.failed).toBe(rulesARun * articles);
  }, 600_000);

  const query = (entries: Record<string, string>): Bindings => ({
    caller: { kind: 'anonymous' },
    query: new Map(Object.entries(entries)),
    body: null,
    now: '2026-11-21T10:00:00.000Z',
    values: [],
  });

  /** What random rules hardly reach: [what, rule, request, for how many articles it holds] */
  const edges: readonly (readonly [string, string, Bindings, number])[] = [
    ['the longest pattern', 'id ~ @request.query.q', query({ q: '%'.repeat(10_000) }), articles],
    ['the longest pattern in code points', 'id !~ @request.query.q', query({ q: '🙂'.repeat(10_000) }), articles],
    ['too long a pattern', 'id ~ @request.query.q', query({ q: '%'.repeat(10_001) }), 0],
    ['far too long a pattern', 'id !~ @request.query.q', query({ q: '%'.repeat(60_000) }), articles],
    [
      'the longest chain',
      Array.from({ length: 200 }, (_, index) => `id != "x${index}"`).join('&&'),
      query({}),
      articles,
    ],
    [
      'the deepest nesting',
      `${Array.from({ length: 100 }, (_, depth) => `author.id != "x" ${depth % 2 ? '&&' : '||'} (`).join('')}id:isset${')'.repeat(100)}`,
      query({}),
      articles,
    ],
    [
      'the longest chain in the deepest nesting',
      `${'(id = "x" || '.repeat(99)}(${Array.from({ length: 101 }, () => 'author.team.lead.name != "x"').join('||')}${')'.repeat(100)}`,
      query({}),
      articles,
    ],
    ['the null character', 'id = @request.query.q', query({ q: 'r1\0' }), 0],
    ['half a surrogate pair', 'id != @request.query.q', query({ q: '\ud800' }), articles],
    ['quotes', `id != "'; drop table cms_article; --\\""`, query({}), articles],
  ];

  test.each(edges)('agree on %s', async (_, source, request, held) => {
    const rule = compileRule(source, articleScope);
    const answers = await subject.answers([ruleToSql(rule, 't0', dialect)], request);
    const rows = world.article.map((row) => ({
      row,
      holds: evaluateRule(rule, recordOf(world, 'article', row, request), request),
    }));
    expect(rows.filter(({ holds }) => holds)).toHaveLength(held);
    for (const { row, holds } of rows) expect(Boolean(answers.get(String(row.id))?.[0])).toBe(holds);
  });
});
