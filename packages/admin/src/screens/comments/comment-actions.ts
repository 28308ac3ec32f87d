import { type Decision, decisions, type Status } from './comment-record.ts';

export type CommentAction = Decision | 'reply' | 'delete';

/** The key of each action, as it is shown. */
export const actionKeys: Readonly<Record<CommentAction, string>> = {
  approve: 'A',
  reject: 'X',
  spam: 'S',
  pending: 'P',
  reply: 'R',
  delete: 'D',
};

const all: readonly CommentAction[] = ['approve', 'reject', 'spam', 'pending', 'reply', 'delete'];

const isDecision = (action: CommentAction): action is Decision => action in decisions;

/** What can be done with a comment: nothing that it has already. */
export const actionsFor = (status: Status): readonly CommentAction[] =>
  all.filter((action) => !isDecision(action) || decisions[action] !== status);

/** The action of a key that is pressed alone. */
export const actionOfKey = (key: string): CommentAction | undefined =>
  all.find((action) => actionKeys[action].toLowerCase() === key.toLowerCase());
