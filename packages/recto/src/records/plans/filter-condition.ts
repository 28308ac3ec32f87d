import type { RawBuilder } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { invalidFilter } from '../../query/filter-query.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import { type Narrowing, narrowingOf } from '../../rules/rule-narrowing.ts';
import type { RelatedVisibility } from '../../rules/rule-record-sql.ts';
import { ruleToSql } from '../../rules/rule-sql.ts';
import type { ValuePlaces } from './sql-parts.ts';
import { type PlanContext, relatedCondition } from './visibility.ts';

/** A filter in a statement. */
export interface FilterCondition {
  readonly condition: RawBuilder<boolean>;
  /** Where the filter leads through relations: from which of their records the rows can be found. */
  readonly narrowing: Narrowing | undefined;
}

/**
 * A filter as a condition on the rows of `alias`. Related records are those that `include` would show this caller. Takes a
 * place for each of `filterExpressionValues`.
 */
export function filterExpressionCondition(
  filter: FilterExpression,
  { types, view, alias }: { readonly types: ContentTypes; readonly view: ReadView; readonly alias: string },
  context: PlanContext,
  places: ValuePlaces,
): FilterCondition {
  context.reads.rule(filter.rule);
  const seen: RelatedVisibility = (singular, row) => relatedCondition(types.get(singular), view, row, context);
  const bound = new Map(filter.literals.map((literal) => [literal, context.dialect.rules.plannedOnce(places.take())]));
  const condition = ruleToSql(filter.rule, alias, context.dialect.rules, { seen, bound });
  // Without relations there are no other values than the filter's own.
  if (filter.rule.reads.types.size === 0) return { condition, narrowing: undefined };
  checkSize(condition, context.dialect);
  const indexed = (singular: string, name: string): boolean => {
    const field = types.get(singular).field.get(name);
    return field !== undefined && (field.indexed || field.unique || field.type.alwaysUnique);
  };
  return { condition, narrowing: narrowingOf(filter.rule, alias, context.dialect.rules, { seen, bound, indexed }) };
}

export const filterExpressionValues = ({ literals }: FilterExpression, dialect: Dialect): SqlValue[] =>
  literals.flatMap(({ kind, value }) => (value === null ? [] : [dialect.rules.encode(kind, value)]));

/**
 * Values of one filter, with those of the rules of the records on its paths. A page may hold the condition several times,
 * and a statement has at most 32,766 on SQLite.
 */
const mostParameters = 2_000;

function checkSize(condition: RawBuilder<boolean>, { builder }: Dialect): void {
  if (condition.compile(builder).parameters.length <= mostParameters) return;
  const detail = 'The filter goes through too many relations, whose rules all have to be checked: compare fewer paths.';
  throw invalidFilter(detail, 1);
}
