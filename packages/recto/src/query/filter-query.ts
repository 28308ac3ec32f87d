import { Problem } from '../base/problem.ts';
import { compileFilter, type FilterExpression, isEmptyFilter } from '../rules/filter-expression.ts';
import { FilterObjectError } from '../rules/filter-object.ts';
import { RuleError } from '../rules/rule-error.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import { tooLarge } from '../rules/rule-size.ts';

/** Reads a filter, an expression or a JSON object. Throws 400 `invalid_filter` with the place of the error, 400 `filter_too_costly`. */
export const readFilterExpression = (text: string, scope: RuleScope): FilterExpression =>
  withPlace(text, () => affordable(text, scope));

/** The same, of a parameter. Undefined: an object without conditions, which asks for nothing. */
export const readGivenFilter = (text: string, scope: RuleScope): FilterExpression | undefined =>
  withPlace(text, () => (isEmptyFilter(text) ? undefined : affordable(text, scope)));

function affordable(text: string, scope: RuleScope): FilterExpression {
  const expression = compileFilter(text, scope);
  const reason = tooLarge(expression.rule.tree, 'A filter');
  if (reason !== undefined) throw new Problem(400, 'filter_too_costly', reason, { position: 1 });
  return expression;
}

function withPlace<Result>(text: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RuleError) throw invalidFilter(error.reason, [...text.slice(0, error.position)].length + 1);
    if (!(error instanceof FilterObjectError)) throw error;
    const { message, path } = error;
    throw path === '' ? invalidFilter(message, 1) : new Problem(400, 'invalid_filter', message, { path });
  }
}

/** `position`: the character of the filter, from 1. */
export const invalidFilter = (detail: string, position: number): Problem =>
  new Problem(400, 'invalid_filter', detail, { position });

/** Where the error of a filter is, for a message. */
export const filterPlace = ({ path, position }: Problem): string => path ?? `character ${position}`;
