import { anonymous } from '../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import { notFound } from '../base/problem.ts';
import { includeKey, readInclude } from '../query/include-tree.ts';
import { type Answer, answerOf } from '../records/answer.ts';
import { withinBudget } from '../records/answer-budget.ts';
import type { Records } from '../records/records.ts';
import { RequestBindings } from '../records/request-bindings.ts';
import { weighOnce } from '../records/weigher.ts';
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
}

/**
 * A page of the threads of a post, `{items, total, page, page_size}`: each thread is a comment with its `replies`, oldest
 * first, and `total` counts the comments in all threads. The same for everyone who asks. 404 where the public does not see the post.
 */
export function listComments(records: Records, asked: ThreadsPage): MaybePromise<Answer> {
  const { budget } = records;
  const { slug, page, pageSize, offset, skipTotal } = asked;
  const { types } = records;
  const include = asked.include === '' ? [] : readInclude(asked.include, types.get('comment'), 'get', types);
  const shape = includeKey(include);
  const plan = records.plan(`threads|${shape}`, (...parts) => buildThreadsPlan(...parts, include));
  const make = (): MaybePromise<Answer> => {
    const bindings = new RequestBindings(anonymous, [slug, pageSize, offset]);
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
  const key = `threads|${shape}|${page}|${pageSize}|${skipTotal}|${slug}`;
  return records.remembered(key, plan.reads.types, make);
}
