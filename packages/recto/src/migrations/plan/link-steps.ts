import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { isValue, storedColumn } from '../../definition/stored-field.ts';
import { linksIn } from '../../definition/structure/inner-links.ts';
import { scanRows } from '../data/row-scan.ts';
import type { TypeRenames } from './rename-plan.ts';
import { type SchemaStep, statementStep } from './schema-steps.ts';
import type { TypePlan } from './type-plan.ts';

const links = sql.table('recto_links');

/** What follows for the references inside structured fields, which are kept by the names of types and fields. */
export function linkSteps(
  plans: readonly TypePlan[],
  { former }: TypeRenames,
  removed: ReadonlySet<string>,
  dialect: Dialect,
): readonly SchemaStep[] {
  const step = (statement: ReturnType<typeof sql>) => statementStep(compiledQuery(statement, dialect));
  return [
    ...[...removed].map((type) => step(sql`delete from ${links} where "type" = ${type} or "target_type" = ${type}`)),
    ...[...former].flatMap(([type, from]) => [
      step(sql`update ${links} set "type" = ${type} where "type" = ${from}`),
      step(sql`update ${links} set "target_type" = ${type} where "target_type" = ${from}`),
    ]),
    ...plans.flatMap(({ type: { singular }, unlinked, renamed }) => [
      ...unlinked.map((field) => step(sql`delete from ${links} where "type" = ${singular} and "field" = ${field}`)),
      ...renamed.map(({ from, to }) =>
        step(sql`update ${links} set "field" = ${to} where "type" = ${singular} and "field" = ${from}`),
      ),
    ]),
    ...plans.flatMap(({ type, relinked }) =>
      relinked.map((field) => ({
        sql: `-- the references inside "${field.name}" of each record of ${type.table} go into recto_links`,
        run: (transaction: Transaction) => relink(transaction, dialect, type, field),
      })),
    ),
  ];
}

/** Makes the links of a field those of its values. */
async function relink(transaction: Transaction, dialect: Dialect, type: ContentType, field: Field): Promise<void> {
  const { singular, table } = type;
  const own = sql`"type" = ${singular} and "field" = ${field.name}`;
  await transaction.run(compiledQuery(sql`delete from ${links} where ${own}`, dialect));
  const column = isValue(field) ? storedColumn(field) : undefined;
  if (column === undefined) return;
  await scanRows<Readonly<Record<string, string>> & { readonly id: string }>(
    transaction,
    dialect,
    table,
    [column],
    async (row) => {
      const stored = row[column] ?? null;
      if (stored === null) return;
      const found = linksIn(field, dialect.decode('json', stored));
      const once = new Map(found.map((link) => [`${link.path} ${link.id}`, link]));
      for (const { path, target, id } of once.values()) {
        const values = sql.join([singular, row.id, field.name, path, target, id]);
        const names = sql`"type", "record", "field", "path", "target_type", "target"`;
        await transaction.run(compiledQuery(sql`insert into ${links} (${names}) values (${values})`, dialect));
      }
    },
  );
}
