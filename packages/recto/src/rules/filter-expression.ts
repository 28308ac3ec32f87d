import { FilterObjectError, isFilterObject, writeFilterObject } from './filter-object.ts';
import type { Rule } from './rule.ts';
import { checkRule } from './rule-checker.ts';
import { RuleError } from './rule-error.ts';
import { type ExpressionLimits, parseRule } from './rule-parser.ts';
import { readsOf } from './rule-reads.ts';
import type { RuleScope } from './rule-scope.ts';
import { literalsToBind, shapeOf } from './rule-shape.ts';
import type { LiteralOperand, ParsedNode, ParsedOperand } from './rule-tree.ts';

/** A filter of a caller: a rule over what the caller's view shows. */
export interface FilterExpression {
  readonly rule: Rule;
  /** Equal for filters that one statement serves. */
  readonly shape: string;
  /** What is bound to that statement, in the same order for every filter of the shape. */
  readonly literals: readonly LiteralOperand[];
}

/** In UTF-8. */
export const longestFilter = 4_096;

/** A filter is planned for a request, so its bounds are narrower than those of a rule. */
export const filterLimits: ExpressionLimits = {
  what: 'A filter',
  characters: longestFilter,
  nesting: 32,
  conditions: 64,
  values: 500,
};

/** The length is that of the object: written out, the names of its fields are repeated. In JSON, exact numbers are strings. */
const objectLimits: ExpressionLimits = { ...filterLimits, characters: Number.POSITIVE_INFINITY, quotedNumbers: true };

/**
 * Parses a filter, an expression or a JSON object, and checks it against the fields of a view. Throws a RuleError with the place and a
 * remedy, or of an object a FilterObjectError.
 */
export function compileFilter(source: string, scope: RuleScope): FilterExpression {
  checkLength(source);
  if (!isFilterObject(source)) return compileText(source, scope, filterLimits);
  const { text, pathAt } = writeFilterObject(source);
  try {
    return compileText(text, scope, objectLimits);
  } catch (error) {
    throw error instanceof RuleError ? new FilterObjectError(error.reason, pathAt(error.position)) : error;
  }
}

/** Whether a filter is an object without any condition. */
export function isEmptyFilter(source: string): boolean {
  if (!isFilterObject(source)) return false;
  checkLength(source);
  return writeFilterObject(source).text === '';
}

function compileText(source: string, scope: RuleScope, limits: ExpressionLimits): FilterExpression {
  const parsed = parseRule(source, limits);
  for (const operand of operandsOf(parsed)) checkVariable(operand, source);
  const tree = checkRule(parsed, { scope, source, body: 'none' });
  return { rule: { source, tree, reads: readsOf(tree) }, shape: shapeOf(tree), literals: literalsToBind(tree) };
}

function checkLength(source: string): void {
  // A character has at most three bytes for each of its UTF-16 units.
  if (source.length * 3 <= longestFilter) return;
  let bytes = 0;
  let at = 0;
  for (const character of source) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestFilter) {
      throw new RuleError(`A filter has at most ${longestFilter} bytes.`, source, { start: at, end: at + 1 });
    }
    at += character.length;
  }
}

const operandsOf = (node: ParsedNode): readonly ParsedOperand[] => {
  switch (node.node) {
    case 'and':
    case 'or':
      return node.terms.flatMap(operandsOf);
    case 'comparison':
      return [node.left, node.right];
    case 'membership':
    case 'bare':
      return [node.operand];
  }
};

/** Whoever writes a filter knows what the request holds: only what they might not know is a variable. */
function checkVariable(operand: ParsedOperand, source: string): void {
  if (operand.node !== 'variable' || !/^@request(?!\.auth\b)/.test(operand.name)) return;
  const reason = 'Of the request, a filter reads only @request.auth, such as @request.auth.id: write the value itself.';
  throw new RuleError(reason, source, operand.span);
}
