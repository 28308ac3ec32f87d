import type { ContentTypeInfo, FieldDefinition } from '../../api/content-type-info.ts';

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const cascadesTo = ({ relation }: FieldDefinition, { singular, plural }: ContentTypeInfo): boolean =>
  isTable(relation) && relation.cascade === true && (relation.target === singular || relation.target === plural);

/** The types whose records belong to those of a type, by a relation with `cascade`, and those that belong to these. */
export function belongingTypes(type: ContentTypeInfo, all: readonly ContentTypeInfo[]): readonly ContentTypeInfo[] {
  const found: ContentTypeInfo[] = [];
  const pending = [type];
  for (const owner of pending) {
    for (const other of all) {
      if (found.includes(other) || !(other.definition.fields ?? []).some((field) => cascadesTo(field, owner))) continue;
      found.push(other);
      pending.push(other);
    }
  }
  return found;
}
