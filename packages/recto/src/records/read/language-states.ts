import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import { languageColumns } from '../../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { isTranslated, kindOf, localizedFields, storedColumn } from '../../definition/stored-field.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { RecordStatements } from '../statements/record-statements.ts';

/** What a record is in one language, to who edits it. */
export interface LanguageState {
  readonly language: string;
  readonly default: boolean;
  /** Whether it says anything in the language, of what the caller reads. The default language always does. */
  readonly exists: boolean;
  /** Whether the default language has changed since the translation was last written; false to who does not read all localized fields. */
  readonly outdated: boolean;
  /** When the translation was last written, as a canonical datetime; null for the default language, where there is none, and to who does not read all localized fields. */
  readonly changed_at: string | null;
  /** Whether there is a draft of it. */
  readonly draft: boolean;
  /** Of a type whose languages are published one by one: the state that it is in. */
  readonly status?: string | null;
  /** When the status changes by itself, as a canonical datetime. */
  readonly scheduled_at?: string | null;
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
  // When a translation was written says something of fields that the caller does not read.
  const readsAll = localizedFields(type).every((field) => readable.includes(field));
  const draft = readable.find(({ name }) => name === draftColumnOf(type.protocols))?.name;
  const { dialect } = database;
  const published = publishedInLanguage(type);
  const state = readable.find(({ name }) => name === published?.column);
  const planned = type.protocols.map(({ protocol, options }) => protocol.scheduled?.(options)?.at).find(Boolean);
  const time = state === undefined ? undefined : readable.find(({ name }) => name === planned);
  return types.languages.all.map(({ tag, isDefault }): LanguageState => {
    const row = isDefault ? record : byTag.get(tag);
    const isThere = (name: string): boolean => (row?.[name] ?? null) !== null;
    const exists = isDefault || words.some(isThere);
    const [changedAt, outdated] = [row?.[languageColumns.changedAt] ?? null, row?.[languageColumns.outdated] ?? null];
    const isTranslation = exists && !isDefault && readsAll;
    return {
      language: tag,
      default: isDefault,
      exists,
      outdated: isTranslation && outdated !== null && dialect.decode('boolean', outdated) === true,
      changed_at: isTranslation && changedAt !== null ? String(dialect.decode('datetime', changedAt)) : null,
      draft: draft !== undefined && isThere(draft),
      ...(state === undefined ? {} : { status: textOr(row?.[state.name] ?? state.default) }),
      ...(time === undefined ? {} : { scheduled_at: textOr(decoded(dialect, time, row?.[time.name])) }),
    };
  });
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const decoded = (dialect: Dialect, field: Field, value: SqlValue | undefined) =>
  value === undefined || value === null ? null : dialect.decode(kindOf(field), value);
