import type { FieldFault } from '../../base/problem.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { type ReadImport, stagedRecord } from './read-import.ts';
import type { StagedRecord } from './record-staging.ts';
import { standing } from './standing.ts';
import { count, mostRounds, type Outcome } from './store-sound-records.ts';

/**
 * Finds the errors that `storeSoundRecords` would find, by reading alone: nobody waits for it. Records of the same files count as
 * stored as long as they have shown no error. Where a record's place in a tree depends on these, only the import finds out.
 */
export async function checkRecords(run: ReadImport): Promise<void> {
  const { staging, progress, checkpoint, tally } = run;
  const { total } = staging;
  let done = 0;
  for (let after = { level: -1, number: 0 }; ; ) {
    const slice = staging.slice(after);
    const last = slice.at(-1);
    if (last === undefined) break;
    for (const staged of slice) count(run, staged, await foreseen(run, staged, 'first'));
    done += slice.length;
    progress('Checking', done, total);
    await checkpoint?.(tally.counts);
    after = last;
  }
  await checkKnots(run);
  progress('Checking', total, total);
  await checkpoint?.(tally.counts);
}

/** Of records that lead to each other, each error may show others. */
async function checkKnots(run: ReadImport): Promise<void> {
  for (let round = 1; round <= mostRounds; round += 1) {
    let found = false;
    for (const staged of run.staging.knots()) {
      const outcome = await foreseen(run, staged, round === 1 ? 'first' : 'again');
      if (outcome.kind !== 'failed') continue;
      count(run, staged, outcome);
      found = true;
    }
    if (!found) break;
  }
  for (const staged of run.staging.knots()) count(run, staged, await foreseen(run, staged, 'again'));
}

/** What will become of a record. Its unique values are compared with those of the files the first time. */
async function foreseen(run: ReadImport, staged: StagedRecord, time: 'first' | 'again'): Promise<Outcome> {
  const { database, restorer, staging, types, breaks } = run;
  await breaks.next();
  const record = stagedRecord(run, staged, types.get(staged.type));
  const there = await standing(run, database, staged, record);
  if (there !== undefined) return there;
  const found = await restorer.foreseenFaults(
    database,
    record,
    (link) => staging.holds(link) || run.isComing?.(link) === true,
  );
  const taken = time === 'first' && found.length === 0 ? takenInFiles(run, record) : [];
  const faults = [...found, ...taken];
  return faults.length === 0 ? { kind: 'taken' } : { kind: 'failed', faults };
}

function takenInFiles({ restorer, staging }: ReadImport, record: RestoredRecord): readonly FieldFault[] {
  return restorer.uniqueValues(record).flatMap(({ fields, key }) => {
    if (staging.claim(key)) return [];
    return fields.map((field) => ({ field, code: 'taken', message: `Another record of the file has this ${field}.` }));
  });
}
