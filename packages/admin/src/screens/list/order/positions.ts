/** A record with its place in an order that people make. */
export interface Placed {
  readonly id: string;
  readonly position: number | null;
}

export interface NewPosition {
  readonly id: string;
  readonly position: number;
}

/** The list with one item somewhere else. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const [item] = items.slice(from, from + 1);
  return item === undefined ? items : items.toSpliced(from, 1).toSpliced(to, 0, item);
}

const known = (order: readonly Placed[]): readonly number[] =>
  order.flatMap(({ position }) => (position === null ? [] : [position])).toSorted((a, b) => a - b);

/** Whether each record has a place, and none that another one has. */
export function isStrict(order: readonly Placed[]): boolean {
  const places = known(order);
  return places.length === order.length && new Set(places).size === places.length;
}

/**
 * The positions that bring records into this order: those that they have together, given anew, so that records which are not in the
 * list keep theirs. Only those that change are returned.
 */
export function newPositions(order: readonly Placed[]): readonly NewPosition[] {
  const places = known(order);
  const keepsPlaces = isStrict(order);
  const start = places[0] ?? 0;
  return order.flatMap(({ id, position }, index) => {
    const next = keepsPlaces ? (places[index] ?? index) : start + index;
    return next === position ? [] : [{ id, position: next }];
  });
}
