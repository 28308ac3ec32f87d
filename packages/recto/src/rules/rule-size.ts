import type { CheckedNode, CheckedOperand } from './rule-tree.ts';
import { isRequestOperand } from './rule-tree.ts';

/** The tables that a rule or a filter may read in all: of more, no database makes a plan in little time. */
export const mostTables = 400;
/** The tables that one comparison may read: SQLite joins 64, some of which the statement around it needs. */
export const mostTablesInOne = 50;

/** The tables that the condition reads besides that of its own record. An item of a JSON value is looked for in a table for each member of the path. */
export interface RuleSize {
  readonly tables: number;
  /** Of the largest comparison. */
  readonly inOne: number;
}

export function ruleSize(node: CheckedNode): RuleSize {
  switch (node.node) {
    case 'and':
    case 'or': {
      const sizes = node.terms.map(ruleSize);
      return {
        tables: sizes.reduce((sum, { tables }) => sum + tables, 0),
        inOne: Math.max(0, ...sizes.map(({ inOne }) => inOne)),
      };
    }
    case 'comparison':
      return both(operandTables(node.left) + operandTables(node.right));
    case 'membership':
      return both(operandTables(node.operand));
    case 'any': {
      const through = node.through.reduce((sum, hop) => sum + (hop.to === 'many' && hop.link !== undefined ? 2 : 1), 0);
      return both(through + operandTables(node.comparison.left) + operandTables(node.comparison.right));
    }
  }
}

const both = (tables: number): RuleSize => ({ tables, inOne: tables });

function operandTables(operand: CheckedOperand): number {
  if (isRequestOperand(operand)) return 0;
  const steps = 'related' in operand ? operand.related.steps.length + 1 : operand.place.steps.length;
  return steps + (operand.node === 'json_item' ? operand.path.length + 1 : 0);
}

/** Why a rule or a filter of this size is not taken; undefined for one that is. `what`: `A rule`. */
export function tooLarge(node: CheckedNode, what: string): string | undefined {
  const { tables, inOne } = ruleSize(node);
  if (inOne > mostTablesInOne)
    return `A comparison reads at most ${mostTablesInOne} tables through relations and members of JSON; one of these reads ${inOne}.`;
  if (tables > mostTables)
    return `${what} reads at most ${mostTables} tables through relations; this one reads ${tables}.`;
  return undefined;
}
