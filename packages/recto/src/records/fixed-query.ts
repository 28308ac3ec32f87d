import type { SqlValue } from '../base/bindings.ts';
import { anonymous } from '../base/caller.ts';
import type { Query } from '../database/database.ts';
import type { Plan } from './plan.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';

/** A plan that depends on nothing of the request but its values. */
export function fixed(context: RecordsContext, key: string, build: () => Plan, values: readonly SqlValue[]): Query {
  return context.plans.get(key, build).bind(new RequestBindings(anonymous, values));
}
