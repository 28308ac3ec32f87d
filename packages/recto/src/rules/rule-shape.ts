import {
  type CheckedComparison,
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type Place,
  type RequestOperand,
} from './rule-tree.ts';

export type LiteralOperand = Extract<RequestOperand, { node: 'literal' }>;

/**
 * The literals of which a statement depends on nothing but their kinds, in the order of the tree. The others are part of
 * the shape: null and booleans decide on the SQL, and what is compared without a record is decided as it is bound.
 */
export const literalsToBind = (node: CheckedNode): readonly LiteralOperand[] =>
  node.node === 'comparison' ? literalsOf(node) : node.terms.flatMap(literalsToBind);

function literalsOf({ left, right }: CheckedComparison): readonly LiteralOperand[] {
  if (isRequestOperand(left) && isRequestOperand(right)) return [];
  return [left, right].filter((operand) => operand.node === 'literal').filter(isBound);
}

const isBound = ({ value }: LiteralOperand): boolean => value !== null && typeof value !== 'boolean';

/** Equal for trees over one scope that make the same statement: all of a tree but the values of `literalsToBind`. */
export function shapeOf(node: CheckedNode): string {
  if (node.node !== 'comparison') return `(${node.terms.map(shapeOf).join(node.node === 'and' ? '&' : '|')})`;
  const bound = new Set<CheckedOperand>(literalsOf(node));
  const side = (operand: CheckedOperand) => (bound.has(operand) ? `?${operand.kind}` : operandShape(operand));
  return `${side(node.left)}${node.operator}${side(node.right)}`;
}

function operandShape(operand: CheckedOperand): string {
  switch (operand.node) {
    case 'literal':
      return `${operand.kind} ${typeof operand.value === 'bigint' ? operand.value : JSON.stringify(operand.value)}`;
    case 'auth':
      return `@${operand.name}`;
    case 'now':
      return '@now';
    case 'sent':
      return `@${operand.from}.${operand.name} ${operand.kind}`;
    case 'column':
    case 'text_length':
    case 'column_isset':
      return `${operand.node} ${placeShape(operand.place)}`;
    case 'json_value':
    case 'json_length':
    case 'json_isset':
      return `${operand.node} ${operand.kind} ${placeShape(operand.place)}/${operand.path.join('.')}`;
    case 'related_count':
    case 'related_isset':
      return `${operand.node} ${placeShape(operand.related)}`;
  }
}

const placeShape = ({ steps, field }: Pick<Place, 'steps' | 'field'>): string =>
  [...steps.map((step) => step.field), field].join('.');
