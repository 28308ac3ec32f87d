import type { Field } from '../../definition/content-type.ts';
import { perType } from '../../definition/per-type.ts';
import { isSearchable } from '../../definition/searched-field.ts';

/** Whether a field's words are in the search index. Those of private fields are not: nothing that is found can betray them. */
export const isSearched = (field: Field): boolean => field.place.shape === 'column' && isSearchable(field);

/** The fields whose words are in a type's search index; a type without any has no index. */
export const searchedFields = perType((type): readonly Field[] => type.fields.filter(isSearched));
