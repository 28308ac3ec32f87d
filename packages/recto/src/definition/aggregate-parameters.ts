/** The parameters of an aggregate that say which records it is about. */
const rowParameters = ['filter', 'search'] as const;

/** What is computed of the values of a field. */
export const aggregateFunctions = ['sum', 'avg', 'min', 'max'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

/**
 * The parameters of aggregates. A field may have one of these names, unless it is a list's parameter too; it is filtered by
 * with `filter=`.
 */
export const aggregateParameters = ['group', 'count', ...aggregateFunctions, 'sort', ...rowParameters] as const;
export type AggregateParameter = (typeof aggregateParameters)[number];
