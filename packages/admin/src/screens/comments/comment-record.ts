export const statuses = ['Pending', 'Approved', 'Rejected', 'Spam'] as const;
export type Status = (typeof statuses)[number];

/** What moderators do with a comment, and the status that it has then. */
export const decisions = { approve: 'Approved', reject: 'Rejected', spam: 'Spam', pending: 'Pending' } as const;
export type Decision = keyof typeof decisions;

/** What gives comments of a status their status back. */
export const decisionFor: Readonly<Record<Status, Decision>> = {
  Pending: 'pending',
  Approved: 'approve',
  Rejected: 'reject',
  Spam: 'spam',
};

export interface CommentRecord {
  readonly id: string;
  /** The id of the post that it is on. */
  readonly postId: string | null;
  readonly parentId: string | null;
  /** Who wrote what it answers. */
  readonly parentName: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly isAccount: boolean;
  readonly content: string;
  readonly status: Status;
  readonly createdAt: string;
}

type Members = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const members = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? { ...value } : undefined;

/** A record of the admin list, with what it answers included or by its id. */
export function commentRecord(record: Members): CommentRecord | undefined {
  const id = text(record.id);
  if (id === null) return undefined;
  const parent = members(record.parent_id);
  return {
    id,
    postId: text(record.post_id),
    parentId: parent === undefined ? text(record.parent_id) : text(parent.id),
    parentName: parent === undefined ? null : text(parent.nickname),
    name: text(record.nickname),
    email: text(record.email),
    isAccount: record.author_id !== null && record.author_id !== undefined,
    content: text(record.content) ?? '',
    status: statuses.find((status) => status === record.status) ?? 'Pending',
    createdAt: text(record.created_at) ?? '',
  };
}
