import type { Rule } from './rule.ts';
import { readsOf } from './rule-reads.ts';
import type { CheckedNode } from './rule-tree.ts';

const span = { start: 0, end: 0 } as const;

/** `true = false` */
const never: CheckedNode = {
  node: 'comparison',
  operator: '=',
  left: { node: 'literal', kind: 'boolean', value: true, span },
  right: { node: 'literal', kind: 'boolean', value: false, span },
  span,
};

/**
 * What stands for a rule that does not compile: it holds for no record and no caller. No rule at all, which is what null
 * means, would hold for all.
 */
export const neverRule = (source: string): Rule =>
  Object.freeze({ source, tree: never, reads: readsOf(never), uncompiled: true });
