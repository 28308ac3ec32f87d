import {
  type CheckedAny,
  type CheckedComparison,
  type CheckedMembership,
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type LiteralOperand,
  type Place,
} from './rule-tree.ts';

/**
 * The literals of which a statement depends on nothing but their kinds, in the order of the tree. The others are part of
 * the shape: null and booleans decide on the SQL, and what is compared without a record is decided as it is bound.
 */
export function literalsToBind(node: CheckedNode): readonly LiteralOperand[] {
  switch (node.node) {
    case 'and':
    case 'or':
      return node.terms.flatMap(literalsToBind);
    case 'comparison':
    case 'membership':
      return literalsOf(node);
    case 'any':
      return literalsOf(node.comparison);
  }
}

function literalsOf(node: CheckedComparison | CheckedMembership): readonly LiteralOperand[] {
  if (node.node === 'membership') return isRequestOperand(node.operand) ? [] : node.items.filter(isBound);
  const { left, right } = node;
  if (isRequestOperand(left) && isRequestOperand(right)) return [];
  return [left, right].filter((operand) => operand.node === 'literal').filter(isBound);
}

const isBound = ({ value }: LiteralOperand): boolean => value !== null && typeof value !== 'boolean';

/** Equal for trees over one scope that make the same statement: all of a tree but the values of `literalsToBind`. */
export function shapeOf(node: CheckedNode): string {
  switch (node.node) {
    case 'and':
      return `(${node.terms.map(shapeOf).join('&')})`;
    case 'or':
      return `(${node.terms.map(shapeOf).join('|')})`;
    case 'comparison': {
      const side = sideShape(node);
      return `${side(node.left)}${node.operator}${side(node.right)}`;
    }
    case 'any':
      return `${throughShape(node)}${node.item} ?${shapeOf(node.comparison)}`;
    case 'membership': {
      const side = sideShape(node);
      return `${side(node.operand)}${node.negated ? ' not' : ''} in [${node.items.map(side).join()}]`;
    }
  }
}

function sideShape(node: CheckedComparison | CheckedMembership): (operand: CheckedOperand) => string {
  const bound = new Set<CheckedOperand>(literalsOf(node));
  return (operand) => (bound.has(operand) ? `?${operand.kind}` : operandShape(operand));
}

function operandShape(operand: CheckedOperand): string {
  switch (operand.node) {
    case 'literal':
      return `${operand.kind} ${typeof operand.value === 'bigint' ? operand.value : JSON.stringify(operand.value)}`;
    case 'auth':
      return `@${operand.name}${lowerShape(operand)}`;
    case 'language':
      return `@language ${operand.otherwise}${lowerShape(operand)}`;
    case 'now':
      return `@now ${operand.kind} ${operand.day} ${operand.shift}`;
    case 'sent':
    case 'was_sent':
      return `${operand.node} ${operand.from}.${operand.name} ${operand.kind}${lowerShape(operand)}`;
    case 'column':
    case 'text_length':
    case 'column_isset':
      return `${operand.node} ${placeShape(operand.place)}${lowerShape(operand)}`;
    case 'json_value':
    case 'json_item':
    case 'json_length':
    case 'json_isset':
      return `${operand.node} ${operand.kind} ${placeShape(operand.place)}/${operand.path.join('.')}${lowerShape(operand)}`;
    case 'related_count':
    case 'related_isset':
      return `${operand.node} ${placeShape(operand.related)}`;
  }
}

const throughShape = ({ through }: CheckedAny): string => through.map(({ field }) => `${field}.`).join('');

const lowerShape = (operand: CheckedOperand): string => ('lower' in operand && operand.lower === true ? ' lower' : '');

const placeShape = ({ steps, field }: Pick<Place, 'steps' | 'field'>): string =>
  [...steps.map((step) => step.field), field].join('.');
