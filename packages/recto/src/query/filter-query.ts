import { Problem } from '../base/problem.ts';
import { compileFilter, type FilterExpression } from '../rules/filter-expression.ts';
import { RuleError } from '../rules/rule-error.ts';
import type { RuleScope } from '../rules/rule-scope.ts';

/** Reads `filter=EXPRESSION`. Throws 400 `invalid_filter` with the place of the error. */
export function readFilterExpression(text: string, scope: RuleScope): FilterExpression {
  try {
    return compileFilter(text, scope);
  } catch (error) {
    if (error instanceof RuleError) throw invalidFilter(error.reason, [...text.slice(0, error.position)].length + 1);
    throw error;
  }
}

/** `position`: the character of the filter, from 1. */
export const invalidFilter = (detail: string, position: number): Problem =>
  new Problem(400, 'invalid_filter', detail, { position });
