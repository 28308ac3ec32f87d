import { commentType } from '../../builtin/comment-type.ts';
import { defineFeature } from '../feature.ts';
import { commentOperations } from './comment-operations.ts';

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
