import type { ContentType, Field } from '../../../definition/content-type.ts';
import type { TypePermissions } from './known-type.ts';

/** Field types whose values are long. */
const long: ReadonlySet<string> = new Set(['richtext', 'json', 'group', 'list', 'blocks']);

/** Field types whose values can hold a sentence that somebody has written. */
const worded: ReadonlySet<string> = new Set(['text', 'email', 'uid', 'tags', ...long]);

/** Whether anybody may write records of a type without an account. */
const isVisitors = ({ endpoints }: ContentType): boolean => endpoints.create.access === 'public';

/**
 * The fields of an answer for which none were named. What visitors have written, such as comments, is given only where it is named: an
 * agent that looks for something else does not read what somebody has left there for it. In lists, long fields are left out too.
 */
export function shownFields(type: ContentType, may: TypePermissions, of: 'one' | 'many'): readonly string[] {
  const visitors = isVisitors(type);
  const isShown = ({ type: { name } }: Field): boolean =>
    !(visitors && worded.has(name)) && !(of === 'many' && long.has(name));
  return type.fields.filter((field) => may.read.includes(field.name) && isShown(field)).map(({ name }) => name);
}
