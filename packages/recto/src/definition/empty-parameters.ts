import { type AggregateParameter, aggregateFunctions } from './aggregate-parameters.ts';
import type { ListParameter } from './list-parameters.ts';

/** Parameters of lists and aggregates that mean the same when they are empty as when they are left out. */
export const absentIfEmpty: ReadonlySet<string> = new Set([
  'filter',
  'include',
  'fields',
  'sort',
  'search',
  'group',
  ...aggregateFunctions,
] satisfies (ListParameter | AggregateParameter)[]);
