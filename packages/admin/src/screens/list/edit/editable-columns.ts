import { localizedFields } from '../../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import type { ListField } from '../data/list-fields.ts';
import type { ListState } from '../data/list-state.ts';

/** The kinds of values that one line holds. */
const kinds: ReadonlySet<ListField['kind']> = new Set(['text', 'number', 'boolean', 'choice', 'date']);

/** The columns whose cells can be changed in the list: those that the form of a record would let this person write. */
export function editableColumns(
  type: ContentTypeInfo,
  columns: readonly ListField[],
  { deleted, asOf, language, missing }: ListState,
): ReadonlySet<string> {
  // What is shown is not the record as it is.
  if (!type.may.update || deleted || asOf !== '' || missing !== '') return new Set();
  const localized = new Set(localizedFields(type));
  const declared = new Map((type.definition.fields ?? []).map((field) => [field.name, field]));
  const entries = new Map(type.fields.map((field) => [field.name, field]));
  const isEditable = ({ name, kind, settable }: ListField): boolean =>
    settable &&
    kinds.has(kind) &&
    // A slug has an address behind it, and a text of many lines more than a cell.
    entries.get(name)?.field_type !== 'uid' &&
    entries.get(name)?.origin !== 'protocol' &&
    declared.get(name)?.immutable !== true &&
    (language === '' || localized.has(name));
  return new Set(columns.filter(isEditable).map(({ name }) => name));
}
