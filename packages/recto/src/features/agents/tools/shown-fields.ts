import type { ContentType, Field } from '../../../definition/content-type.ts';
import type { TypePermissions } from './known-type.ts';

/** Field types whose values are long. */
const long: ReadonlySet<string> = new Set(['richtext', 'markdown', 'json', 'group', 'list', 'blocks']);

/** Field types whose values cannot hold a sentence that somebody has written. */
const worded: ReadonlySet<string> = new Set(['text', 'email', 'uid', 'tags', 'url', ...long]);

/** Whether anybody may write records of a type without an account. */
const isVisitors = ({ endpoints, singular }: ContentType): boolean =>
  endpoints.create.access === 'public' || singular === 'comment';

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
