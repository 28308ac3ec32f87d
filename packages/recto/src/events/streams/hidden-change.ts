import type { ContentType } from '../../definition/content-type.ts';
import { perType } from '../../definition/per-type.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import type { LoggedEvent } from '../logged-event.ts';

/** What a change of a stored record can mean to those who get it by the `get` endpoint. */
export type ShownChange =
  /** It looks the same, and the same callers see it. */
  | 'none'
  /** It looks the same; other callers may see it than before. */
  | 'visibility'
  | 'record';

/** By the names of the fields that were changed. */
export function shownChange(type: ContentType, { action, changed }: LoggedEvent): ShownChange {
  if (action === 'create' || action === 'delete') return 'record';
  const { shown, showsEveryChange, decides } = namesOf(type);
  const names = changed.filter((name) => !isOfHiddenLanguage(type, name)).map(fieldOf);
  if (showsEveryChange || names.some((name) => shown.has(name))) return 'record';
  return names.some((name) => decides.has(name)) ? 'visibility' : 'none';
}

/**
 * Whether a name is that of a value in another language, of a type whose languages are published one by one: streams send the default
 * language, and who does not see the other one is not to learn that it is being written.
 */
const isOfHiddenLanguage = (type: ContentType, name: string): boolean =>
  name.includes('@') && publishedInLanguage(type) !== undefined;

/** The field, whatever the language of its value: `title@de`. */
const fieldOf = (changed: string): string => changed.replace(/@.*$/, '');

const namesOf = perType((type) => {
  const { get } = type.endpoints;
  const shown = new Set(readableFields(type, endpointViews.get).map(({ name }) => name));
  const rules = [get.filter, get.filterAuth, ...type.visible.map(({ rule }) => rule)];
  const decides = new Set(rules.flatMap((rule) => [...(rule?.reads.fields ?? [])]));
  if (type.partition !== null) decides.add(type.partition);
  // Such as the time of the last change, which is no secret then.
  const showsEveryChange = [...type.facts.bookkeeping].some((name) => shown.has(name));
  return { shown, decides, showsEveryChange };
});
