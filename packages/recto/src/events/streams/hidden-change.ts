import type { ContentType } from '../../definition/content-type.ts';
import { saidName } from '../../definition/languages/languages-table.ts';
import { perType } from '../../definition/per-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import { languageOfName } from '../event-languages.ts';
import type { LoggedEvent } from '../logged-event.ts';

/** What a change of a stored record can mean to those who get it by the `get` endpoint. */
export type ShownChange =
  /** It looks the same, and the same callers see it. */
  | 'none'
  /** It looks the same; other callers may see it than before. */
  | 'visibility'
  | 'record';

/** By the names of the fields that were changed. `languages`: the tags of those that they see; absent: all. */
export function shownChange(
  type: ContentType,
  { action, changed }: Pick<LoggedEvent, 'action' | 'changed'>,
  languages?: ReadonlySet<string>,
): ShownChange {
  if (action === 'create' || action === 'delete') return 'record';
  const { shown, showsEveryChange, decides } = namesOf(type);
  const own = changed.filter((name) => isOf(languages, languageOfName(type, name)));
  const names = own.map(fieldOf);
  const isElsewhere = own.length === 0 && changed.length > 0;
  if ((showsEveryChange && !isElsewhere) || names.some((name) => shown.has(name))) return 'record';
  const decidesByLanguages = decides.has(saidName) && changed.some((name) => name.includes('@'));
  return decidesByLanguages || names.some((name) => decides.has(name)) ? 'visibility' : 'none';
}

const isOf = (languages: ReadonlySet<string> | undefined, tag: string | undefined): boolean =>
  languages === undefined || tag === undefined || languages.has(tag);

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
