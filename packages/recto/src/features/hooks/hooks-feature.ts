import { currentCaller } from '../../auth/current-caller.ts';
import { AfterDispatch } from '../../hooks/after-dispatch.ts';
import { AfterHooks } from '../../hooks/after-hooks.ts';
import { cronJobs } from '../../hooks/cron-jobs.ts';
import { hookPhases, hookResults } from '../../hooks/hook-counts.ts';
import { checkedMessage } from '../../mail/checked-message.ts';
import { messageJob } from '../../mail/message-job.ts';
import { defineFeature } from '../feature.ts';
import { outboxOf } from '../mail/mail-outbox.ts';
import { customOperations } from './custom-operations.ts';

/** The hooks, routes and scheduled jobs of a deployment. */
export const hooks = defineFeature({
  name: 'hooks',
  operations(context) {
    const { code, records, settings, auth, jobs } = context;
    if (outboxOf(context) !== undefined)
      code.runner.mail = async (mail) => {
        await jobs.enqueue(messageJob, { kind: 'message', ...checkedMessage(mail) });
      };
    return customOperations(code.current.routes, {
      ...{ records, runner: code.runner },
      counters: settings.rateLimit ? auth.counters : null,
    });
  },
  jobs({ code, records, events, jobs, log, auth }) {
    const { hooks, jobs: crons } = code.current;
    const { runner } = code;
    const parts = { hooks, crons, records, events, jobs, runner, log };
    const after = new AfterHooks({ ...parts, callerOf: (principal) => currentCaller(auth, principal) });
    const dispatch = new AfterDispatch({ ...parts, callerOf: (principal) => currentCaller(auth, principal) }, after);
    return [dispatch.kind, ...after.kinds, ...cronJobs(crons, { records, runner })];
  },
  metrics: ({ code }) => [
    {
      name: 'recto_hook_runs_total',
      help: 'Runs of hooks, routes and jobs of the deployment, by phase and result.',
      type: 'counter',
      labelNames: ['phase', 'result'],
      read: () =>
        hookPhases.flatMap((phase) =>
          hookResults.map((result) => ({ labels: { phase, result }, value: code.counts.of(phase, result) })),
        ),
    },
  ],
});
