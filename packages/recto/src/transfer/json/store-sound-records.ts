import type { FieldFault } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { type ReadImport, stagedRecord } from './read-import.ts';
import { placeOf, type StagedRecord } from './record-staging.ts';
import { claimFile, countStanding, countTaken, noteEntry, type Standing, standing } from './standing.ts';
import { isRelated, isWatched } from './store-all-records.ts';

/** What became of a record; counted once its transaction is committed. */
export type Outcome =
  | { readonly kind: 'taken' }
  | Standing
  | { readonly kind: 'failed'; readonly faults: readonly FieldFault[] };

/**
 * Stores the records without errors a few at a time, each after those that it leads to; those that lead to each other, and what leads
 * to these, in one transaction at the end. At no time is there a record without its relations.
 */
export async function storeSoundRecords(run: ReadImport): Promise<void> {
  const { database, staging, progress, checkpoint, tally } = run;
  const { total } = staging;
  let done = 0;
  for (let after = { level: -1, number: 0 }; ; ) {
    const slice = staging.slice(after);
    const last = slice.at(-1);
    if (last === undefined) break;
    const outcomes = await database.transaction(async (transaction) => {
      const stored: Outcome[] = [];
      for (const staged of slice) stored.push(await storeOne(run, transaction, staged));
      return stored;
    });
    for (const [index, staged] of slice.entries()) count(run, staged, outcomes[index]);
    done += slice.length;
    progress('Importing', done, total);
    await checkpoint?.(tally.counts);
    after = last;
  }
  await storeKnots(run);
  progress('Importing', total, total);
  await checkpoint?.(tally.counts);
}

export function count(run: ReadImport, staged: StagedRecord, outcome: Outcome | undefined): void {
  switch (outcome?.kind) {
    case 'taken':
      countTaken(run, staged);
      return;
    case 'before':
    case 'single':
      countStanding(run, staged, outcome);
      return;
    case 'failed': {
      run.staging.mark(staged, 'failed');
      const errors = outcome.faults.map(({ field, message }) => `${field}: ${message}`);
      run.tally.failed(run.types.get(staged.type).plural, placeOf(staged), errors);
      return;
    }
    case undefined:
      return;
  }
}

async function storeOne(run: ReadImport, transaction: Transaction, staged: StagedRecord): Promise<Outcome> {
  const record = stagedRecord(run, staged, run.types.get(staged.type));
  const there = await standing(run, transaction, staged, record);
  if (there !== undefined) return there;
  const faults = await run.restorer.store(transaction, record);
  if (faults.length > 0) return { kind: 'failed', faults };
  await claimFile(run, transaction, record);
  await noteEntry(run, transaction, staged, record);
  return { kind: 'taken' };
}

/** So often what leads to a record with an error is looked for: each round may show some more. */
export const mostRounds = 50;

export const leftBehind: readonly FieldFault[] = [
  { field: 'id', code: 'left_out', message: 'It leads to records that have errors.' },
];

/** Ends a round in which a record had an error. */
class KnotFailed extends Error {}

/** Stores the records that lead to each other, without those that turn out to have errors. */
async function storeKnots(run: ReadImport): Promise<void> {
  const { database, staging } = run;
  for (let round = 1; ; round += 1) {
    const failed = new Map<StagedRecord, readonly FieldFault[]>();
    try {
      const outcomes = await database.transaction((transaction) => {
        failed.clear();
        return storeTogether(run, transaction, failed);
      });
      for (const [staged, outcome] of outcomes) count(run, staged, outcome);
      return;
    } catch (error) {
      if (!(error instanceof KnotFailed)) throw error;
      for (const [staged, faults] of failed) count(run, staged, { kind: 'failed', faults });
    }
    if (round < mostRounds) continue;
    for (const staged of staging.knots()) count(run, staged, { kind: 'failed', faults: leftBehind });
    return;
  }
}

async function storeTogether(
  run: ReadImport,
  transaction: Transaction,
  failed: Map<StagedRecord, readonly FieldFault[]>,
): Promise<ReadonlyMap<StagedRecord, Outcome>> {
  const { restorer, staging, types, progress } = run;
  const { total } = staging;
  const outcomes = new Map<StagedRecord, Outcome>();
  const step = async (work: (record: RestoredRecord) => Promise<readonly FieldFault[]>, staged: StagedRecord) => {
    const faults = await work(stagedRecord(run, staged, types.get(staged.type)));
    if (faults.length > 0) failed.set(staged, faults);
    progress('Importing', total, total);
  };
  for (const staged of staging.knots()) {
    const record = stagedRecord(run, staged, types.get(staged.type));
    const there = await standing(run, transaction, staged, record);
    outcomes.set(staged, there ?? { kind: 'taken' });
    if (there !== undefined) continue;
    await step((one) => restorer.insertAlone(transaction, one), staged);
    await claimFile(run, transaction, record);
    await noteEntry(run, transaction, staged, record);
  }
  if (failed.size > 0) throw new KnotFailed();
  const taken = [...outcomes].flatMap(([staged, { kind }]) => (kind === 'taken' ? [staged] : []));
  for (const staged of taken) {
    if (isRelated(types.get(staged.type))) await step((one) => restorer.relate(transaction, one), staged);
  }
  if (failed.size > 0) throw new KnotFailed();
  for (const staged of taken) {
    if (isWatched(types.get(staged.type))) await step((one) => restorer.settle(transaction, one), staged);
  }
  if (failed.size > 0) throw new KnotFailed();
  return outcomes;
}
