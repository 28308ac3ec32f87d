import type { Rule } from './rule.ts';
import { type CheckedComparison, type CheckedNode, isRequestOperand } from './rule-tree.ts';

/**
 * The columns of the record's own that a rule holds equal to a value of the rule or the request, alternative by alternative:
 * `status = "open" || owner = @request.auth.id && kind = "x"` has `[status]` and `[owner, kind]`. One alternative that names
 * none is as good as no rule. For choosing indexes, and what a list is told of by parts.
 */
export const equalColumns = (rule: Rule): readonly (readonly string[])[] =>
  ruleAlternatives(rule.tree).map((node) => {
    const terms = node.node === 'and' ? node.terms : [node];
    return terms.flatMap((term) => (term.node === 'comparison' ? equalColumn(term) : []));
  });

/** What a rule is, one or another of: the terms of its outermost `||`. */
export const ruleAlternatives = (node: CheckedNode): readonly CheckedNode[] =>
  node.node === 'or' ? node.terms.flatMap(ruleAlternatives) : [node];

function equalColumn({ operator, left, right }: CheckedComparison): readonly string[] {
  if (operator !== '=') return [];
  const [operand, value] = isRequestOperand(left) ? [right, left] : [left, right];
  if (operand.node !== 'column' || operand.place.steps.length > 0 || !isRequestOperand(value)) return [];
  // What most records lack finds few of them no faster.
  return value.node === 'literal' && value.value === null ? [] : [operand.place.column];
}
