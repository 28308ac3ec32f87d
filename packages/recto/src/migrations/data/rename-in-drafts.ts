import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';

type Members = Readonly<Record<string, JsonValue>>;

/**
 * Gives a field another name in the drafts of a type's records, so that what was drafted of it is published by the new one.
 * To be called in the transaction that renames the field.
 */
export async function renameInDrafts(
  transaction: Transaction,
  dialect: Dialect,
  { table, protocols }: Pick<ContentType, 'table' | 'protocols'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const columns = protocols.flatMap(({ protocol, options }) => protocol.draftColumn?.(options) ?? []);
  for (const column of columns.map((name) => sql.id(name))) {
    const rows = await transaction.rows<{ id: string; draft: SqlValue }>(
      compiledQuery(
        sql`select "id", ${column} as "draft" from ${sql.id(table)} where ${column} is not null order by "id"`,
        dialect,
      ),
    );
    for (const { id, draft } of rows) {
      // The column only ever gets a draft.
      const stored = dialect.decode('json', draft) as { readonly changes: Members; readonly base: Members };
      if (!Object.hasOwn(stored.changes, from)) continue;
      const [changes, base] = [renamed(stored.changes, from, to), renamed(stored.base, from, to)];
      const value = dialect.encode('json', { ...stored, changes, base });
      await transaction.run(
        compiledQuery(sql`update ${sql.id(table)} set ${column} = ${value} where "id" = ${id}`, dialect),
      );
    }
  }
}

const renamed = (members: Members, from: string, to: string): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name === from ? to : name, value]));
