import { jobKind, periodicJob } from '../../jobs/job-kind.ts';
import { importsTable } from '../../transfer/imports-table.ts';
import { sweepTransfers, transferFolder } from '../../transfer/kept/transfer-files.ts';
import { exportJobType, importJobType } from '../../transfer/kept/transfer-jobs.ts';
import { TransferStore } from '../../transfer/kept/transfer-store.ts';
import { transfersTable } from '../../transfer/kept/transfers-table.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { media } from '../media/media-feature.ts';
import type { Content } from '../service-core.ts';
import { transferOperations } from './transfer-operations.ts';
import { fileLifeMs, type TransferParts } from './transfer-parts.ts';

/** Content that is moved in and out by requests: uploaded files are checked and brought in, exports written, by jobs. */
export const transfer = defineFeature({
  name: 'transfer',
  tables: [transfersTable, importsTable],
  async create({ database, settings, use }) {
    const [queue, files, { auth }] = [await use(jobs), await use(media), await use(accounts)];
    const store = new TransferStore(database.dialect);
    const partsOf = ({ types }: Content): TransferParts => ({ database, types, settings, auth, media: files, store });
    return {
      operations: (content) => transferOperations({ ...partsOf(content), jobs: queue, lifeMs: fileLifeMs }),
      jobs: (content) => {
        const parts = partsOf(content);
        return [
          // What reads and writes files is loaded with the first of them.
          jobKind(importJobType, async (work) => (await import('./run-import.ts')).runImport(parts, work)),
          jobKind(exportJobType, async (work) => (await import('./run-export.ts')).runExport(parts, work)),
          periodicJob('transfer.prune', { cron: '29 * * * *' }, async ({ now }) => {
            for (const { id, job, storage_key: key } of await store.expired(database, now())) {
              const found = await queue.store.get(job);
              if (found?.state === 'queued' || found?.state === 'running') continue;
              if (key !== null) await files.storage.delete(key);
              await database.transaction((transaction) => store.remove(transaction, id));
            }
            const place = { storage: files.storage, folder: transferFolder(settings.dataDir) };
            await sweepTransfers(place, await store.ids(database), now() - fileLifeMs);
            return undefined;
          }),
        ];
      },
    };
  },
});
