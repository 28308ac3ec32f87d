import { type Caller, callerTenant, tenantAsked } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { notFound } from '../../base/problem.ts';
import type { Settings } from '../../config/settings.ts';
import type { Database, Transaction } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Job } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CsvPlan } from '../../transfer/csv/csv-plan.ts';
import { transferKey } from '../../transfer/kept/transfer-files.ts';
import { exportJobType, importJobType, principalOf } from '../../transfer/kept/transfer-jobs.ts';
import type { TransferStore } from '../../transfer/kept/transfer-store.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';

export interface TransferOperationParts {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly settings: Pick<Settings, 'importMaxFile' | 'cmsMaxPageSize'>;
  readonly media: { readonly storage: Storage };
  readonly store: TransferStore;
  readonly jobs: Jobs;
  /** How long a file waits for the next step, in milliseconds. */
  readonly lifeMs: number;
}

export interface Found {
  readonly row: TransferRow;
  /** Its last one; undefined where that has been removed. */
  readonly job: Job | undefined;
}

/** The transfer that a request names; 404 for one of another kind, or of another tenant. */
export async function findTransfer(
  { database, store, jobs }: TransferOperationParts,
  kind: TransferRow['kind'],
  context: RequestContext,
): Promise<Found> {
  const row = await store.find(database, context.param('id'));
  const tenant = callerTenant(context.caller);
  if (row?.kind !== kind || (tenant !== null && row.tenant !== tenant)) throw notFound(`There is no such ${kind}.`);
  return { row, job: await jobs.store.get(row.job) };
}

/** What a new transfer is about. */
export type NewTransfer = Pick<
  TransferRow,
  'id' | 'kind' | 'format' | 'type' | 'name' | 'size' | 'storage_key' | 'fetches'
>;

/** Stores a new transfer with its first job. */
export async function beginTransfer(
  { store, jobs, lifeMs }: TransferOperationParts,
  transaction: Transaction,
  caller: Caller,
  made: NewTransfer,
): Promise<TransferRow> {
  const stage = made.kind === 'export' ? 'export' : 'check';
  const job = await enqueueTransfer(jobs, transaction, caller, { id: made.id, stage });
  const now = jobs.now();
  const row: TransferRow = {
    ...made,
    ...{ stage, job, report: null, result: null },
    ...{ created_by: principalOf(caller).id, tenant: tenantAsked(caller) ?? '' },
    ...{ created_at: now, expires_at: now + lifeMs },
  };
  await store.insert(transaction, row);
  return row;
}

interface NextWork extends Pick<TransferRow, 'id' | 'stage'> {
  readonly plan?: CsvPlan;
  readonly skipOtherLanguages?: boolean;
}

/** Enqueues the next work of a transfer; resolves with the job's id. */
export function enqueueTransfer(
  jobs: Jobs,
  transaction: Transaction,
  caller: Caller,
  { id, stage, plan, skipOtherLanguages }: NextWork,
): Promise<string> {
  const principal = principalOf(caller);
  return jobs.enqueueIn(
    transaction,
    stage === 'export' ? exportJobType : importJobType,
    {
      ...{ transfer: id, stage, caller: principal },
      ...(plan === undefined ? {} : { plan }),
      ...(skipOtherLanguages === true ? { skipOtherLanguages } : {}),
    },
    { createdBy: principal.id, tenant: callerTenant(caller) },
  );
}

/** Ends the work of a transfer, and removes it with its file. */
export async function removeTransfer(
  { database, store, jobs, media }: TransferOperationParts,
  { row }: Found,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await jobs.store.cancel(transaction, row.job, jobs.now());
    await store.remove(transaction, row.id);
  });
  await media.storage.delete(transferKey(row.id));
}

export const newTransferId = newId;
