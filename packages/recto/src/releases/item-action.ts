import type { ContentType } from '../definition/content-type.ts';
import { publishedInLanguage, publishedStateOf } from '../definition/published-state.ts';
import { statusPayloadsOf } from '../records/batch/batch-action.ts';
import { type ItemAction, itemActions } from './release.ts';

/** The types whose records have screens and actions of their own. */
const others: ReadonlySet<string> = new Set(['media', 'comment']);

/** Whether records of a type can be in a release. */
export const isReleasable = ({ singular }: ContentType): boolean => !others.has(singular);

/**
 * What a release can do with the records of a type. Those without a published state are changed and deleted. In another language than the
 * default, `delete` is of what the record says there, and a state is set where each language has one.
 */
export function itemActionsOf(type: ContentType): readonly ItemAction[] {
  const states = statusPayloadsOf(type);
  if (sharesState(type)) return ['publish', 'delete'];
  return itemActions.filter((action) => {
    if (action === 'delete') return type.kind === 'collection' || type.shownIn !== undefined;
    return states.has(action) || (action === 'publish' && publishedStateOf(type.protocols) === undefined);
  });
}

/** What an action sets besides the changes of its item. */
export const statePayload = (type: ContentType, action: ItemAction): Readonly<Record<string, string>> =>
  action === 'delete' || sharesState(type) ? {} : (statusPayloadsOf(type).get(action) ?? {});

/** Whether a type is shown in a language that has no state of its own, but shares that of the record. */
export const sharesState = (type: ContentType): boolean =>
  type.shownIn !== undefined &&
  publishedStateOf(type.protocols) !== undefined &&
  publishedInLanguage(type) === undefined;
