import Type, { type Static } from 'typebox';
import { type Caller, callerId, callerRole } from '../../base/caller.ts';
import { conflict, notFound } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { pageSchema, readResponses, unchanged } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import { type Job, jobStates } from '../../jobs/job.ts';
import type { JobFilter } from '../../jobs/job-statements.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { isPeriodicKey } from '../../jobs/periodic-jobs.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const root = '/api/v1/admin/jobs';
const common = { tag: 'jobs', security: 'bearer', roles: ['admin', 'editor'], right: { any: true } } as const;

/** The address of a job, for a 202. */
export const jobPath = (id: string): string => `${root}/${id}`;

const listParameters = Type.Object({
  ...pageParameters,
  state: Type.Optional(Type.Enum([...jobStates], { description: 'Only jobs in this state.' })),
  kind: Type.Optional(Type.String({ maxLength: 200, description: 'Only jobs of this kind.' })),
});

export const jobSchema = Type.Object(
  {
    id: recordId,
    kind: Type.String({ description: 'What it does, such as `records.scheduled_updates`.' }),
    state: Type.Enum([...jobStates]),
    priority: Type.Integer({ description: 'Of those that are due, the highest goes first.' }),
    run_at: Type.String({ format: 'date-time', description: 'When it runs, or ran, at the earliest.' }),
    attempts: Type.Integer({ minimum: 0 }),
    max_attempts: Type.Integer({ minimum: 1 }),
    progress: nullable(
      Type.Object(
        { done: Type.Integer({ minimum: 0 }), total: nullable(Type.Integer({ minimum: 0 })) },
        { additionalProperties: false },
      ),
    ),
    result: Type.Unknown({ description: 'What it returned; null until it is done.' }),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    scheduled: Type.Boolean({ description: 'It runs by a schedule of the service, and cannot be cancelled.' }),
    created_by: nullable(Type.String({ description: 'The account or API token; null: the service itself.' })),
    created_at: timeSchema,
    started_at: nullable(timeSchema),
    finished_at: nullable(timeSchema),
  },
  { $id: 'Job', additionalProperties: false },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : timeOf(milliseconds);

/** A job as the API shows it. Its payload is for the service alone. */
export const jobJson = (job: Job): Static<typeof jobSchema> => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  priority: job.priority,
  run_at: timeOf(job.runAt),
  attempts: job.attempts,
  max_attempts: job.maxAttempts,
  progress: job.progress,
  result: job.result,
  error: job.error,
  scheduled: isPeriodicKey(job.key),
  created_by: job.createdBy,
  created_at: timeOf(job.createdAt),
  started_at: timeOrNull(job.startedAt),
  finished_at: timeOrNull(job.finishedAt),
});

/** What a caller may see: an admin all (of their tenant), anyone else their own. */
const visibleTo = (caller: Caller): JobFilter => ({
  ...(caller.tenant === undefined ? {} : { tenant: caller.tenant }),
  ...(callerRole(caller) === 'admin' ? {} : { createdBy: callerId(caller) ?? '' }),
});

const noSuchJob = () => notFound('There is no such job.');
const jobResponse = { description: 'The job.', schema: jobSchema };

/** Background work: for admins, and for those who asked for it. */
export function jobOperations(jobs: Jobs, maxPageSize: number): readonly Operation[] {
  const { store } = jobs;
  const find = async (context: RequestContext): Promise<Job> => {
    const { tenant, createdBy } = visibleTo(context.caller);
    const job = await store.get(context.param('id'));
    if (job === undefined || (tenant !== undefined && job.tenant !== tenant)) throw noSuchJob();
    if (createdBy !== undefined && job.createdBy !== createdBy) throw noSuchJob();
    return job;
  };
  return [
    {
      ...common,
      id: 'listJobs',
      method: 'GET',
      path: root,
      summary: 'List background jobs',
      description: 'The newest first. Editors get those that they asked for.',
      query: { schema: listParameters, validation: 'schema' },
      responses: readResponses('One page of jobs.', pageSchema('JobList', jobSchema)),
      problems: [400, 503],
      handle: async ({ request, query, caller }) => {
        const page = readPage(query, maxPageSize);
        const state = jobStates.find((one) => one === query.state);
        const kind = query.kind === undefined ? undefined : String(query.kind);
        const { jobs: found, total } = await store.list({ ...visibleTo(caller), state, kind }, page);
        return jsonRead(request, { items: found.map(jobJson), total, page: page.page, page_size: page.pageSize });
      },
    },
    {
      ...common,
      id: 'getJob',
      method: 'GET',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Get a background job',
      responses: { 200: jobResponse, 304: unchanged },
      problems: [404, 503],
      handle: async (context) => jsonRead(context.request, jobJson(await find(context))),
    },
    {
      ...common,
      id: 'retryJob',
      method: 'POST',
      path: `${root}/{id}/retry`,
      params: idParams,
      summary: 'Run a background job again',
      description: 'One that failed or was cancelled is queued anew; one that waits runs now.',
      once: true,
      responses: { 200: jobResponse },
      problems: [404, 409, 503],
      handle: async (context) => {
        const { id } = await find(context);
        const change = async (transaction: Transaction) => {
          const job = await store.retry(transaction, id, jobs.now());
          if (job === undefined) throw conflict('job_not_retryable', 'The job is running or done.');
          return job;
        };
        return context.respondInTransaction(jobs.runInTransaction, change, (job) => jsonReply(200, jobJson(job)));
      },
    },
    {
      ...common,
      id: 'cancelJob',
      method: 'POST',
      path: `${root}/{id}/cancel`,
      params: idParams,
      summary: 'Cancel a background job',
      description:
        'A running one ends within seconds; what it has done stays. Jobs with a schedule cannot be cancelled.',
      once: true,
      responses: { 200: jobResponse },
      problems: [404, 409, 503],
      handle: async (context) => {
        const { id, key } = await find(context);
        if (isPeriodicKey(key)) throw conflict('job_not_cancellable', 'The job runs by a schedule of the service.');
        const change = async (transaction: Transaction) => {
          const job = await store.cancel(transaction, id, jobs.now());
          if (job === undefined) throw conflict('job_not_cancellable', 'The job has ended.');
          return job;
        };
        return context.respondInTransaction(jobs.runInTransaction, change, (job) => jsonReply(200, jobJson(job)));
      },
    },
  ];
}
