import type { AuthServices } from '../../auth/auth-services.ts';
import { currentCaller } from '../../auth/current-caller.ts';
import type { AuthenticatedCaller } from '../../base/caller.ts';
import type { Settings } from '../../config/settings.ts';
import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { JobRejected } from '../../jobs/job-kind.ts';
import type { MediaServices } from '../../media/media-services.ts';
import type { TransferJob } from '../../transfer/kept/transfer-jobs.ts';
import type { TransferStore } from '../../transfer/kept/transfer-store.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';

/** What the jobs of imports and exports work with. */
export interface TransferParts {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly settings: Settings;
  readonly auth: AuthServices;
  readonly media: MediaServices;
  readonly store: TransferStore;
}

/** How long the file of an import waits for the next step, and that of an export to be fetched, in milliseconds. */
export const fileLifeMs = 24 * 3_600_000;
/** How long the result of an import is kept. */
export const resultLifeMs = 30 * fileLifeMs;

/** The transfer of a job, and who asked for it, with the rights that they have now. */
export async function partsOfJob(
  { database, auth, store }: TransferParts,
  { transfer, caller: by }: TransferJob,
): Promise<{ readonly row: TransferRow; readonly caller: AuthenticatedCaller }> {
  const row = await store.find(database, transfer);
  if (row === undefined) throw new JobRejected('It has been removed.');
  const found = await currentCaller(auth, by);
  if (found === undefined || found.role !== 'admin' || found.tenant !== by.tenant) {
    throw new JobRejected('Whoever asked for it may not do it any more.');
  }
  const request = by.request === undefined ? {} : { request: by.request };
  return { row, caller: { ...found, ...request, via: { kind: 'import' } } };
}
