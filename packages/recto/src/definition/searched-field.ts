import type { Field } from './field-type.ts';
import { innerFields } from './structure/structure-items.ts';

/** Whether a field holds text that search finds. Private text is never found: nothing that is found can betray it. */
export const isSearchable = (field: Field): boolean =>
  field.type.searchable &&
  !field.private &&
  (field.structure === undefined || innerFields(field).some((inner) => isSearchedInside(inner)));

/** Whether a field inside another is plain text that search finds. */
const isSearchedInside = ({ field, isPrivate }: ReturnType<typeof innerFields>[number]): boolean =>
  field.type.searchable && field.structure === undefined && !isPrivate;
