import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { sql } from 'kysely';
import { testPostgresUrl } from '../../../../../test/support/database/database.ts';
import { Slot } from '../../base/bindings.ts';
import { anonymous } from '../../base/caller.ts';
import { compileRule } from '../../rules/compile-rule.ts';
import type { RuleScope } from '../../rules/rule-scope.ts';
import { ruleToSql } from '../../rules/rule-sql.ts';
import { postgresDialect } from './postgres-dialect.ts';

// That rules mean the same in PostgreSQL as in the evaluator is shown by test/http/rules-agree.test.ts.

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
  let client: SQL;
  beforeAll(async () => {
    client = new SQL(await testPostgresUrl(), { max: 1 });
    const { text, integer } = {
      text: postgresDialect.columnType('text'),
      integer: postgresDialect.columnType('integer'),
    };
    await client.unsafe(`create temp table note (id ${text} primary key, owner ${text}, views ${integer})`);
    await client.unsafe(`insert into note select g, 'o' || g, g from generate_series(1, 10000) g`);
    await client.unsafe('create index note_owner on note (owner nulls first)');
    await client.unsafe('create index note_views on note (views nulls first)');
    await client.unsafe('analyze note');
  }, 600_000);
  afterAll(() => client.close());

  // A plan for any values, as one that is prepared once and run often gets, and one for these.
  describe.each(['force_generic_plan', 'force_custom_plan'])('%s', (mode) => {
    test.each([
      ['owner = "x"', 'note_owner'],
      ['owner = null', 'note_owner'],
      ['owner = @request.auth.id', 'note_owner'],
      ['owner = @request.query.owner', 'note_owner'],
      ['views > 9990', 'note_views'],
      ['views <= @request.query.most', 'note_views'],
      ['views >= @request.body.least && owner != null', 'note_views'],
    ])('serves %s', async (source, index) => {
      const condition = ruleToSql(compileRule(source, scope), 't0', postgresDialect.rules);
      const query = sql`explain select "t0"."id" from "note" as "t0" where ${condition}`.compile(
        postgresDialect.builder,
      );
      const request = {
        caller: anonymous,
        query: new Map([
          ['owner', 'o7'],
          ['most', '10'],
        ]),
        body: { least: 9990 },
        now: '2026-11-21T10:00:00.000Z',
        values: [],
      };
      const values = query.parameters.map((value) => (value instanceof Slot ? value.read(request) : value));
      await client.unsafe(`set plan_cache_mode = ${mode}`);
      const plan: Record<string, string>[] = await client.unsafe(
        query.sql,
        values.map((value) => (value === null ? null : String(value))),
      );
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(index);
    });
  });
});

describe('encode', () => {
  test.each([
    ['boolean', true, 'true'],
    ['boolean', false, 'false'],
    ['decimal', '-1.5', '-1.5'],
    ['bigint', 2n ** 62n, 2n ** 62n],
    ['float', 1e21, 1e21],
    ['datetime', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
  ] as const)('%s %p', (kind, value, bound) => {
    expect(postgresDialect.encode(kind, value)).toBe(bound);
  });
});
