import { type Command, Option } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import { jobStates } from '../jobs/job.ts';
import type { AnswerOptions } from './answer.ts';
import type { ListJobsOptions } from './jobs-command.ts';

const json = ['--json', 'print the result as JSON'] as const;
const id = ['<id>', 'its id, as "recto jobs list" shows it'] as const;

/** Adds `recto jobs`. */
export function addJobsCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const jobs = program
    .command('jobs')
    .description('Show and change the background work of the service.')
    .addHelpText('after', help);
  jobs
    .command('list')
    .description('List jobs, the newest first.')
    .addOption(new Option('--state <state>', 'those in this state alone').choices(jobStates))
    .option('--kind <kind>', 'those of this kind alone')
    .addOption(new Option('--limit <count>', 'how many').default('100'))
    .option(...json)
    .addHelpText('after', help)
    .action(async (options: ListJobsOptions) => {
      const { listJobs } = await import('./jobs-command.ts');
      ended(await listJobs(terminal, options));
    });
  jobs
    .command('retry')
    .description('Queue a job anew that failed or was cancelled, or let one that waits run now.')
    .argument(...id)
    .option(...json)
    .addHelpText('after', help)
    .action(async (job: string, options: AnswerOptions) => {
      const { retryJob } = await import('./jobs-command.ts');
      ended(await retryJob(terminal, job, options));
    });
  jobs
    .command('cancel')
    .description('End a job that waits or runs.')
    .argument(...id)
    .option(...json)
    .addHelpText('after', help)
    .action(async (job: string, options: AnswerOptions) => {
      const { cancelJob } = await import('./jobs-command.ts');
      ended(await cancelJob(terminal, job, options));
    });
}

const help = `
The service may run meanwhile; it notices a change within a second, and a job that runs ends within ten.

Examples:
  recto jobs list
  recto jobs list --state failed --json
  recto jobs retry 01a1fc4d-4e39-75e9-b87c-fc2731e697d2
  recto jobs cancel 01a1fc4d-4e39-75e9-b87c-fc2731e697d2

Exit codes:
  0  done
  1  failed, with the reason
  2  the command line is invalid`;
