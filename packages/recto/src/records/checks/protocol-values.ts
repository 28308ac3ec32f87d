import type { ContentType } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { ActiveProtocol, ChangedValues, StoredRecord } from '../../definition/protocol.ts';
import type { RecordChanges } from './payload.ts';

/** The values of changes by the names of their fields. */
export function valuesByName({ values }: Pick<RecordChanges, 'values'>): ChangedValues {
  const named: Record<string, FieldValue | null> = {};
  for (const [{ name }, value] of values) named[name] = value;
  return named;
}

/** Puts the values that each protocol decides over those that were sent, and over those of the protocols before it. */
export function applyProtocols(
  type: ContentType,
  changes: RecordChanges,
  decide: (active: ActiveProtocol, changed: ChangedValues) => ChangedValues | undefined,
): void {
  for (const active of type.protocols) {
    const values = decide(active, valuesByName(changes));
    if (values !== undefined) applyValues(type, changes, values);
  }
}

/** Puts values over those that are there. */
export function applyValues(type: ContentType, changes: RecordChanges, values: ChangedValues): void {
  for (const [name, value] of Object.entries(values)) {
    const field = type.field.get(name);
    if (field !== undefined) changes.values.set(field, value);
  }
}

/** A complete record of a type: the id, the changes, and null for every other column. */
export function wholeRecord(type: ContentType, id: string, changes: RecordChanges): StoredRecord {
  const record: Record<string, FieldValue | null> = {};
  for (const { name } of type.facts.columns) record[name] = null;
  return Object.assign(record, valuesByName(changes), { id });
}
