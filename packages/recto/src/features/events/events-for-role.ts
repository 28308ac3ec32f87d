import type { Caller } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import { editorRights } from '../../definition/rights/role-rights.ts';
import type { LoggedEvent } from '../../events/logged-event.ts';

/** What a caller is shown of an event; undefined where it would say something of what they may not read. */
export type EventFilter = (event: LoggedEvent) => LoggedEvent | undefined;

/** The singular names of the types whose events a caller may see; undefined: all. */
export function loggedTypes(caller: Caller, types: ContentTypes): readonly string[] | undefined {
  const rights = rightsOf(caller, types.roles);
  if (rights.key === editorRights.key) return undefined;
  // Where a rule decides, the log does not know which records it held for.
  return types.all.filter((type) => rights.of(type).rows.get === 'all').map(({ singular }) => singular);
}

/** Leaves out the names of fields that the caller's role does not read, and updates of such fields alone. */
export function eventFilter(caller: Caller, types: ContentTypes): EventFilter {
  const rights = rightsOf(caller, types.roles);
  if (rights.key === editorRights.key) return (event) => event;
  const bySingular = new Map(types.all.map((type) => [type.singular, type]));
  return (event) => {
    const type = bySingular.get(event.type);
    if (type === undefined) return undefined;
    const known = rights.of(type);
    const changed = event.changed.filter((name) => {
      // `title@de`: what is said in German is read by who reads the field.
      const path = name.replace(/@.*$/, '');
      const field = type.field.get(/^[^.[]*/.exec(path)?.[0] ?? '');
      // A path leads into a structured field, to what may be private.
      return field !== undefined && known.reads(field) && (path === field.name || rights.readsPrivateMembers);
    });
    return changed.length === 0 && event.changed.length > 0 ? undefined : { ...event, changed };
  };
}
