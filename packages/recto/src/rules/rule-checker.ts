import { kinds } from '../values/kinds.ts';
import type { ScalarKind } from '../values/value-kind.ts';
import { anyRemedy, anySides, memberRemedy, refuseMany } from './any-of.ts';
import { checkChange } from './body-change.ts';
import { completeEscapes } from './like.ts';
import { checkLiteral, checkSides } from './literal-check.ts';
import { asDate } from './moment.ts';
import { closeLiteral, closeOperand, kindNames, naturalKind, type OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import { openPath } from './rule-path.ts';
import type { Checking } from './rule-scope.ts';
import type {
  CheckedAny,
  CheckedComparison,
  CheckedMembership,
  CheckedNode,
  CheckedOperand,
  ComparisonOperator,
  ParsedNode,
  ParsedOperand,
  Span,
} from './rule-tree.ts';
import { openVariable } from './rule-variable.ts';

type ParsedComparison = Extract<ParsedNode, { node: 'comparison' }>;
type ParsedMembership = Extract<ParsedNode, { node: 'membership' }>;

/** Resolves every name and determines every kind. Throws a RuleError at the first place that does not fit the scope. */
export function checkRule(node: ParsedNode, checking: Checking): CheckedNode {
  switch (node.node) {
    case 'and':
    case 'or':
      return { node: node.node, terms: node.terms.map((term) => checkRule(term, checking)), span: node.span };
    case 'comparison':
      return checkChange(node, checking) ?? checkComparison(node, checking);
    case 'membership':
      return checkMembership(node, checking);
    case 'bare':
      return checkChange(node, checking) ?? checkBare(open(node.operand, checking), checking);
  }
}

function open(operand: ParsedOperand, checking: Checking): OpenOperand {
  const { scope, source } = checking;
  const { span } = operand;
  switch (operand.node) {
    case 'path':
      return openPath(operand, scope, source);
    case 'variable':
      return openVariable(operand, checking);
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
  refuseMany(operand, source, () => `write ${source.slice(span.start, span.end)} ?= true`);
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

function checkComparison(node: ParsedComparison, checking: Checking): CheckedComparison | CheckedAny {
  const { source } = checking;
  const { operator, any, span } = node;
  checkEscapes(node.left, source);
  if (operator !== '~' && operator !== '!~') checkEscapes(node.right, source);
  const sides = { left: open(node.left, checking), right: open(node.right, checking) };
  if (any) {
    const { item, through, ...single } = anySides(sides, operator, span, source);
    return { node: 'any', through, item, comparison: compareSides(single, operator, span, source), span };
  }
  for (const side of [sides.left, sides.right]) {
    refuseMany(side, source, () => anyRemedy(sides, operator, source));
  }
  return compareSides(sides, operator, span, source);
}

function compareSides(
  sides: { readonly left: OpenOperand; readonly right: OpenOperand },
  operator: ComparisonOperator,
  span: Span,
  source: string,
): CheckedComparison {
  const isPattern = operator === '~' || operator === '!~';
  const [left, right] = asDays(sides.left, sides.right);
  if (left.open === 'null') return checkNull(right, left.span, operator, span, source);
  if (right.open === 'null') return checkNull(left, right.span, operator, span, source);
  for (const side of [left, right]) refuseList(side, source);
  const shared = sharedKind(left, right, operator, source);
  const closed = {
    left: closeOperand(left, shared, source),
    right: closeOperand(right, shared, source),
  };
  // A body's value for a field is of that field's kind, whatever it is read as.
  const compared = { left: sentKind(left) ?? closed.left.kind, right: sentKind(right) ?? closed.right.kind };
  if (!comparable(compared.left, compared.right)) {
    const kindsShown = `${kindNames[compared.left]} with ${kindNames[compared.right]}`;
    throw new RuleError(
      `An expression does not compare ${kindsShown}: both sides must be of one kind.${dayRemedy(closed.left, closed.right)}`,
      source,
      span,
    );
  }
  checkSides(left, right, span, source);
  const comparison = { operator, source };
  return {
    node: 'comparison',
    operator,
    left: checkLiteral(closed.left, { open: right, closed: closed.right }, { ...comparison, isPattern: false }),
    right: asPattern(
      checkLiteral(closed.right, { open: left, closed: closed.left }, { ...comparison, isPattern }),
      isPattern,
    ),
    span,
  };
}

function refuseList(side: OpenOperand, source: string): void {
  if (side.open !== 'sent' || side.held?.isList !== true) return;
  throw new RuleError(`"${side.name}" is a list: compare it with null.`, source, side.span);
}

const asPattern = (operand: CheckedOperand, isPattern: boolean): CheckedOperand =>
  isPattern && operand.node === 'literal' && typeof operand.value === 'string'
    ? { ...operand, value: completeEscapes(operand.value) }
    : operand;

/** The beginning of a day compares with a date as that day. */
function asDays(left: OpenOperand, right: OpenOperand): readonly [OpenOperand, OpenOperand] {
  const dated = (side: OpenOperand, other: OpenOperand): OpenOperand => {
    if (side.open !== 'typed' || side.operand.node !== 'now' || naturalKind(other) !== 'date') return side;
    const operand = asDate(side.operand);
    return operand === undefined ? side : { ...side, operand };
  };
  return [dated(left, right), dated(right, left)];
}

const dayRemedy = (left: CheckedOperand, right: CheckedOperand): string =>
  [left, right].some(({ node }) => node === 'now') && [left, right].some(({ kind }) => kind === 'date')
    ? ' Write @today for the day, and @today - 7d for a week before it.'
    : '';

/** In any other place than a pattern they would be a backslash and the character. */
function checkEscapes(operand: ParsedOperand, source: string): void {
  if (operand.node !== 'string' || operand.pattern === undefined) return;
  const reason = 'Only the pattern of ~ or !~ has the escapes \\% and \\_: write the character itself.';
  throw new RuleError(reason, source, operand.pattern);
}

/** `in` says of each value what `=` says, `not in` what `!=` says. */
function checkMembership(node: ParsedMembership, checking: Checking): CheckedMembership {
  const { source } = checking;
  const { negated, span } = node;
  const operand = open(node.operand, checking);
  refuseMany(operand, source, () => memberRemedy(node.operand, node.items[0], source));
  if (operand.open === 'literal' || operand.open === 'null') {
    throw new RuleError('Before in or not in stands a field or a variable.', source, operand.span);
  }
  const [first] = node.items;
  const decisive = first === undefined ? 'text' : (naturalKind({ open: 'literal', literal: first, span }) ?? 'text');
  refuseList(operand, source);
  const kind = naturalKind(operand) ?? decisive;
  const closed = closeOperand(operand, kind, source);
  const operator = negated ? '!=' : '=';
  const items = node.items.map((item) => {
    checkEscapes(item, source);
    const literal = closeLiteral(item, kind, source);
    return checkLiteral(literal, { open: operand, closed }, { operator, source, isPattern: false });
  });
  // A literal that is checked stays one.
  return { node: 'membership', negated, operand: closed, items: items.filter((item) => item.node === 'literal'), span };
}

const sentKind = (side: OpenOperand): ScalarKind | undefined => (side.open === 'sent' ? naturalKind(side) : undefined);

/** What decides the kind of a comparison, the first of these that is there. */
const deciding = [
  (side: OpenOperand) => side.open === 'typed',
  // A body's value for a field is read as the field's kind.
  (side: OpenOperand) => sentKind(side) !== undefined,
  (side: OpenOperand) => side.open === 'literal',
];

/** The kind that an operand without one of its own takes. Where neither side has a kind, both are text. */
function sharedKind(left: OpenOperand, right: OpenOperand, operator: ComparisonOperator, source: string): ScalarKind {
  const sides = [left, right];
  const decisive = deciding.map((decides) => sides.filter(decides)).find(({ length }) => length > 0) ?? [];
  for (const side of decisive) checkOperator(operator, naturalKind(side) ?? 'text', side.span, source);
  return decisive.map(naturalKind).find((kind) => kind !== undefined) ?? 'text';
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
  if (left.node === 'json_item') {
    throw new RuleError('An item that is null does not count: compare with a value, or write :isset.', source, span);
  }
  if (isNeverNull(left)) throw new RuleError('This is never null.', source, span);
  return { node: 'comparison', operator, left, right: { node: 'literal', kind, value: null, span: nullSpan }, span };
}

/** What has a value for every record and in every request. */
function isNeverNull({ node }: CheckedOperand): boolean {
  switch (node) {
    case 'column_isset':
    case 'json_isset':
    case 'related_isset':
    case 'text_length':
    case 'json_length':
    case 'related_count':
    case 'was_sent':
    case 'now':
      return true;
    case 'column':
    case 'json_value':
    case 'json_item':
    case 'literal':
    case 'auth':
    case 'language':
    case 'sent':
      return false;
  }
}
