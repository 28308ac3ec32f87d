import { messageKind } from '../../mail/message-job.ts';
import { defineFeature } from '../feature.ts';
import { mailOperations } from './mail-operations.ts';
import { outboxOf } from './mail-outbox.ts';

/** Mails that are sent by jobs. */
export const mail = defineFeature({
  name: 'mail',
  operations: (context) => mailOperations(outboxOf(context), context.jobs),
  jobs: (context) => {
    const outbox = outboxOf(context);
    return outbox === undefined ? [] : [messageKind(outbox)];
  },
});
