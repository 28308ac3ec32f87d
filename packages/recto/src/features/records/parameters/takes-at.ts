import type { ContentType } from '../../../definition/content-type.ts';

/** The parameter that asks how records will stand at a time. */
export const atName = 'at';

/** Whether a type's admin routes take it: a type with a field of that name is filtered by that. */
export const takesAt = (type: ContentType): boolean => !type.field.has(atName);
