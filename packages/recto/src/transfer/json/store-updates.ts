import type { Transaction } from '../../database/database.ts';
import { ImportFaults } from './import-faults.ts';
import type { ReadImport } from './read-import.ts';
import { placeOf, type StagedUpdate } from './record-staging.ts';

/** Changes stored records in the transaction of an import, or throws a `TransferRefused` at the first that has an error. */
export async function updateAllRecords(run: ReadImport, transaction: Transaction): Promise<void> {
  const { staging, types, updates, progress } = run;
  if (updates === undefined) return;
  const { total } = staging;
  for (const staged of staging.updates()) {
    const faults = new ImportFaults();
    const found = await updates.update(transaction, types.get(staged.type), staged.id, changesOf(staged));
    faults.addAll(placeOf(staged), found);
    // Some databases do nothing more in a transaction after an error.
    faults.refuse();
    countUpdated(run, staged);
    progress('Updating', staged.number, total);
  }
}

/** Changes stored records one by one; those with errors stay as they are, and are listed. A dry run finds the errors. */
export async function updateSoundRecords(run: ReadImport): Promise<void> {
  const { staging, types, updates, dryRun, tally, progress, checkpoint, breaks } = run;
  if (updates === undefined) return;
  const { total } = staging;
  for (const staged of staging.updates()) {
    const type = types.get(staged.type);
    const faults = await updates.updateAlone(type, staged.id, changesOf(staged), dryRun);
    if (faults.length === 0) countUpdated(run, staged);
    else
      tally.failed(
        type.plural,
        placeOf(staged),
        faults.map(({ field, message }) => `${field}: ${message}`),
      );
    progress('Updating', staged.number, total);
    await checkpoint?.(tally.counts);
    await breaks.next();
  }
}

function countUpdated({ types, tally }: ReadImport, staged: StagedUpdate): void {
  const { plural } = types.get(staged.type);
  tally.taken(plural);
  tally.changed(plural, 'there before, and updated', placeOf(staged));
}

/** True because the import stages objects alone. */
const changesOf = ({ content }: StagedUpdate) => JSON.parse(content) as Record<string, unknown>;
