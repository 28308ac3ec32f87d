import type { AdoptedAccounts } from '../../auth/adopted-accounts.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Database, Executor, Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { RecordRestorer } from '../../records/restore-record.ts';
import type { Breaks } from '../breaks.ts';
import type { ImportLedger } from '../import-ledger.ts';
import type { Checkpoint } from '../progress.ts';
import type { TransferTally } from '../transfer-report.ts';
import type { LocalizedKinds } from './staged-languages.ts';
import type { UploadedFiles } from './uploaded-files.ts';
import type { WordpressStaging } from './wordpress-staging.ts';

/** The services and state shared by the steps of an import. */
export interface ImportContext {
  readonly database: Database;
  readonly types: Readonly<Record<'page' | 'post' | 'category' | 'comment', ContentType>>;
  readonly restorer: RecordRestorer;
  readonly accounts: AdoptedAccounts;
  readonly ledger: ImportLedger;
  readonly staging: WordpressStaging;
  readonly tally: TransferTally;
  readonly localized: LocalizedKinds;
  readonly otherLanguages: OtherLanguages;
  /** The files that were brought in; absent: they stay where they are. */
  readonly files?: UploadedFiles;
  /** Dry run: do everything except storing. */
  readonly dryRun: boolean;
  readonly breaks: Breaks;
  readonly checkpoint: Checkpoint;
}

/** What becomes of entries in languages that the service does not have. */
export type OtherLanguages = 'records' | 'leave_out';

/** The outcome of an entry: added to the tally once the transaction has been committed. */
export type Outcome = (tally: TransferTally) => void;

/**
 * Runs `work` on each entry, in one transaction, and adds the outcomes to the tally after its commit. A dry run has no
 * transaction; `work` gets null then.
 */
export async function inTransaction<Entry>(
  { database, tally, dryRun, breaks, checkpoint }: ImportContext,
  entries: readonly Entry[],
  work: (entry: Entry, transaction: Transaction | null, reader: Executor) => Promise<Outcome>,
): Promise<void> {
  const all = async (transaction: Transaction | null): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const entry of entries) {
      outcomes.push(await work(entry, transaction, transaction ?? database));
      if (transaction === null) await breaks.next();
    }
    return outcomes;
  };
  if (entries.length === 0) return;
  const outcomes = dryRun ? await all(null) : await database.transaction(all);
  for (const add of outcomes) add(tally);
  await checkpoint(tally.counts);
}

/** Errors as a reason to skip, without details that differ between records. */
export const faultText = (faults: readonly FieldFault[]): string =>
  `values that the type does not accept: ${faults.map(({ field, message }) => `${field}: ${message}`).join(' ')}`;
