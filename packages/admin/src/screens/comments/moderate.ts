import { session } from '../../app/session.svelte.ts';
import { type CommentRecord, type Decision, type Status, statuses } from './comment-record.ts';

/** Gives comments a status: all of them or none. */
export async function decideAll(ids: readonly string[], decision: Decision): Promise<void> {
  await session.client.request('POST', '/admin/comments/batch', { body: { action: decision, ids } });
}

export const groupByStatus = (comments: readonly CommentRecord[]): readonly [Status, readonly CommentRecord[]][] =>
  statuses
    .map((status): [Status, readonly CommentRecord[]] => [status, comments.filter((each) => each.status === status)])
    .filter(([, same]) => same.length > 0);
