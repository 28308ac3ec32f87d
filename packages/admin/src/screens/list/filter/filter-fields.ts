import type { ListedType, ListField } from '../data/list-fields.ts';
import { listFields } from '../data/list-fields.ts';

/** A field that conditions can name: one of the type, or one of a related record. */
export interface FilterField {
  readonly path: string;
  readonly label: string;
  readonly field: ListField;
}

/** The fields of a type, and those of records that its relations to one lead to. */
export function filterFields(
  type: ListedType,
  typeOf: (singular: string) => ListedType | undefined,
): readonly FilterField[] {
  const own = listFields(type).filter(({ filterable }) => filterable);
  const fields = own.map((field): FilterField => ({ path: field.name, label: field.label, field }));
  const related = own.flatMap((relation): readonly FilterField[] => {
    const target = relation.kind === 'relation' && relation.target !== null ? typeOf(relation.target) : undefined;
    if (target === undefined || target.singular === type.singular) return [];
    return listFields(target)
      .filter(({ filterable, kind }) => filterable && kind !== 'relation' && kind !== 'relations' && kind !== 'media')
      .map((field) => ({ path: `${relation.name}.${field.name}`, label: `${relation.label}: ${field.label}`, field }));
  });
  return [...fields, ...related];
}
