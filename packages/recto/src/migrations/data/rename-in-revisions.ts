import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** Revisions that are in memory at a time. */
const slice = 100;

interface RevisionRow {
  readonly record: string;
  readonly revision: number | bigint;
  readonly changed: string;
  readonly private_fields: string;
  readonly body: string;
}

/**
 * Gives a field of a type another name in the versions of its records, so that they are returned and restored by the new one. To
 * be called in the transaction that renames the field.
 */
export async function renameInRevisions(
  transaction: Transaction,
  dialect: Dialect,
  field: { readonly type: string; readonly from: string; readonly to: string },
): Promise<void> {
  const { type, from, to } = field;
  let [record, revision] = ['', 0];
  for (;;) {
    const rows = await transaction.rows<RevisionRow>(
      compiledQuery(
        sql`select "record", "revision", "changed", "private_fields", "body" from "recto_revisions"
          where "type" = ${type} and ("record" > ${record} or ("record" = ${record} and "revision" > ${revision}))
          order by "record", "revision" limit ${slice}`,
        dialect,
      ),
    );
    for (const row of rows) {
      await transaction.run(
        compiledQuery(
          sql`update "recto_revisions" set "changed" = ${renamedName(row.changed, from, to)},
            "private_fields" = ${renamedName(row.private_fields, from, to)}, "body" = ${renamedKey(row.body, from, to)}
            where "type" = ${type} and "record" = ${row.record} and "revision" = ${row.revision}`,
          dialect,
        ),
      );
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    [record, revision] = [last.record, Number(last.revision)];
  }
}

/** The list of names with one of them changed. */
function renamedName(list: string, from: string, to: string): string {
  // The column only ever gets a list of names.
  const names = JSON.parse(list) as readonly string[];
  return JSON.stringify(names.map((name) => (name === from ? to : name)));
}

function renamedKey(body: string, from: string, to: string): string {
  // The column only ever gets an object. A value under the new name belongs to a removed field.
  const members = Object.entries(JSON.parse(body) as Readonly<Record<string, JsonValue>>);
  if (!members.some(([name]) => name === from)) return body;
  const kept = members.filter(([name]) => name !== to);
  return JSON.stringify(Object.fromEntries(kept.map(([name, value]) => [name === from ? to : name, value])));
}
