import type { AdoptedAccounts } from '../../auth/adopted-accounts.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Database, Executor, Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { RecordRestorer } from '../../records/restore-record.ts';
import type { TransferTally } from '../transfer-report.ts';
import type { ImportLedger } from './import-ledger.ts';
import type { WordpressStaging } from './wordpress-staging.ts';

/** What the parts of an import work with. */
export interface ImportContext {
  readonly database: Database;
  readonly types: Readonly<Record<'page' | 'post' | 'comment', ContentType>>;
  readonly restorer: RecordRestorer;
  readonly accounts: AdoptedAccounts;
  readonly ledger: ImportLedger;
  readonly staging: WordpressStaging;
  readonly tally: TransferTally;
  /** Everything but the storing is done. */
  readonly dryRun: boolean;
}

/** What became of an entry: told to the tally once the transaction has been committed. */
export type Told = (tally: TransferTally) => void;

/**
 * Runs `work` on each entry, in one transaction, and tells what became of them after its commit. A dry run has no
 * transaction; `work` is given null then.
 */
export async function inTransaction<Entry>(
  { database, tally, dryRun }: ImportContext,
  entries: readonly Entry[],
  work: (entry: Entry, transaction: Transaction | null, reader: Executor) => Promise<Told>,
): Promise<void> {
  const all = async (transaction: Transaction | null): Promise<readonly Told[]> => {
    const told: Told[] = [];
    for (const entry of entries) told.push(await work(entry, transaction, transaction ?? database));
    return told;
  };
  if (entries.length === 0) return;
  const outcomes = dryRun ? await all(null) : await database.transaction(all);
  for (const tell of outcomes) tell(tally);
}

/** Faults as a reason to skip, without what differs from record to record. */
export const faultText = (faults: readonly FieldFault[]): string =>
  `not as the type wants them: ${faults.map(({ field, message }) => `${field}: ${message}`).join(' ')}`;
