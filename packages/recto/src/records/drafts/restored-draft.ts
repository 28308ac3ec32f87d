import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload } from '../checks/payload.ts';
import { type Draft, draftedValues, draftsOf } from './draft.ts';

/** The draft of a record that is put back. */
export interface RestoredDraft {
  readonly field: Field;
  readonly value: FieldValue | null;
  readonly faults: readonly FieldFault[];
}

/**
 * The draft among the values of a record that is put back, with its own values checked and sanitised as those of the record are: they
 * are shown to editors before they are published. Fields that the type does not have any more are left out. Undefined: there is none.
 */
export function restoredDraft(
  type: ContentType,
  values: ReadonlyMap<Field, FieldValue | null>,
): RestoredDraft | undefined {
  const field = draftsOf(type)?.field;
  const draft = field && (values.get(field) ?? null);
  if (field === undefined || draft === null) return undefined;
  // True because the value was held against the schema of drafts.
  const { changes, base, ...by } = draft as unknown as Draft;
  const checked = checkedValues(type, changes);
  const faults = checked.faults.map((fault) => ({ ...fault, field: `${field.name}.changes.${fault.field}` }));
  const names = Object.keys(checked.values);
  if (names.length === 0) return { field, value: null, faults };
  const before = checkedValues(type, Object.fromEntries(Object.entries(base).filter(([name]) => names.includes(name))));
  return { field, value: { ...by, changes: checked.values, base: before.values }, faults };
}

function checkedValues(type: ContentType, sent: Draft['changes']) {
  const known = Object.entries(sent).filter(([name]) => type.field.has(name));
  const checked = checkPayload(type, Object.fromEntries(known), 'update');
  const values: Record<string, JsonValue> = Object.fromEntries(draftedValues(type, checked));
  return { values, faults: checked.faults };
}
