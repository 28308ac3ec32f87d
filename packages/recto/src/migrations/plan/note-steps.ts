import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { TypeRenames } from './rename-plan.ts';
import { type SchemaStep, statementStep } from './schema-steps.ts';
import type { TypePlan } from './type-plan.ts';

const notes = sql.table('recto_notes');
const items = sql.table('recto_release_items');
const previews = sql.table('recto_previews');

/** What follows for the notes on records, and for the items of releases, which are kept by the names of types and fields. */
export function noteSteps(
  plans: readonly TypePlan[],
  { former }: TypeRenames,
  removed: ReadonlySet<string>,
  dialect: Dialect,
): readonly SchemaStep[] {
  const step = (statement: ReturnType<typeof sql>) => statementStep(compiledQuery(statement, dialect));
  return [
    ...[...removed].map((type) => step(sql`delete from ${notes} where "type" = ${type}`)),
    ...[...former].flatMap(([type, from]) =>
      [notes, items, previews].map((table) => step(sql`update ${table} set "type" = ${type} where "type" = ${from}`)),
    ),
    // Those on what is inside a field, such as `seo.title` and `body[2].title`, too.
    ...plans.flatMap(({ type: { singular }, renamed }) =>
      renamed.map(({ from, to }) => {
        const rest = sql`substr("field", ${sql.lit(from.length + 1)})`;
        const begin = sql`substr("field", 1, ${sql.lit(from.length + 1)})`;
        const isFrom = sql`("field" = ${from} or ${begin} = ${`${from}.`} or ${begin} = ${`${from}[`})`;
        return step(sql`update ${notes} set "field" = ${to} || ${rest} where "type" = ${singular} and ${isFrom}`);
      }),
    ),
  ];
}
