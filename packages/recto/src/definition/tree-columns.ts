import { perType } from './per-type.ts';
import type { TreeColumns } from './protocol.ts';

/** The columns of a type's tree; undefined: its records do not stand below one another. */
export const treeOf = perType(({ protocols }): TreeColumns | undefined => {
  for (const { protocol, options } of protocols) {
    const tree = protocol.tree?.(options);
    if (tree !== undefined) return tree;
  }
  return undefined;
});
