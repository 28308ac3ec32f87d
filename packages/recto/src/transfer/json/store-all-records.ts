import type { FieldFault } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { isValue } from '../../definition/stored-field.ts';
import { hasLinks } from '../../definition/structure/inner-links.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { ImportFaults } from './import-faults.ts';
import { type ReadImport, stagedRecord } from './read-import.ts';
import { placeOf, type StagedRecord } from './record-staging.ts';
import { claimFile, countStanding, countTaken, noteEntry, standing } from './standing.ts';
import { updateAllRecords } from './store-updates.ts';

/** Rolls a dry run back. */
const dryRunDone = Symbol('dry run done');

/** Stores all records in one transaction, or none if any has an error (`TransferRefused` with files and lines). */
export async function storeAllRecords(run: ReadImport): Promise<void> {
  const { database, dryRun, tally, staging } = run;
  try {
    await database.transaction(async (transaction) => {
      // A transaction that conflicts with another one runs again, from the staged records.
      tally.clear();
      staging.unmark();
      await run.begin?.((work) => work(transaction));
      await insertAll(run, transaction);
      await each(run, isRelated, 'Relating', (record) => run.restorer.relate(transaction, record));
      await each(run, isWatched, 'Checking', (record) => run.restorer.settle(transaction, record));
      await updateAllRecords(run, transaction);
      if (dryRun) throw dryRunDone;
    });
  } catch (error) {
    if (error !== dryRunDone) throw error;
  }
}

/** Whether records of the type are stored without their relations first. */
export const isRelated = ({ fields }: ContentType): boolean =>
  fields.some((field) => !isValue(field) || hasLinks(field));

/** Whether protocols of the type judge a record by others. */
export const isWatched = ({ protocols }: ContentType): boolean =>
  protocols.some(({ protocol }) => protocol.storedFaults !== undefined);

async function insertAll(run: ReadImport, transaction: Transaction): Promise<void> {
  const { types, staging, progress } = run;
  const faults = new ImportFaults();
  const { total } = staging;
  let done = 0;
  for (const staged of staging.records('all')) {
    faults.addAll(placeOf(staged), await insertOne(run, transaction, staged, types.get(staged.type)));
    done += 1;
    progress('Importing', done, total);
  }
  faults.refuse();
}

async function insertOne(
  run: ReadImport,
  transaction: Transaction,
  staged: StagedRecord,
  type: ContentType,
): Promise<readonly FieldFault[]> {
  const { restorer, staging } = run;
  const record = stagedRecord(run, staged, type);
  const there = await standing(run, transaction, staged, record);
  if (there !== undefined) {
    countStanding(run, staged, there);
    return [];
  }
  countTaken(run, staged);
  staging.mark(staged, 'new');
  await claimFile(run, transaction, record);
  await noteEntry(run, transaction, staged, record);
  return restorer.insertAlone(transaction, record);
}

/** Runs a step on all new records of some types. */
async function each(
  run: ReadImport,
  concerns: (type: ContentType) => boolean,
  phase: string,
  step: (record: RestoredRecord) => Promise<readonly FieldFault[]>,
): Promise<void> {
  const { types, staging, progress } = run;
  const faults = new ImportFaults();
  const { total } = staging;
  for (const staged of staging.records('new')) {
    const type = types.get(staged.type);
    if (concerns(type)) faults.addAll(placeOf(staged), await step(stagedRecord(run, staged, type)));
    progress(phase, staged.number, total);
  }
  faults.refuse();
}
