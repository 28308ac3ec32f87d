import type { ContentType } from './content-type.ts';
import type { TreeColumns } from './protocol.ts';

/** The columns of a type's tree; undefined: its records do not stand below one another. */
export function treeOf({ protocols }: ContentType): TreeColumns | undefined {
  for (const { protocol, options } of protocols) {
    const tree = protocol.tree?.(options);
    if (tree !== undefined) return tree;
  }
  return undefined;
}
