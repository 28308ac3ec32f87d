import { anonymous } from '../../base/caller.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Records } from '../../records/records.ts';
import { orMoved } from '../records/redirects/moved-response.ts';

/** Answers a request about the comments of a post, whose slug may be a former one. */
export function orMovedPost(
  records: Records,
  context: RequestContext,
  respond: () => MaybePromise<Response>,
  path = '/api/v1/posts/{slug}/comments',
): MaybePromise<Response> {
  const post = records.types.get('post');
  // Its comments are the same for every caller, and so is which posts have any. The parameters are about comments.
  const moved = { type: post, caller: anonymous, slug: context.param('slug'), search: '', sent: context.search, path };
  return orMoved(records, moved, respond);
}
