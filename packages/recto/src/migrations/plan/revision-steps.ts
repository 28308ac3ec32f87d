import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { renameInDrafts } from '../data/change-drafts.ts';
import { renameInRevisions } from '../data/rename-in-revisions.ts';
import { restructureDrafts, restructureRevisions } from '../data/restructure-history.ts';
import type { TypeRenames } from './rename-plan.ts';
import { type SchemaStep, statementStep } from './schema-steps.ts';
import type { TypePlan } from './type-plan.ts';

/** What follows in the versions and drafts of records, which are kept by the names of types and fields. */
export function revisionSteps(
  plans: readonly TypePlan[],
  { former }: TypeRenames,
  removed: ReadonlySet<string>,
  dialect: Dialect,
): readonly SchemaStep[] {
  return [
    ...[...removed].map((type) =>
      statementStep(compiledQuery(sql`delete from "recto_revisions" where "type" = ${type}`, dialect)),
    ),
    ...[...former].map(([type, from]) =>
      statementStep(compiledQuery(sql`update "recto_revisions" set "type" = ${type} where "type" = ${from}`, dialect)),
    ),
    ...plans.flatMap(({ type, renamed }) =>
      renamed.map(({ from, to }) => ({
        sql: `-- "${from}" becomes "${to}" in the revisions and drafts of "${type.singular}"`,
        run: async (transaction: Transaction) => {
          await renameInRevisions(transaction, dialect, { type: type.singular, from, to });
          await renameInDrafts(transaction, dialect, type, { from, to });
        },
      })),
    ),
    ...plans.flatMap(({ type, restructured }) =>
      restructured.map((change) => ({
        sql: `-- the values inside "${change.field.name}" in the revisions and drafts of "${type.singular}" follow`,
        run: async (transaction: Transaction) => {
          await restructureRevisions(transaction, dialect, type, change);
          await restructureDrafts(transaction, dialect, type, change);
        },
      })),
    ),
  ];
}
