import { Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { compileFilter, type FilterExpression } from '../rules/filter-expression.ts';
import { RuleError } from '../rules/rule-error.ts';
import { filterScope } from './filter-scope.ts';
import type { ReadView } from './read-view.ts';

/** Reads `filter=EXPRESSION`. Throws 400 `invalid_filter` with the place of the error. */
export function readFilterExpression(
  text: string,
  { type, types, view }: { readonly type: ContentType; readonly types: ContentTypes; readonly view: ReadView },
): FilterExpression {
  try {
    return compileFilter(text, filterScope(type, view, types));
  } catch (error) {
    if (error instanceof RuleError) throw invalidFilter(error.reason, [...text.slice(0, error.position)].length + 1);
    throw error;
  }
}

/** `position`: the character of the filter, from 1. */
export const invalidFilter = (detail: string, position: number): Problem =>
  new Problem(400, 'invalid_filter', detail, { position });
