import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { TypeRenames } from './rename-plan.ts';
import { type SchemaStep, statementStep } from './schema-steps.ts';
import type { TypePlan } from './type-plan.ts';

const slugs = sql.table('recto_former_slugs');

/** What follows for the former slugs of records, which are kept by the names of types and fields. */
export function formerSlugSteps(
  plans: readonly TypePlan[],
  { former }: TypeRenames,
  removed: ReadonlySet<string>,
  dialect: Dialect,
): readonly SchemaStep[] {
  const step = (statement: ReturnType<typeof sql>) => statementStep(compiledQuery(statement, dialect));
  return [
    ...[...removed].map((type) => step(sql`delete from ${slugs} where "type" = ${type}`)),
    ...[...former].map(([type, from]) => step(sql`update ${slugs} set "type" = ${type} where "type" = ${from}`)),
    // Those of other languages, such as `slug@de`, too.
    ...plans.flatMap(({ type: { singular }, renamed }) =>
      renamed.map(({ from, to }) => {
        const rest = sql`substr("field", ${sql.lit(from.length + 1)})`;
        const isFrom = sql`("field" = ${from} or substr("field", 1, ${sql.lit(from.length + 1)}) = ${`${from}@`})`;
        return step(sql`update ${slugs} set "field" = ${to} || ${rest} where "type" = ${singular} and ${isFrom}`);
      }),
    ),
  ];
}
