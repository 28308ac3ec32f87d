import { kinds } from '../values/kinds.ts';
import type { ScalarKind } from '../values/value-kind.ts';
import { checkLiteral } from './literal-check.ts';
import { closeOperand, kindNames, naturalKind, type OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import { openPath } from './rule-path.ts';
import type { RuleScope } from './rule-scope.ts';
import type {
  CheckedComparison,
  CheckedNode,
  ComparisonOperator,
  ParsedNode,
  ParsedOperand,
  Span,
} from './rule-tree.ts';
import { openVariable } from './rule-variable.ts';

interface Checking {
  readonly source: string;
  readonly scope: RuleScope;
}

type ParsedComparison = Extract<ParsedNode, { node: 'comparison' }>;

/** Resolves every name and determines every kind. Throws a RuleError at the first place that does not fit the scope. */
export function checkRule(tree: ParsedNode, scope: RuleScope, source: string): CheckedNode {
  return checkNode(tree, { source, scope });
}

function checkNode(node: ParsedNode, checking: Checking): CheckedNode {
  switch (node.node) {
    case 'and':
    case 'or':
      return { node: node.node, terms: node.terms.map((term) => checkNode(term, checking)), span: node.span };
    case 'comparison':
      return checkComparison(node, checking);
    case 'bare':
      return checkBare(open(node.operand, checking), checking);
  }
}

function open(operand: ParsedOperand, { scope, source }: Checking): OpenOperand {
  const { span } = operand;
  switch (operand.node) {
    case 'path':
      return openPath(operand, scope, source);
    case 'variable':
      return openVariable(operand.name, span, scope, source);
    case 'null':
      return { open: 'null', span };
    case 'string':
    case 'number':
    case 'boolean':
      return { open: 'literal', literal: operand, span };
  }
}

/** A condition of one operand asks whether that operand is true. */
function checkBare(operand: OpenOperand, { source }: Checking): CheckedComparison {
  const { span } = operand;
  const kind = naturalKind(operand);
  if (operand.open === 'null' || (kind !== undefined && kind !== 'boolean')) {
    const is = kind === undefined ? 'null' : kindNames[kind];
    throw new RuleError(`This is ${is} and no condition by itself: compare it with something.`, source, span);
  }
  const left = closeOperand(operand, 'boolean', source);
  return {
    node: 'comparison',
    operator: '=',
    left,
    right: { node: 'literal', kind: 'boolean', value: true, span },
    span,
  };
}

function checkComparison(node: ParsedComparison, checking: Checking): CheckedComparison {
  const { source } = checking;
  const { operator, span } = node;
  const left = open(node.left, checking);
  const right = open(node.right, checking);
  if (left.open === 'null') return checkNull(right, left.span, operator, span, source);
  if (right.open === 'null') return checkNull(left, right.span, operator, span, source);
  const shared = sharedKind(left, right, operator, source);
  const closed = {
    left: closeOperand(left, shared, source),
    right: closeOperand(right, shared, source),
  };
  if (!comparable(closed.left.kind, closed.right.kind)) {
    const kindsShown = `${kindNames[closed.left.kind]} with ${kindNames[closed.right.kind]}`;
    throw new RuleError(`An expression does not compare ${kindsShown}: both sides must be of one kind.`, source, span);
  }
  const comparison = { operator, source };
  const isPattern = operator === '~' || operator === '!~';
  return {
    node: 'comparison',
    operator,
    left: checkLiteral(closed.left, { open: right, closed: closed.right }, { ...comparison, isPattern: false }),
    right: checkLiteral(closed.right, { open: left, closed: closed.left }, { ...comparison, isPattern }),
    span,
  };
}

/** The kind that an operand without one of its own takes. A literal follows a typed side; where neither side has a kind, both are text. */
function sharedKind(left: OpenOperand, right: OpenOperand, operator: ComparisonOperator, source: string): ScalarKind {
  const sides = [left, right];
  const typed = sides.filter((side) => side.open === 'typed');
  const decisive = typed.length > 0 ? typed : sides.filter((side) => side.open === 'literal');
  for (const side of decisive) checkOperator(operator, naturalKind(side) ?? 'text', side.span, source);
  const shared = decisive.map(naturalKind).find((kind) => kind !== undefined);
  return sentKind(left, right) ?? sentKind(right, left) ?? shared ?? 'text';
}

/** A literal beside a field of the body is read as that field's kind, as the body's value will be. */
function sentKind(operand: OpenOperand, other: OpenOperand): ScalarKind | undefined {
  return operand.open === 'sent' && other.open === 'literal' ? operand.held?.kind : undefined;
}

function checkOperator(operator: ComparisonOperator, kind: ScalarKind, span: Span, source: string): void {
  switch (operator) {
    case '=':
    case '!=':
      return;
    case '~':
    case '!~':
      if (kind === 'text') return;
      throw new RuleError(`This is ${kindNames[kind]}: only text matches with ${operator}.`, source, span);
    case '>':
    case '>=':
    case '<':
    case '<=':
      if (kinds[kind].ordered) return;
      throw new RuleError(`This is ${kindNames[kind]}, which has no order: compare with = or !=.`, source, span);
  }
}

/** Integers compare with every other kind that holds them exactly; any other kind with itself alone. */
function comparable(left: ScalarKind, right: ScalarKind): boolean {
  if (left === right) return true;
  const other = left === 'integer' ? right : right === 'integer' ? left : undefined;
  return other === 'float' || other === 'bigint';
}

function checkNull(
  other: OpenOperand,
  nullSpan: Span,
  operator: ComparisonOperator,
  span: Span,
  source: string,
): CheckedComparison {
  if (operator !== '=' && operator !== '!=') {
    throw new RuleError(`Nothing is ${operator} null: compare with = null or != null.`, source, nullSpan);
  }
  if (other.open === 'json') {
    // In JSON a missing value and JSON null are the same to a rule.
    const { place, path } = other;
    const left = { node: 'json_isset', kind: 'boolean', place, path, span: other.span } as const;
    const value = operator === '!=';
    return {
      node: 'comparison',
      operator: '=',
      left,
      right: { node: 'literal', kind: 'boolean', value, span: nullSpan },
      span,
    };
  }
  const kind = naturalKind(other) ?? 'text';
  const left = closeOperand(other, kind, source);
  return { node: 'comparison', operator, left, right: { node: 'literal', kind, value: null, span: nullSpan }, span };
}
