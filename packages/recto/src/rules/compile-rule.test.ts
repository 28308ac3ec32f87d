import { describe, expect, test } from 'bun:test';
import { compileRule } from './compile-rule.ts';
import { RuleError } from './rule-error.ts';
import { countsRead, needsRecord, relationsRead } from './rule-reads.ts';
import type { RuleScope } from './rule-scope.ts';
import { articleScope } from './scope.fixture.ts';

function errorOf(source: string, scope: RuleScope = articleScope): RuleError {
  try {
    compileRule(source, scope);
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error(`${source} was taken for a rule`);
}

/** [rule, what the carets stand under, what the message says] */
const errors: readonly (readonly [string, string, string])[] = [
  ['views = 1 && titel = "x"', 'titel', 'There is no field "titel" in "article". Did you mean "title"?'],
  ['sub_title = "x"', 'sub_title', 'Did you mean "sub-title"?'],
  ['Title = "x"', 'Title', 'Did you mean "title"?'],
  ['zzzzzz = "x"', 'zzzzzz', 'Its fields are id, title,'],
  ['constructor = "x"', 'constructor', 'There is no field "constructor"'],
  ['author.nam = "x"', 'nam', 'There is no field "nam" in "author". Did you mean "name"?'],
  ['author.team.naem = "x"', 'naem', 'in "team"'],
  ['title.x = "x"', 'x', '"title" is a plain value'],
  ['tags.name = "x"', 'tags.name', '"tags.name" leads to many records: write tags.name ?= "x"'],
  ['"x" !~ tags.name', 'tags.name', 'write "x" ?!~ tags.name, which holds where it does for any of them.'],
  [`tags.name = "${'x'.repeat(80)}"`, 'tags.name', 'write ?=, which holds'],
  [
    'tags = "x"',
    'tags',
    'write tags ?= "x", which holds where it does for any of them. Whether there are any is tags:isset',
  ],
  ['tags ~ "x"', 'tags', 'write tags ?= "x"'],
  ['tags = null', 'tags', 'write tags:isset = false.'],
  ['tags != null', 'tags', 'write tags:isset.'],
  ['tags ?= null', 'tags ?= null', 'An id is never null: write tags:isset = false.'],
  ['author.posts.published', 'author.posts.published', 'write author.posts.published ?= true'],
  ['author.posts.published && tags', 'author.posts.published', 'write author.posts.published ?= true'],
  ['tags.name in ["x"]', 'tags.name', 'write tags.name ?= "x", which holds'],
  ['tags.weight ?= "x"', '"x"', 'The other side is an integer'],
  ['tags.weight ?~ 1', 'tags.weight', 'only text matches with ~'],
  ['author.posts.published ?> true', 'author.posts.published', 'which has no order'],
  ['title ?= "x"', 'title ?= "x"', 'here both sides are single values: write =.'],
  ['"x" ?!~ @request.query.q', '"x" ?!~ @request.query.q', 'write !~.'],
  ['tags.name ?= author.posts.title', 'author.posts.title', 'Only one side of ?= can be many values'],
  ['meta.x ?= meta.y', 'meta.y', 'Only one side of ?= can be many values'],
  ['meta.x ?= null', 'meta.x ?= null', 'An item that is null does not count'],
  ['tags.meta.x ?!= null', 'tags.meta.x ?!= null', 'An item that is null does not count'],
  ['meta.x ?= day', 'meta.x', 'not with a date'],
  ['tags.owner.team.lead.name ?= "x"', 'name', 'at most 3 relations'],
  ['author.posts.author.posts.title ?= "x"', 'title', 'at most 3 relations'],
  ['posts_via_author.title ?= "x"', 'posts_via_author', 'declare a relation back: a one_to_many field'],
  ['tags.nmae ?= "x"', 'nmae', 'Did you mean "name"?'],
  ['tags.name.x ?= "x"', 'x', '"name" is a plain value'],
  ['tags.name:each ?= "x"', ':each', 'A condition on any item is name ?= …'],
  ['@request.body.title:changed ?= true', '@request.body.title:changed ?= true', 'Compare :changed with = true'],
  ['secret = "x"', 'secret', '"secret" cannot be read: a password is stored hashed.'],
  ['secret:isset', 'secret', '"secret" cannot be read'],
  ['author.team.lead.team.name = "x"', 'name', 'at most 3 relations'],
  ['title:size > 1', ':size', ':isset, :length and :lower'],
  ['title: > 1', ':', ':isset, :length and :lower'],
  ['views:length > 1', 'views:length', '"views" is an integer: only text'],
  ['author:length > 1', 'author:length', '"author" is a relation to one record: only text'],
  ['@request.auth.name = "x"', '@request.auth.name', 'There is no such variable.'],
  ['@request.auth.rol = "x"', '@request.auth.rol', 'Did you mean @request.auth.role?'],
  ['at > @todayStart', '@todayStart', '@today for the beginning of its day'],
  ['day > @now', 'day > @now', 'Write @today for the day'],
  ['day > @today - 1h', 'day > @today - 1h', 'does not compare a date with a datetime'],
  ['title > @request.auth.id - 7d', '@request.auth.id - 7d', '@request.auth.id is no time'],
  ['title = "100\\%"', '\\%', 'Only the pattern of ~ or !~ has the escapes'],
  ['title in ["a", "\\_"]', '\\_', 'Only the pattern'],
  ['views in [1, "x"]', '"x"', 'The other side is an integer'],
  ['"x" in ["x"]', '"x"', 'Before in or not in stands a field or a variable.'],
  ['tags in ["x"]', 'tags', 'write tags ?= "x", which holds where it does for any of them, and one such'],
  ['meta in ["x"]', 'meta', 'is JSON as a whole'],
  ['title:lower = "Abc"', '"Abc"', 'It must be in lower case: "abc".'],
  ['views:lower = "x"', 'views:lower', 'only text has :lower'],
  ['@now:lower = "x"', '@now:lower', 'only text has :lower'],
  ['@request.auth.id:isset', ':isset', 'write @request.auth.id != null'],
  ['@request.body.meta:changed', ':changed', 'where NAME is a plain field'],
  [
    '@request.body.title:changed = "x"',
    '@request.body.title:changed = "x"',
    'Compare :changed with = true or = false.',
  ],
  ['@request.query.title:changed', ':changed', 'Only @request.body.NAME has :changed'],
  ['@elsewhere = "x"', '@elsewhere', 'The variables are @request.auth.id'],
  ['@request.auth.username = ""', '""', 'write @request.auth.username = null'],
  [
    '@request.auth.avatar = "x"',
    '@request.auth.avatar',
    'keep their ids in a field and compare it with @request.auth.id',
  ],
  [
    '@request.auth.avatar = "a.png"',
    '@request.auth.avatar',
    'Of the caller, rules read the id, role, tenant_id, email, username and verified',
  ],
  ['@request.auth.verified = "yes"', '"yes"', 'boolean'],
  ['@request.auth.verified:lower = true', '@request.auth.verified:lower', 'only text has :lower'],
  ['@request.auth = null', '@request.auth', 'write @request.auth.id != null'],
  ['@request.data.title = "x"', '@request.data.title', 'Write @request.body.NAME'],
  ['@request.headers.x = "x"', '@request.headers.x', 'Of a request, rules read @request.auth'],
  ['@collection.teams.id = id', '@collection.teams.id', 'through a relation of the type'],
  ['@me = author', '@me', 'Write @request.auth.id for the caller'],
  ['views:changed', ':changed', 'Whether an update changes it is @request.body.views:changed.'],
  ['title:count > 1', ':count', 'Write title:length.'],
  ['@ = "x"', '@', 'There is no such variable.'],
  ['@request.body = "x"', '@request.body', '@request.body.NAME'],
  ['@request.body.a.b = "x"', '@request.body.a.b', 'one field of the body'],
  ['@request.query. = "x"', '@request.query.', '@request.query.NAME'],
  ['title = 5', '5', 'The other side is text: write a string in quotes.'],
  ['title = true', 'true', 'The other side is text'],
  ['views = "5"', '"5"', 'The other side is an integer: write a whole number'],
  ['views = 1.5', '1.5', 'The other side is an integer'],
  ['views = 9007199254740992', '9007199254740992', 'at most 2^53 - 1'],
  ['big = 9223372036854775808', '9223372036854775808', 'within 64 bits'],
  [`rating = 1${'0'.repeat(309)}`, `1${'0'.repeat(309)}`, 'The other side is a number'],
  ['rating = "x"', '"x"', 'The other side is a number'],
  ['price = "1.5"', '"1.5"', 'The other side is a decimal'],
  [`price = 0.${'1'.repeat(41)}`, `0.${'1'.repeat(41)}`, 'at most 60 digits before and 40 after'],
  ['published = 1', '1', 'The other side is a boolean: write true or false.'],
  ['at = "soon"', '"soon"', 'The other side is a datetime: write a string such as "2026-11-21T10:00:00Z"'],
  ['at = "2026-02-30"', '"2026-02-30"', 'The other side is a datetime'],
  ['day = "2026-11-21T10:00:00Z"', '"2026-11-21T10:00:00Z"', 'The other side is a date'],
  ['hour = "25:00"', '"25:00"', 'The other side is a time'],
  ['@now > "soon"', '"soon"', 'The other side is a datetime'],
  ['title:isset = "x"', '"x"', 'The other side is a boolean'],
  ['title:length > "3"', '"3"', 'The other side is an integer'],
  ['title = "\0"', '"\0"', 'U+0000'],
  ['title = "\ud800"', '"\ud800"', 'half a surrogate pair'],
  ['"a" = 1', '1', 'The other side is text'],
  ['title = views', 'title = views', 'does not compare text with an integer'],
  ['big = rating', 'big = rating', 'does not compare a bigint with a number'],
  ['price = rating', 'price = rating', 'does not compare a decimal with a number'],
  ['at = day', 'at = day', 'does not compare a datetime with a date'],
  ['@now = day', '@now = day', 'does not compare a datetime with a date'],
  ['author = views', 'author = views', 'does not compare text with an integer'],
  ['@request.auth.id = views', '@request.auth.id = views', 'does not compare text with an integer'],
  ['published > false', 'published', 'a boolean, which has no order'],
  ['title:isset <= true', 'title:isset', 'a boolean, which has no order'],
  ['meta.flag < true', 'true', 'a boolean, which has no order'],
  ['views > null', 'null', 'compare with = null or != null'],
  ['null ~ title', 'null', 'compare with = null or != null'],
  ['views ~ "1%"', 'views', 'This is an integer: only text matches with ~.'],
  ['at !~ "2026%"', 'at', 'This is a datetime: only text matches with !~.'],
  ['meta.n ~ 5', '5', 'This is a number: only text matches with ~.'],
  ['meta = "x"', 'meta', '"meta" is JSON as a whole: compare a path in it'],
  ['meta', 'meta', '"meta" is JSON as a whole'],
  ['meta.n = big', 'meta.n', 'not with a bigint'],
  ['meta.n = price', 'meta.n', 'not with a decimal'],
  ['meta.at < @now', 'meta.at', 'not with a datetime'],
  ['title', 'title', 'This is text and no condition by itself'],
  ['views && published', 'views', 'This is an integer and no condition by itself'],
  ['"x"', '"x"', 'This is text and no condition by itself'],
  ['null', 'null', 'This is null and no condition by itself'],
  ['@request.auth.id', '@request.auth.id', 'This is text and no condition by itself'],
  ['title:length', 'title:length', 'This is an integer and no condition by itself'],
];

describe('a rule that does not fit its content type', () => {
  test.each(errors)('%p', (source, place, reason) => {
    const error = errorOf(source);
    expect(error.reason).toContain(reason);
    expect(source.slice(error.position)).toStartWith(place);
    const [, carets = ''] = error.message.split('\n').slice(-2);
    // A message shows 100 characters of a line.
    const width = Math.min([...place].length, 101 - error.column);
    expect(carets).toBe(`  ${' '.repeat(error.column - 1)}${'^'.repeat(width)}`);
  });

  test('has a message that a person can read', () => {
    expect(errorOf('views = 1 && titel = "x"').message).toBe(
      'There is no field "titel" in "article". Did you mean "title"?\n  views = 1 && titel = "x"\n               ^^^^^',
    );
  });
});

interface Reads {
  readonly auth?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  readonly now?: boolean;
  readonly language?: boolean;
  readonly types?: readonly string[];
  readonly fields?: readonly string[];
}

const reading: readonly (readonly [string, Reads])[] = [
  ['title = "x"', { fields: ['title'] }],
  ['true', {}],
  ['author.team.name = "x"', { fields: ['author'], types: ['author', 'team'] }],
  ['author.id = @request.auth.id', { auth: ['id'], fields: ['author'], types: ['author'] }],
  ['author = @request.auth.id', { auth: ['id'], fields: ['author'] }],
  ['@request.auth.role = "admin"', { auth: ['role'] }],
  ['tags:length > 0', { fields: ['tags'], types: ['tag'] }],
  ['tags ?= "x"', { fields: ['tags'], types: ['tag'] }],
  ['tags.owner.name ?= title', { fields: ['tags', 'title'], types: ['tag', 'author'] }],
  ['author.posts.tags:length ?> views', { fields: ['author', 'views'], types: ['author', 'article', 'tag'] }],
  ['meta.list ?= @request.auth.id', { fields: ['meta'], auth: ['id'] }],
  ['author.meta.list ?= "x"', { fields: ['author'], types: ['author'] }],
  ['author.posts:isset', { fields: ['author'], types: ['author', 'article'] }],
  ['meta.a = @request.query.__meta.a', { fields: ['meta'], query: ['__meta.a'] }],
  ['meta = null', { fields: ['meta'] }],
  ['views = @request.body.n || @now > at', { fields: ['at', 'views'], body: ['n'], now: true }],
  ['@request.language = title', { fields: ['title'], language: true }],
  ['@request.body.flag && title:isset', { fields: ['title'], body: ['flag'] }],
];

describe('what a rule reads', () => {
  test.each(reading)('%s', (source, expected) => {
    const { reads } = compileRule(source, articleScope);
    const found: Required<Reads> = {
      auth: [...reads.auth],
      query: [...reads.query],
      body: [...reads.body],
      now: reads.now,
      language: reads.language,
      types: [...reads.types],
      fields: [...reads.fields].sort(),
    };
    const nothing = { auth: [], query: [], body: [], now: false, language: false, types: [], fields: [] };
    expect(found).toEqual({ ...nothing, ...expected });
  });

  test('includes the relations to follow, each before the next, and those to count', () => {
    const rule = compileRule(
      'author.team.name = "x" && author.name = "y" && author.posts:length > 1 && tags:isset && author.posts:isset',
      articleScope,
    );
    expect(relationsRead(rule.tree)).toEqual([['author'], ['author', 'team']]);
    expect(countsRead(rule.tree)).toEqual([['tags'], ['author', 'posts']]);
  });

  test('includes whether the record matters', () => {
    expect(needsRecord(compileRule('@request.auth.role = "admin"', articleScope))).toBe(false);
    expect(needsRecord(compileRule('author.name:isset', articleScope))).toBe(true);
  });
});
