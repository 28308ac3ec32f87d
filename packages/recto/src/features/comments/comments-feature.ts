import { commentType } from '../../builtin/comment-type.ts';
import { commentOperations } from '../../http/comments/comment-operations.ts';
import { defineFeature } from '../feature.ts';

/** Comments on posts, in threads, with moderation. */
export const comments = defineFeature({
  name: 'comments',
  types: [commentType],
  operations: ({ types, records, auth, settings }) =>
    commentOperations({
      types,
      records,
      auth,
      autoApprove: settings.commentsAutoApprove,
      rateLimit: settings.rateLimit,
    }),
});
