import { describe, expect, test } from 'bun:test';
import type { RuleEnvironment } from '../base/bindings.ts';
import { anonymous } from '../base/caller.ts';
import type { JsonValue, Scalar } from '../values/value-kind.ts';
import { compileRule } from './compile-rule.ts';
import { evaluateRule, type RuleRecord } from './rule-evaluator.ts';
import { articleScope } from './scope.fixture.ts';

interface Row {
  readonly values: Readonly<Record<string, Scalar | JsonValue | null>>;
  readonly related?: Readonly<Record<string, Row>>;
  readonly counts?: Readonly<Record<string, number>>;
}

const record = ({ values, related = {}, counts = {} }: Row): RuleRecord => ({
  get: (field) => values[field] ?? null,
  related: (field) => {
    const row = related[field];
    return row === undefined ? null : record(row);
  },
  count: (field) => counts[field] ?? 0,
  // `test/http/rules-agree.test.ts` checks these, with records to lead to.
  holdsForAny: () => false,
});

const full = record({
  values: {
    id: 'r1',
    title: 'Grün 🙂',
    'sub-title': '',
    views: 10,
    big: 9007199254740993n,
    rating: 1.5,
    price: '12.5',
    published: true,
    at: '2026-11-21T10:00:00.000Z',
    day: '2026-11-21',
    hour: '10:00:00',
    meta: { color: 'red', n: 3, flag: true, none: null, list: [1, 2], deep: { word: 'x🙂' }, big: '10' },
    author: 'u1',
  },
  related: {
    author: {
      values: { id: 'u1', name: 'Ada', age: 36, meta: { a: 1 }, team: 't1' },
      related: { team: { values: { id: 't1', name: 'Engine', active: true, lead: null } } },
      counts: { posts: 2 },
    },
  },
  counts: { tags: 3 },
});
const empty = record({ values: { id: 'r2' } });

const request: RuleEnvironment = {
  caller: { kind: 'account', id: 'u1', role: 'editor', session: 's' },
  query: new Map([
    ['word', 'Grün 🙂'],
    ['ten', '10'],
    ['yes', 'true'],
    ['day', '2026-11-20'],
    ['pattern', 'gr_n%'],
    ['__meta.color', 'red'],
    ['nul', 'a\0b'],
    ['long', '%'.repeat(10_001)],
    ['longest', '%'.repeat(10_000)],
  ]),
  body: {
    title: 'Grün 🙂',
    views: 10,
    price: '12.50',
    number: 12.5,
    none: null,
    flag: true,
    list: [1],
    half: '\ud800',
  },
  now: '2026-11-21T12:00:00.000Z',
};

function outcome(source: string, row: RuleRecord, environment = request): boolean {
  return evaluateRule(compileRule(source, articleScope), row, environment);
}

/** [rule, on the full record, on the empty one] */
const cases: readonly (readonly [string, boolean, boolean])[] = [
  // Equality takes null as a value.
  ['title = "Grün 🙂"', true, false],
  ['title != "Grün 🙂"', false, true],
  ['title = "grün 🙂"', false, false],
  ['title = null', false, true],
  ['title != null', true, false],
  ['null = title', false, true],
  ['sub-title = ""', true, false],
  ['title = sub-title', false, true],
  ['views = 10', true, false],
  ['10 = views', true, false],
  ['views != 10', false, true],
  ['views = rating', false, true],
  ['big = 9007199254740993', true, false],
  ['big = 9007199254740992', false, false],
  ['price = 12.500', true, false],
  ['published = true', true, false],
  ['published != true', false, true],
  ['published', true, false],
  ['at = "2026-11-21T11:00:00+01:00"', true, false],
  ['day = "2026-11-21"', true, false],
  ['hour = "10:00"', true, false],
  // Order never holds for null.
  ['views > 9', true, false],
  ['views > 10', false, false],
  ['views >= 10', true, false],
  ['views < 11', true, false],
  ['views < 10', false, false],
  ['views <= 10', true, false],
  ['5 < views', true, false],
  ['rating > 1', true, false],
  ['rating < views', true, false],
  ['big > views', true, false],
  ['price > 9', true, false],
  ['price < 12.51', true, false],
  ['title > "A"', true, false],
  ['at < @now', true, false],
  ['@now > at', true, false],
  ['at >= "2026-11-21"', true, false],
  ['at < "2026-11-21"', false, false],
  // LIKE.
  ['title ~ "gR%"', true, false],
  ['title ~ "gr"', false, false],
  ['title ~ "Gr_n __"', false, false],
  ['title ~ "Gr_n _"', true, false],
  ['title !~ "gr%"', false, true],
  ['title !~ "x"', true, true],
  ['"Grün 🙂 und mehr" ~ title', false, false],
  // Chains and groups.
  ['views = 10 && title = null', false, false],
  ['views = 10 || title = null', true, true],
  ['published && (views = 1 || views = 10)', true, false],
  ['true', true, true],
  ['false', false, false],
  ['1 = 1.0', true, true],
  ['null = null', true, true],
  ['null != "x"', true, true],
  // The special syntax.
  ['title:isset', true, false],
  ['title:isset = false', false, true],
  ['title:length = 6', true, false],
  ['title:length = 0', false, true],
  ['sub-title:isset', true, false],
  ['tags:length > 2', true, false],
  ['tags:isset', true, false],
  ['tags:length = 0', false, true],
  ['meta:isset', true, false],
  ['meta:length = 0', true, true],
  ['meta.list:length = 2', true, false],
  ['meta.color:length = 3', true, false],
  ['meta.deep.word:length = 2', true, false],
  ['meta.n:length = 0', true, true],
  // JSON.
  ['meta = null', false, true],
  ['meta != null', true, false],
  ['meta.color = "red"', true, false],
  ['meta.deep.word ~ "X_"', true, false],
  ['meta.none:isset', false, false],
  ['meta.none = null', true, true],
  ['meta.color = null', false, true],
  ['meta.list != null', true, false],
  ['meta.n = 3', true, false],
  ['meta.n > 2.5', true, false],
  ['meta.n = "3"', false, false],
  ['meta.n != "3"', true, true],
  ['meta.big = 10', false, false],
  ['meta.flag', true, false],
  ['meta.flag = true', true, false],
  ['meta.flag != true', false, true],
  ['meta.n < views', true, false],
  ['meta.n = meta.flag', false, true],
  ['meta.list.length = 2', false, false],
  ['meta.color.length:isset', false, false],
  ['meta.constructor:isset', false, false],
  // Relations.
  ['author = "u1"', true, false],
  ['author = @request.auth.id', true, false],
  ['author:isset', true, false],
  ['author.name = "Ada"', true, false],
  ['author.name != "Bob"', true, true],
  ['author.age >= 36', true, false],
  ['author.team.name:length = 6', true, false],
  ['author.team.active', true, false],
  ['author.team.lead = null', true, true],
  ['author.team.lead.name = null', true, true],
  ['author.posts:length = 2', true, false],
  ['author.posts:isset', true, false],
  ['author.meta.a = 1', true, false],
  ['author.meta:isset', true, false],
  // What the caller is and sent.
  ['@request.auth.id != null', true, true],
  ['@request.auth.id ~ "%"', true, true],
  ['@request.auth.role = "editor"', true, true],
  ['@request.auth.role != null', true, true],
  ['@request.query.word = title', true, false],
  ['views = @request.query.ten', true, false],
  ['big > @request.query.ten', true, false],
  ['@request.query.ten > 9.5', true, true],
  ['@request.query.ten > "9"', false, false],
  ['@request.query.yes', true, true],
  ['published = @request.query.yes', true, false],
  ['at > @request.query.day', true, false],
  ['@now > @request.query.day', true, true],
  ['title ~ @request.query.pattern', true, false],
  ['meta.color = @request.query.__meta.color', true, false],
  ['@request.body.title = title', true, false],
  ['views = @request.body.views', true, false],
  ['price = @request.body.price', true, false],
  ['@request.body.flag', true, true],
  // What was not sent is null, and so is JSON null.
  ['@request.query.absent = null', true, true],
  ['@request.body.absent = null', true, true],
  ['@request.body.none = null', true, true],
  ['@request.body.list = null', false, false],
  ['@request.body.list != null', true, true],
  ['@request.body.constructor = null', true, true],
  ['title = @request.query.absent', false, true],
  ['@request.body.absent', false, false],
  // What cannot be of the other side's kind equals nothing.
  ['views = @request.query.word', false, false],
  ['views != @request.query.word', true, true],
  ['views < @request.query.word', false, false],
  ['views >= @request.query.word', false, false],
  ['price = @request.body.number', false, false],
  ['title = @request.body.number', false, false],
  ['title ~ @request.body.number', false, false],
  ['title !~ @request.body.number', true, true],
  ['title = @request.query.nul', false, false],
  ['title = @request.body.half', false, false],
  ['title ~ @request.query.long', false, false],
  ['title !~ @request.query.long', true, true],
  ['title ~ @request.query.longest', true, false],
];

describe('a rule', () => {
  test.each(cases)('%s: %p on a full record, %p on an empty one', (source, onFull, onEmpty) => {
    expect(outcome(source, full)).toBe(onFull);
    expect(outcome(source, empty)).toBe(onEmpty);
  });
});

describe('an anonymous caller without a body', () => {
  const bare: RuleEnvironment = { caller: anonymous, query: new Map(), body: null, now: request.now };

  test.each([
    ['@request.auth.id = null', true],
    ['@request.auth.role = "admin"', false],
    ['@request.auth.role != "admin"', true],
    ['author = @request.auth.id', true],
    ['author = @request.auth.id && @request.auth.id != null', false],
    ['@request.body.x = null', true],
    ['@request.auth.id ~ "%"', false],
  ])('%s: %p', (source, expected) => {
    expect(outcome(source, empty, bare)).toBe(expected);
  });
});
