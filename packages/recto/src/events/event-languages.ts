import type { ContentType } from '../definition/content-type.ts';
import type { LoggedEvent } from './logged-event.ts';

type Changed = Pick<LoggedEvent, 'action' | 'changed'>;

/** The field that a name in `changed` begins with, and the tag behind it: `title@de`, `seo.score`. */
const partsOf = (name: string): readonly [field: string, tag: string | undefined] => {
  const [path = '', tag] = name.split('@', 2);
  return [/^[^.[]*/.exec(path)?.[0] ?? '', tag];
};

/** The language that a name in `changed` is of; undefined: what it names is the same in all. */
export function languageOfName(type: ContentType, name: string): string | undefined {
  const [field, tag] = partsOf(name);
  if (tag !== undefined) return tag;
  return type.field.get(field)?.localized === true ? type.languages?.default.tag : undefined;
}

/** The tags of the languages whose words alone an event is about; undefined: it is about the record, in whatever language. */
export function languagesOfEvent(type: ContentType, { action, changed }: Changed): ReadonlySet<string> | undefined {
  if (type.languages === undefined || changed.length === 0 || action === 'create' || action === 'delete')
    return undefined;
  const tags = new Set<string>();
  for (const name of changed) {
    const tag = languageOfName(type, name);
    if (tag === undefined) return undefined;
    tags.add(tag);
  }
  return tags;
}

/** The one language whose words an event changes, as those who read events are given it; null: it changes none, or several. */
export function languageOfEvent(type: ContentType | undefined, event: Changed): string | null {
  if (type?.languages === undefined || event.action === 'create' || event.action === 'delete') return null;
  const tags = new Set(event.changed.flatMap((name) => languageOfName(type, name) ?? []));
  const [only = null, ...others] = tags;
  return others.length === 0 ? only : null;
}

/** Whether somebody who wants to hear of some languages alone wants to hear of an event. */
export function isOfLanguages(type: ContentType, event: Changed, wanted: ReadonlySet<string>): boolean {
  const tags = languagesOfEvent(type, event);
  return tags === undefined || [...tags].some((tag) => wanted.has(tag));
}
