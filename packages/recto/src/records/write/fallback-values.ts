import { isDeepStrictEqual } from 'node:util';
import type { SqlValue } from '../../base/bindings.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { withoutPrivate } from '../../definition/structure/private-members.ts';
import { type CheckedPayload, copyOf } from '../checks/payload.ts';
import { languageMembers } from '../plans/shown-languages.ts';
import { jsonValue } from '../revisions/revision-body.ts';
import { decodeRow } from '../statements/record-statements.ts';
import type { RecordWriter } from './record-writer.ts';

/** A payload as it was sent to a record that a language shows. */
interface SentInLanguage {
  readonly type: ContentType;
  readonly view: ReadView;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * The changes without what the sender was shown of other languages and sends back as it is: the values of fields that `__fallback`
 * names. They do not become what this language says.
 */
export async function withoutFallbacks(
  writer: RecordWriter,
  transaction: Transaction,
  { type, view, payload }: SentInLanguage,
  current: StoredRecord,
  sent: CheckedPayload,
): Promise<CheckedPayload> {
  const named = payload[languageMembers.fallback];
  if (type.shownIn === undefined || !Array.isArray(named)) return sent;
  const { base, read } = type.shownIn;
  const isMeant = (field: Field) => field.localized === true && (current[field.name] ?? null) === null;
  const fields = readableFields(type, view).filter((field) => named.includes(field.name) && isMeant(field));
  const returned = fields.filter((field) => sent.values.has(field));
  if (returned.length === 0) return sent;
  const { statements, context } = writer;
  const { languages } = context.types;
  const id = String(current.id);
  const row = await transaction.first<Record<string, SqlValue>>(statements.row(base, id));
  const rows = await transaction.rows<Record<string, SqlValue>>(statements.languages.all(base, id));
  const inDefault = row === undefined ? {} : decodeRow(base, row, context.database.dialect);
  const translations = statements.languages.decode(base, rows);
  const published = read.audience === 'public' ? publishedInLanguage(base) : undefined;
  const state = base.field.get(published?.column ?? '');
  /** Whether a language in this state says anything to the sender. */
  const isSaid = (value: FieldValue | null | undefined): boolean =>
    published === undefined || value === published.value;
  const fallback = ({ name }: Field) => {
    const field = base.field.get(name);
    for (const { tag, isDefault } of languages.fallbacksOf(read.language)) {
      if (!isSaid(isDefault ? inDefault[state?.name ?? ''] : state && translations.get(tag)?.get(state))) continue;
      const value = isDefault ? inDefault[name] : field && translations.get(tag)?.get(field);
      if (value !== undefined && value !== null) return jsonValue(value);
    }
    return null;
  };
  const own = copyOf(sent);
  for (const field of returned) {
    const shown = readsPrivate(view) ? fallback(field) : withoutPrivate(field, fallback(field));
    if (isDeepStrictEqual(jsonValue(sent.values.get(field) ?? null), shown)) own.values.delete(field);
  }
  return { ...own, faults: sent.faults };
}
