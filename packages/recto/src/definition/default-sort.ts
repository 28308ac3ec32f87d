import type { ContentType } from './content-type.ts';
import type { SortTerm } from './protocol.ts';

/** The order of lists that ask for none: the first protocol that has one decides; empty: that of the records' creation. */
export function defaultSort(type: ContentType): readonly SortTerm[] {
  for (const { protocol, options } of type.protocols) {
    const sort = protocol.defaultSort?.(options);
    if (sort !== undefined) return sort;
  }
  return [];
}
