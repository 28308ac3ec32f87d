import type { CommentRecord } from './comment-record.ts';

export interface ThreadEntry {
  readonly comment: CommentRecord;
  /** 0 begins the thread. */
  readonly depth: number;
}

/** The thread that a comment stands in, from its beginning, each comment before its replies. */
export function threadOf(all: readonly CommentRecord[], id: string): readonly ThreadEntry[] {
  const byId = new Map(all.map((comment) => [comment.id, comment]));
  let root = byId.get(id);
  for (let above = root; above !== undefined; above = above.parentId === null ? undefined : byId.get(above.parentId))
    root = above;
  const entries: ThreadEntry[] = [];
  const add = (comment: CommentRecord, depth: number): void => {
    entries.push({ comment, depth });
    for (const reply of all) if (reply.parentId === comment.id) add(reply, depth + 1);
  };
  if (root !== undefined) add(root, 0);
  return entries;
}
