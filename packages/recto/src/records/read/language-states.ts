import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import { languageColumns } from '../../definition/languages/languages-table.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { isTranslated, storedColumn } from '../../definition/stored-field.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { RecordStatements } from '../statements/record-statements.ts';

/** What a record is in one language, to who edits it. */
export interface LanguageState {
  readonly language: string;
  readonly default: boolean;
  /** Whether it says anything in the language, of what the caller reads. The default language always does. */
  readonly exists: boolean;
  /** Whether the default language has changed since the translation was last written. */
  readonly outdated: boolean;
  /** When the translation was last written, as a canonical datetime; null for the default language, and where there is none. */
  readonly changed_at: string | null;
  /** Whether there is a draft of it. */
  readonly draft: boolean;
}

export interface StatesRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
}

type Row = Readonly<Record<string, SqlValue>>;

/** What a record is in each language of the service, in their order. Whether the caller may get the record has been checked. */
export async function languageStates(
  { types, database }: ReadContext,
  statements: RecordStatements,
  executor: Executor,
  { type, caller, id }: StatesRequest,
): Promise<readonly LanguageState[]> {
  const record = await executor.first<Row>(statements.row(type, id));
  if (record === undefined) throw notFound();
  const rows = await executor.rows<Row>(statements.languages.all(type, id));
  const byTag = new Map(rows.map((row) => [String(row[languageColumns.language]), row]));
  const readable = readableFields(type, viewFor('admin', caller, types));
  const words = readable.filter(isTranslated).map((field) => storedColumn(field) ?? field.name);
  const draft = readable.find(({ name }) => name === draftColumnOf(type.protocols))?.name;
  const { dialect } = database;
  return types.languages.all.map(({ tag, isDefault }): LanguageState => {
    const row = isDefault ? record : byTag.get(tag);
    const isThere = (name: string): boolean => (row?.[name] ?? null) !== null;
    const exists = isDefault || words.some(isThere);
    const [changedAt, outdated] = [row?.[languageColumns.changedAt] ?? null, row?.[languageColumns.outdated] ?? null];
    const isTranslation = exists && !isDefault;
    return {
      language: tag,
      default: isDefault,
      exists,
      outdated: isTranslation && outdated !== null && dialect.decode('boolean', outdated) === true,
      changed_at: isTranslation && changedAt !== null ? String(dialect.decode('datetime', changedAt)) : null,
      draft: draft !== undefined && isThere(draft),
    };
  });
}
