import { describe, expect, test } from 'bun:test';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { type Bindings, Slot } from '../base/bindings.ts';
import { compileRule } from './compile-rule.ts';
import type { RuleDialect } from './rule-dialect.ts';
import { ruleToSql } from './rule-sql.ts';
import { articleScope } from './scope.fixture.ts';

/** A dialect whose SQL shows which method was called. `test/http/rules-agree.test.ts` checks the answers of databases. */
const dialect: RuleDialect = {
  encode: (kind, value) => `${kind}:${value}`,
  plannedOnce: (value) => sql`${value}`,
  same: (left, right) => sql`same(${left}, ${right})`,
  columnIs: (column, bound) => sql`column_is(${column}, ${bound})`,
  ofMany: (comparison) => sql`${comparison}`,
  like: (text, pattern) => sql`like(${text}, ${pattern})`,
  lower: (text) => sql`lower(${text})`,
  textLength: (text) => sql`length(${text})`,
  jsonScalar: (column, path, kind) => sql`json(${column}, ${sql.val(path.join('/'))}, ${sql.raw(kind)})`,
  jsonIsSet: (column, path) => sql`json_isset(${column}, ${sql.val(path.join('/'))})`,
  jsonLength: (column, path) => sql`json_length(${column}, ${sql.val(path.join('/'))})`,
  jsonItems: (column, path, alias) => ({
    rows: sql`items(${column}, ${sql.val(path.join('/'))}) as ${sql.id(alias)}`,
    condition: sql`is_item(${sql.id(alias)})`,
    value: (kind) => sql`item(${sql.id(alias)}, ${sql.raw(kind)})`,
  }),
  truth: (bound) => sql`truth(${bound})`,
};

const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const request: Bindings = {
  caller: { kind: 'account', id: 'u1', role: 'member', session: 's' },
  query: new Map([['q', 'x']]),
  body: null,
  now: '2026-11-21T12:00:00.000Z',
  values: [],
};

function compile(source: string): { readonly text: string; readonly values: readonly unknown[] } {
  const query = ruleToSql(compileRule(source, articleScope), 't', dialect).compile(builder);
  const values = query.parameters.map((parameter) => (parameter instanceof Slot ? parameter.read(request) : parameter));
  return { text: query.sql, values };
}

describe('the SQL of a rule', () => {
  test.each<[string, string, unknown[]]>([
    ['title = "x"', '("t"."title" = ? and "t"."title" is not null)', ['text:x']],
    ['"x" != sub-title', '(not ("t"."sub-title" = ? and "t"."sub-title" is not null))', ['text:x']],
    ['title = null', '("t"."title" is null)', []],
    ['title != null', '(not ("t"."title" is null))', []],
    ['title:isset', '(("t"."title" is not null))', []],
    ['title:isset = false', '(not ("t"."title" is not null))', []],
    ['author = @request.auth.id', '(column_is("t"."author", ?))', ['text:u1']],
    ['views = @request.query.q', '(column_is("t"."views", ?) and truth(?))', [null, 0]],
    ['title = @request.query.q', '(column_is("t"."title", ?) and truth(?))', ['text:x', 1]],
    ['title in ["x", "y"]', '("t"."title" in (?, ?) and "t"."title" is not null)', ['text:x', 'text:y']],
    [
      'author.name not in ["x"]',
      '(not coalesce((select "t_r1"."name" from "cms_author" as "t_r1" where "t_r1"."id" = "t"."author") in (?), false))',
      ['text:x'],
    ],
    ['title:lower = "x"', '(same(lower("t"."title"), ?))', ['text:x']],
    ['@request.auth.role in ["admin", "member"]', 'truth(?)', [1]],
    ['at > @today - 7d', '("t"."at" > ? and "t"."at" is not null)', ['datetime:2026-11-14T00:00:00.000Z']],
    ['day = @yesterday', '("t"."day" = ? and "t"."day" is not null)', ['date:2026-11-20']],
    ['views > 3', '("t"."views" > ? and "t"."views" is not null)', ['integer:3']],
    ['views <= @request.query.q', '("t"."views" <= ? and "t"."views" is not null and truth(?))', [null, 0]],
    ['at < @now', '("t"."at" < ? and "t"."at" is not null)', ['datetime:2026-11-21T12:00:00.000Z']],
    ['title ~ "%x"', 'coalesce(like("t"."title", ?), false)', ['text:%x']],
    ['title !~ @request.query.q', '(not coalesce(like("t"."title", ?), false))', ['x']],
    ['@request.auth.role = "admin"', 'truth(?)', [0]],
    ['@request.query.q = "x" && true', '(truth(?) and truth(?))', [1, 1]],
    [
      'published || views = 1 || title = null',
      '(("t"."published" = ? and "t"."published" is not null) or ("t"."views" = ? and "t"."views" is not null) or ("t"."title" is null))',
      ['boolean:true', 'integer:1'],
    ],
    [
      'author.name = "x"',
      '(same((select "t_r1"."name" from "cms_author" as "t_r1" where "t_r1"."id" = "t"."author"), ?))',
      ['text:x'],
    ],
    [
      'author.team.name > "x"',
      'coalesce((select (select "t_r2"."name" from "cms_team" as "t_r2" where "t_r2"."id" = "t_r1"."team") from "cms_author" as "t_r1" where "t_r1"."id" = "t"."author") > ?, false)',
      ['text:x'],
    ],
    [
      'tags:length > 1',
      '((select count(*) from "cms_article_tags" as "t_r1" where "t_r1"."source_id" = "t"."id") > ?)',
      ['integer:1'],
    ],
    ['tags:isset', '(exists (select 1 from "cms_article_tags" as "t_r1" where "t_r1"."source_id" = "t"."id"))', []],
    ['meta.a.b = 1', '(same(json("t"."__meta", ?, float), ?))', ['a/b', 'float:1']],
    ['meta != null', '(json_isset("t"."__meta", ?))', ['']],
  ])('%s', (source, text, values) => {
    expect(compile(source)).toEqual({ text, values });
  });

  test('never holds what a person wrote or sent', () => {
    const text = `x' or 1=1 --`;
    const { text: statement, values } = compile(`title = "${text}" || title ~ "${text}" || meta.a = "${text}"`);
    expect(statement).not.toContain('1=1');
    expect(values.filter((value) => value === `text:${text}`)).toHaveLength(3);
  });
});
