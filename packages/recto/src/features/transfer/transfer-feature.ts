import { jobKind, periodicJob } from '../../jobs/job-kind.ts';
import { sweepTransfers, transferFolder } from '../../transfer/kept/transfer-files.ts';
import { exportJobType, importJobType } from '../../transfer/kept/transfer-jobs.ts';
import { TransferStore } from '../../transfer/kept/transfer-store.ts';
import { transfersTable } from '../../transfer/kept/transfers-table.ts';
import { defineFeature, type FeatureContext } from '../feature.ts';
import { transferOperations } from './transfer-operations.ts';
import { fileLifeMs, type TransferParts } from './transfer-parts.ts';

/** Content that is moved in and out by requests: uploaded files are checked and brought in, exports written, by jobs. */
export const transfer = defineFeature({
  name: 'transfer',
  tables: [transfersTable],
  operations: (context) => transferOperations({ ...partsOf(context), jobs: context.jobs, lifeMs: fileLifeMs }),
  jobs(context) {
    const parts = partsOf(context);
    const { database, store, media, settings } = parts;
    return [
      // What reads and writes files is loaded with the first of them.
      jobKind(importJobType, async (work) => (await import('./run-import.ts')).runImport(parts, work)),
      jobKind(exportJobType, async (work) => (await import('./run-export.ts')).runExport(parts, work)),
      periodicJob('transfer.prune', { cron: '29 * * * *' }, async ({ now }) => {
        for (const { id, job, storage_key: key } of await store.expired(database, now())) {
          const found = await context.jobs.store.get(job);
          if (found?.state === 'queued' || found?.state === 'running') continue;
          if (key !== null) await media.storage.delete(key);
          await database.transaction((transaction) => store.remove(transaction, id));
        }
        const place = { storage: media.storage, folder: transferFolder(settings.dataDir) };
        await sweepTransfers(place, await store.ids(database), now() - fileLifeMs);
        return undefined;
      }),
    ];
  },
});

const partsOf = ({ records, types, settings, auth, media }: FeatureContext): TransferParts => {
  const { database } = records;
  return { database, types, settings, auth, media, store: new TransferStore(database.dialect) };
};
