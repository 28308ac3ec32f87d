import { badRequest } from '../base/problem.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import type { IncludeTree } from './include-tree.ts';
import { shownName } from './query-text.ts';
import type { ReadView } from './read-view.ts';

/** The fields that a request wants of each record, in the order of the type; null: all that the view shows. */
export type FieldSelection = readonly Field[] | null;

/** Reads `fields=title,slug`: fields that this view shows, in any order. `id` is always among them. */
export function readFieldSelection(text: string, type: ContentType, view: ReadView): FieldSelection {
  const readable = readableFields(type, view);
  const known = new Set(readable.map(({ name }) => name));
  const names = new Set(text.split(',').map((name) => name.trim()));
  for (const name of names) {
    if (known.has(name)) continue;
    throw badRequest(
      'invalid_parameter',
      `"fields" names "${shownName(name)}", which is no field of ${type.singular}.`,
    );
  }
  return readable.filter(({ name }) => name === 'id' || names.has(name));
}

/** The fields that a record is shown with: those of the selection, and those that `include` populates. */
export function shownFields(
  type: ContentType,
  view: ReadView,
  selection: FieldSelection,
  include: IncludeTree,
): readonly Field[] {
  const readable = readableFields(type, view);
  if (selection === null) return readable;
  const shown = new Set([...selection, ...include.map(({ field }) => field)]);
  return readable.filter((field) => shown.has(field));
}

/** Equal for equal selections of one type. */
export const selectionKey = (selection: FieldSelection): string =>
  selection === null ? '' : selection.map(({ name }) => name).join(',');
