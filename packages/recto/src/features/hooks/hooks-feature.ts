import { currentCaller } from '../../auth/current-caller.ts';
import { AfterDispatch } from '../../hooks/after-dispatch.ts';
import { AfterHooks } from '../../hooks/after-hooks.ts';
import { checkTypes } from '../../hooks/check-types.ts';
import { cronJobs } from '../../hooks/cron-jobs.ts';
import { beginHooks, DeployedCode } from '../../hooks/deployed-code.ts';
import { hookPhases, hookResults } from '../../hooks/hook-counts.ts';
import { writeHooks } from '../../hooks/write-hooks.ts';
import { checkedMessage } from '../../mail/checked-message.ts';
import { messageJob } from '../../mail/message-job.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { contentTypes } from '../content-types/content-types-feature.ts';
import { events } from '../events/events-feature.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { mail } from '../mail/mail-feature.ts';
import { customOperations } from './custom-operations.ts';
import { deployedCodeOf } from './deployed-code-of.ts';

/** The hooks, routes and scheduled jobs of a deployment. */
export const hooks = defineFeature({
  name: 'hooks',
  checks: [async ({ settings, types }) => (await import('./code-check.ts')).codeFinding(settings, types)],
  prepare: deployedCodeOf,
  async create({ settings, database, counters, log, use }, loaded) {
    checkTypes(loaded, (await use(contentTypes)).current.types);
    await beginHooks(database, loaded);
    const code = new DeployedCode(loaded);
    const { runner } = code;
    const queue = await use(jobs);
    const { auth } = await use(accounts);
    const { log: eventLog } = await use(events);
    if ((await use(mail)) !== undefined)
      runner.mail = async (mail) => {
        await queue.enqueue(messageJob, { kind: 'message', ...checkedMessage(mail) });
      };
    return {
      service: code,
      operations: ({ records }) =>
        customOperations(code.current.routes, { records, runner, counters: settings.rateLimit ? counters : null }),
      jobs({ records }) {
        const { hooks, jobs: crons } = code.current;
        const parts = {
          ...{ hooks, crons, records, events: eventLog, jobs: queue, runner, log },
          callerOf: (principal: Parameters<typeof currentCaller>[1]) => currentCaller(auth, principal),
        };
        const after = new AfterHooks(parts);
        return [new AfterDispatch(parts, after).kind, ...after.kinds, ...cronJobs(crons, { records, runner })];
      },
      writeHooks: (records) => writeHooks({ hooks: code.current.hooks, records, counts: code.counts }),
      metrics: [
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
      close: () => code.close(),
    };
  },
});
