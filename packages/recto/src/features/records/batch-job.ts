import Type, { type Static } from 'typebox';
import { type AuthenticatedCaller, type Caller, isAuthenticated } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { JobType } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';

const payload = Type.Object({
  /** A content type's singular name. */
  type: Type.String(),
  action: Type.String(),
  ids: Type.Optional(Type.Array(Type.String())),
  filter: Type.Optional(Type.String()),
  search: Type.Optional(Type.String()),
  /** The language that is meant; absent: the default. */
  language: Type.Optional(Type.String()),
  /** Whether other languages stand in, in what the filter reads. */
  fallback: Type.Optional(Type.Boolean()),
  set: Type.Record(Type.String(), Type.Unknown()),
  caller: Type.Object({
    kind: Type.Enum(['account', 'api_token'] satisfies AuthenticatedCaller['kind'][]),
    id: Type.String(),
    /** The tenant that the caller belonged to. */
    tenant: Type.Optional(Type.String()),
    /** The tenant that the request named. */
    visited: Type.Optional(Type.String()),
  }),
});

/** A batch on more records than one transaction changes. */
export type BatchJob = Static<typeof payload>;

export const batchJobType: JobType<typeof payload> = { name: 'records.batch', payload };

/** What a batch is about, as it was sent. */
export type BatchJobRequest = Omit<BatchJob, 'type' | 'caller'>;

/** Enqueues a batch as part of a transaction; resolves with the job's id. */
export function enqueueBatch(
  jobs: Jobs,
  transaction: Transaction,
  { type, caller }: { readonly type: ContentType; readonly caller: Caller },
  request: BatchJobRequest,
): Promise<string> {
  if (!isAuthenticated(caller)) throw new Error('A batch was asked for by nobody.');
  const { kind, id, visited, tenant } = caller;
  const by = { kind, id, ...(tenant === undefined ? {} : { tenant }), ...(visited === undefined ? {} : { visited }) };
  const job = { ...request, type: type.singular, caller: by };
  return jobs.enqueueIn(transaction, batchJobType, job, { createdBy: id, tenant: tenant ?? null });
}
