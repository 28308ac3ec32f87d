import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { isLocalized } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { scanTranslations } from './row-scan.ts';

type Members = Readonly<Record<string, JsonValue>>;

/**
 * Gives a field another name in the drafts of a type's records, so that what was drafted of it is published by the new one.
 * To be called in the transaction that renames the field.
 */
export async function renameInDrafts(
  transaction: Transaction,
  dialect: Dialect,
  type: Pick<ContentType, 'table' | 'protocols' | 'facts'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await changeDrafts(transaction, dialect, type, ({ changes, base }) =>
    Object.hasOwn(changes, from) ? { changes: renamed(changes, from, to), base: renamed(base, from, to) } : undefined,
  );
}

/** What a draft holds of a record, by the names of its fields. */
export interface DraftedMembers {
  readonly changes: Members;
  readonly base: Members;
}

/** Changes the drafts of a type's records, in all languages. `change` returns undefined for one that stays as it is. */
export async function changeDrafts(
  transaction: Transaction,
  dialect: Dialect,
  { table, protocols, facts }: Pick<ContentType, 'table' | 'protocols' | 'facts'>,
  change: (draft: DraftedMembers) => DraftedMembers | undefined,
): Promise<void> {
  const changed = (stored: SqlValue): SqlValue | undefined => {
    // The column only ever gets a draft.
    const draft = dialect.decode('json', stored) as unknown as DraftedMembers;
    const made = change(draft);
    return made === undefined ? undefined : dialect.encode('json', { ...draft, ...made });
  };
  const name = draftColumnOf(protocols);
  if (name === undefined) return;
  const column = sql.id(name);
  const rows = await transaction.rows<{ id: string; draft: SqlValue }>(
    compiledQuery(
      sql`select "id", ${column} as "draft" from ${sql.id(table)} where ${column} is not null order by "id"`,
      dialect,
    ),
  );
  for (const { id, draft } of rows) {
    const value = changed(draft);
    if (value === undefined) continue;
    const update = sql`update ${sql.id(table)} set ${column} = ${value} where "id" = ${id}`;
    await transaction.run(compiledQuery(update, dialect));
  }
  if (!isLocalized({ facts })) return;
  const translations = { table: languagesTable({ table }), column: name };
  await scanTranslations(transaction, dialect, translations, async ({ record, language, stored }) => {
    const value = changed(stored);
    if (value === undefined) return;
    const update = sql`update ${sql.id(translations.table)} set ${column} = ${value}
      where ${sql.id(languageColumns.row)} = ${record} and ${sql.id(languageColumns.language)} = ${language}`;
    await transaction.run(compiledQuery(update, dialect));
  });
}

const renamed = (members: Members, from: string, to: string): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name === from ? to : name, value]));
