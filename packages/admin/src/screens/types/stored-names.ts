import type { DraftDefinition, DraftField } from './definition.ts';

/** What a field of a type is called where its values are stored. Copies of the field keep it; JSON leaves it out. */
const storedName = Symbol('stored name');

interface StoredField extends DraftField {
  readonly [storedName]?: string | undefined;
}

/** A definition as it was read, of which each field knows its name. */
export function withStoredNames(definition: DraftDefinition): DraftDefinition {
  const { fields } = definition;
  if (fields === undefined) return definition;
  return { ...definition, fields: fields.map((field): StoredField => ({ ...field, [storedName]: field.name })) };
}

/** The stored name of a field that has another one in the draft: its values stay where they are. */
export function earlierName(field: StoredField): string | undefined {
  const name = field[storedName];
  return name === field.name ? undefined : name;
}

/** `next` as what `field` was until now. */
export const inPlaceOf = (field: StoredField, next: DraftField): StoredField => ({
  ...next,
  [storedName]: field[storedName],
});
