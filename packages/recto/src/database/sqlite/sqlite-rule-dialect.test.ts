import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { compileRule } from '../../rules/compile-rule.ts';
import type { RuleScope } from '../../rules/rule-scope.ts';
import { ruleToSql } from '../../rules/rule-sql.ts';
import { sqliteRuleDialect } from './sqlite-rule-dialect.ts';

// That rules mean the same in SQLite as in the evaluator is shown by test/http/rules-agree.test.ts.

const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const scope: RuleScope = {
  type: 'note',
  table: 'note',
  fieldNames: ['owner', 'views'],
  field: (name) => {
    if (name === 'owner') return { shape: 'scalar', kind: 'text', column: 'owner' };
    return name === 'views' ? { shape: 'scalar', kind: 'integer', column: 'views' } : undefined;
  },
};

describe('an index', () => {
  test.each([
    ['owner = "x"', 'note_owner'],
    ['owner = null', 'note_owner'],
    ['owner = @request.auth.id', 'note_owner'],
    ['owner = @request.query.owner', 'note_owner'],
    ['views > 10', 'note_views'],
    ['views <= @request.query.most', 'note_views'],
    ['views >= @request.body.least && owner != null', 'note_views'],
  ])('serves %s', (source, index) => {
    using database = new Database(':memory:');
    database.run('create table note (id text primary key, owner text, views integer)');
    database.run('create index note_owner on note (owner)');
    database.run('create index note_views on note (views)');
    const condition = ruleToSql(compileRule(source, scope), 't0', sqliteRuleDialect);
    const query = sql`explain query plan select "t0"."id" from "note" as "t0" where ${condition}`.compile(builder);
    const plan = database.prepare<{ detail: string }, []>(query.sql).all();
    expect(plan.map(({ detail }) => detail).join('\n')).toContain(`SEARCH t0 USING INDEX ${index} `);
  });
});

describe('encode', () => {
  test.each([
    ['boolean', true, 1],
    ['boolean', false, 0],
    ['decimal', '-1.5', '09884~ -1.5'],
    ['bigint', 2n ** 62n, 2n ** 62n],
    ['datetime', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
  ] as const)('%s %p', (kind, value, stored) => {
    expect(sqliteRuleDialect.encode(kind, value)).toBe(stored);
  });
});
