import type { ListField } from '../data/list-fields.ts';

/** A choice with more values is chosen from in the filter. */
const mostValues = 6;
/** Whether a list has any, before their code is loaded. */
export const hasQuickFilters = (fields: readonly ListField[]): boolean => fields.some(isQuick);

/** Whether a field suggests one. */
export function isQuick(field: ListField): boolean {
  if (!field.filterable) return false;
  switch (field.kind) {
    case 'boolean':
      return true;
    case 'choice':
      return field.values.length > 0 && field.values.length <= mostValues;
    case 'media':
      return !field.required;
    case 'id':
      return field.isAccount && ownFields.has(field.name);
    case 'relation':
      return field.target === 'users';
    default:
      return false;
  }
}

/** Who wrote a record, not who changed it last. */
const ownFields: ReadonlySet<string> = new Set(['created_by', 'author_id']);
