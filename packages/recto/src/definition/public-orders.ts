import type { ContentType, EndpointName } from './content-type.ts';
import { defaultSort } from './default-sort.ts';
import { readableFields } from './readable-fields.ts';
import { endpointViews } from './rights/read-view.ts';
import type { TypeDraft } from './type-draft.ts';

/** A public endpoint whose records come in the order of these columns, whatever the request asks for. */
interface PublicOrder {
  readonly endpoint: EndpointName;
  readonly what: string;
  readonly columns: readonly string[];
}

/** The orders that callers cannot choose. Lists take `sort` only by fields that they return. */
function publicOrders(type: ContentType): readonly PublicOrder[] {
  const list = { endpoint: 'list', what: 'the list', columns: defaultSort(type).map(({ column }) => column) } as const;
  const tree = type.facts.tree;
  // Where get does not return the parent, there are the routes of the tree for admins alone.
  const isWalked = tree !== undefined && isRead(type, 'get', tree.parent);
  return isWalked ? [list, { endpoint: 'get', what: 'the subtree', columns: [tree.position] }] : [list];
}

const isRead = (type: ContentType, endpoint: EndpointName, column: string): boolean =>
  readableFields(type, endpointViews[endpoint]).some(({ name }) => name === column);

/** The orders, one column each, of values that the endpoint does not return. An order reveals the values it sorts by. */
export const hiddenOrders = (type: ContentType): readonly (PublicOrder & { readonly column: string })[] =>
  publicOrders(type).flatMap((order) => {
    const { access } = type.endpoints[order.endpoint];
    // Nobody reads it, or only those who read everything by the admin routes.
    if (access === 'none' || access === 'admin') return [];
    const hidden = order.columns.filter((column) => !isRead(type, order.endpoint, column));
    return hidden.map((column) => ({ ...order, column }));
  });

/** Reports whitelists that leave out what the endpoint's records are ordered by. Private fields are for protocols to report. */
export function checkOrders({ report }: TypeDraft, type: ContentType): void {
  for (const { endpoint, what, column } of hiddenOrders(type)) {
    const field = type.field.get(column);
    if (field === undefined || field.private || field.type.secret) continue;
    report(
      `api.${endpoint}.fields`,
      `${what} is in the order of "${column}", which is not among these fields: the order would show what it holds`,
      `add "${column}", or remove the order by it`,
    );
  }
}
