import type { RawBuilder } from 'kysely';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { ListQuery } from '../../query/list-query.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import type { PlanContext } from '../plans/visibility.ts';
import { Projection } from '../select/projection.ts';
import type { RowShape } from './list-rows.ts';

interface Listed {
  readonly record: RawBuilder<string>;
  readonly reads: PlanReads;
}

const known = new WeakMap<ContentTypes, Map<string, Listed>>();

/**
 * The JSON of the records of a list, in row `alias`. With all fields and without included records it is the same for every list of a view,
 * whatever it is filtered by: it is made once, because a new filter should be planned in little time.
 */
export function listedRecord(
  shape: RowShape & { readonly query: Pick<ListQuery, 'include' | 'fields'> },
  alias: string,
  context: PlanContext,
): RawBuilder<string> {
  const { type, types, view, authenticated, tenant, query } = shape;
  const { include, fields } = query;
  if (include.length > 0 || fields !== null)
    return new Projection(types, context).record(type, alias, view, { include, fields });
  const listed = known.get(types) ?? new Map<string, Listed>();
  known.set(types, listed);
  const form = context.form === undefined || context.form === 'as_defined' ? context.form : 'guarded';
  const key = [context.dialect.name, type.singular, view, alias, authenticated, tenant, form].join('|');
  const found = listed.get(key) ?? made(shape, alias, context);
  listed.set(key, found);
  context.reads.all(found.reads);
  return found.record;
}

function made({ type, types, view }: RowShape, alias: string, context: PlanContext): Listed {
  const reads = new ReadsCollector();
  const record = new Projection(types, { ...context, reads }).record(type, alias, view);
  return { record, reads: reads.done() };
}
