import { anonymous } from '../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import { notFound } from '../base/problem.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { endpointViews } from '../definition/rights/read-view.ts';
import { invalidFilter, readGivenFilter } from '../query/filter-query.ts';
import { filterScope } from '../query/filter-scope.ts';
import { includeKey, readFieldSelection, readInclude, selectionKey } from '../query/record-parts.ts';
import { type Answer, answerOf, withinBudget } from '../records/answers/answer.ts';
import { filterExpressionValues } from '../records/plans/filter-condition.ts';
import { RequestBindings } from '../records/plans/plan.ts';
import type { Records } from '../records/records.ts';
import { weighOnce } from '../records/select/response-size-limit.ts';
import type { FilterExpression } from '../rules/filter-expression.ts';
import { buildThreadsPlan } from './comment-threads.ts';

export interface ThreadsPage {
  /** The post's slug. */
  readonly slug: string;
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
  /** Leaves out the counting; `total` is then -1. */
  readonly skipTotal: boolean;
  /** Relations of comments to populate, as `include` names them; empty: none. */
  readonly include: string;
  /** The fields of comments to return, as a list names them; empty: all. */
  readonly fields: string;
  /** An expression over the comments that begin threads; empty: none. */
  readonly filter: string;
}

/** Throws 400 `invalid_filter`, also for a filter that depends on who asks. */
function readThreadsFilter(text: string, types: ContentTypes): FilterExpression | null {
  const filter = readGivenFilter(text, filterScope(types.get('comment'), endpointViews.get, types)) ?? null;
  if (filter === null || filter.rule.reads.auth.size === 0) return filter;
  const detail = 'Threads are the same for every caller: a filter on them cannot read @request.auth.';
  throw invalidFilter(detail, [...text.slice(0, text.indexOf('@request.auth'))].length + 1);
}

/**
 * A page of the threads of a post, `{items, total, page, page_size}`: each thread is a comment with its `replies`, oldest
 * first, and `total` counts the comments in all threads. The same for everyone who asks. 404 where the public does not see the post.
 */
export function listComments(records: Records, asked: ThreadsPage): MaybePromise<Answer> {
  const { budget } = records;
  const { slug, page, pageSize, offset, skipTotal } = asked;
  const { types } = records;
  const comment = types.get('comment');
  const include = asked.include === '' ? [] : readInclude(asked.include, comment, endpointViews.get, types);
  const fields = asked.fields === '' ? null : readFieldSelection(asked.fields, comment, endpointViews.get);
  const filter = asked.filter === '' ? null : readThreadsFilter(asked.filter, types);
  const shape = `${includeKey(include)}|${selectionKey(fields)}|${filter?.shape ?? ''}`;
  const plan = records.plan(`threads|${shape}`, (...parts) => buildThreadsPlan(...parts, { include, fields, filter }));
  const filtered = filter === null ? [] : filterExpressionValues(filter, records.database.dialect);
  const make = (): MaybePromise<Answer> => {
    const bindings = new RequestBindings(anonymous, [slug, ...filtered, pageSize, offset]);
    const reader = records.database.reader(plan.reads.types);
    const weighed = weighOnce({ plan: plan.weight, bindings, reader }, budget);
    return mapMaybe(weighed, () =>
      mapMaybe(reader.first<{ items: string }>(plan.items.bind(bindings)), (row) => {
        if (row === undefined) throw notFound('There is no such post.');
        const counted = skipTotal ? { total: -1 } : reader.first<{ total: number | bigint }>(plan.total.bind(bindings));
        return mapMaybe(counted, (found) => {
          const total = Number(found?.total ?? 0);
          const text = `{"items":${row.items},"total":${total},"page":${page},"page_size":${pageSize}}`;
          return answerOf(withinBudget(text, budget));
        });
      }),
    );
  };
  // What the passing of time alone can change is not remembered.
  if (plan.reads.now) return make();
  const key = `threads|${shape}|${page}|${pageSize}|${skipTotal}|${JSON.stringify([slug, ...filtered.map(String)])}`;
  return records.remembered(key, plan.reads.types, make);
}
