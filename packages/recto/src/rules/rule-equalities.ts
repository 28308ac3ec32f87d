import type { Rule } from './rule.ts';
import { type CheckedComparison, type CheckedNode, isRequestOperand } from './rule-tree.ts';

/**
 * The record's own columns that a rule compares by `=` with a value of the rule or the request, for each alternative:
 * `status = "open" || owner = @request.auth.id && kind = "x"` has `[status]` and `[owner, kind]`. An alternative without
 * any narrows nothing. Used to choose indexes, and to read a list in ranges.
 */
export const equalColumns = (rule: Rule): readonly (readonly string[])[] =>
  ruleAlternatives(rule.tree).map((node) => {
    const terms = node.node === 'and' ? node.terms : [node];
    return terms.flatMap((term) => (term.node === 'comparison' ? equalColumn(term) : []));
  });

/** The terms of a rule's outermost `||`. */
export const ruleAlternatives = (node: CheckedNode): readonly CheckedNode[] =>
  node.node === 'or' ? node.terms.flatMap(ruleAlternatives) : [node];

function equalColumn({ operator, left, right }: CheckedComparison): readonly string[] {
  if (operator !== '=') return [];
  const [operand, value] = isRequestOperand(left) ? [right, left] : [left, right];
  if (operand.node !== 'column' || operand.place.steps.length > 0 || operand.lower || !isRequestOperand(value))
    return [];
  // Where most records have null, looking for null is no faster by an index.
  return value.node === 'literal' && value.value === null ? [] : [operand.place.column];
}
