/** A list with the item of one place in another. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const rest = items.filter((_, index) => index !== from);
  const item = items.slice(from, from + 1);
  return [...rest.slice(0, to), ...item, ...rest.slice(to)];
}

/** A list with an item more, which then has this index. */
export const inserted = <T>(items: readonly T[], index: number, item: T): readonly T[] => [
  ...items.slice(0, index),
  item,
  ...items.slice(index),
];

/** A list without the item of this index. */
export const without = <T>(items: readonly T[], index: number): readonly T[] => items.filter((_, at) => at !== index);
