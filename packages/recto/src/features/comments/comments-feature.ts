import { commentType } from '../../builtin/comment-type.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { commentOperations } from './comment-operations.ts';

/** Comments on posts, in threads, with moderation. */
export const comments = defineFeature({
  name: 'comments',
  types: [commentType],
  async create({ settings: { commentsAutoApprove, rateLimit }, use }) {
    const { auth } = await use(accounts);
    const options = { auth, autoApprove: commentsAutoApprove, rateLimit };
    return { operations: ({ types, records }) => commentOperations({ types, records, ...options }) };
  },
});
