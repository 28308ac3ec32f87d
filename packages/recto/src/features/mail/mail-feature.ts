import { messageKind } from '../../mail/message-job.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { checkTemplates } from './check-templates.ts';
import { mailOperations } from './mail-operations.ts';
import { outboxOf } from './mail-outbox.ts';

/** Mails that are sent by jobs. It offers the outbox, or undefined where mail is off. */
export const mail = defineFeature({
  name: 'mail',
  checks: [async ({ settings }) => (await import('./mail-check.ts')).mailFinding(settings)],
  prepare: ({ settings }) => checkTemplates(settings),
  async create(core) {
    const outbox = outboxOf(core);
    const queue = await core.use(jobs);
    return {
      service: outbox,
      operations: () => mailOperations(outbox, queue),
      jobs: () => (outbox === undefined ? [] : [messageKind(outbox)]),
    };
  },
});
