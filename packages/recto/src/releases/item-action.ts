import type { ContentType } from '../definition/content-type.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { statusPayloadsOf } from '../records/batch/batch-action.ts';
import { type ItemAction, itemActions } from './release.ts';

/** The types whose records have screens and actions of their own. */
const others: ReadonlySet<string> = new Set(['media', 'comment']);

/** Whether records of a type can be in a release. */
export const isReleasable = ({ singular }: ContentType): boolean => !others.has(singular);

/** What a release can do with the records of a type. Those without a published state are changed and deleted. */
export function itemActionsOf(type: ContentType): readonly ItemAction[] {
  const states = statusPayloadsOf(type);
  return itemActions.filter((action) => {
    if (action === 'delete') return type.kind === 'collection';
    return states.has(action) || (action === 'publish' && publishedStateOf(type.protocols) === undefined);
  });
}

/** What an action sets besides the changes of its item. */
export const statePayload = (type: ContentType, action: ItemAction): Readonly<Record<string, string>> =>
  action === 'delete' ? {} : (statusPayloadsOf(type).get(action) ?? {});
