import type { Caller } from '../../base/caller.ts';
import { OutboundTargets } from '../../base/net/outbound-targets.ts';
import { eventWriterFor } from '../../events/event-writer.ts';
import { JobRejected, type JobWork } from '../../jobs/job-kind.ts';
import { refreshStatistics } from '../../migrations/data/table-statistics.ts';
import { csvFiles, csvMatch } from '../../transfer/csv/csv-files.ts';
import { importRecords } from '../../transfer/json/import-records.ts';
import { recordFilesOf } from '../../transfer/json/record-files.ts';
import { transferFolder, transferKey } from '../../transfer/kept/transfer-files.ts';
import type { TransferJob } from '../../transfer/kept/transfer-jobs.ts';
import { TransferWatch } from '../../transfer/kept/transfer-watch.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';
import { storedFile } from '../../transfer/transfer-file.ts';
import { TransferRefused } from '../../transfer/transfer-refused.ts';
import type { TransferReport } from '../../transfer/transfer-report.ts';
import { importWordpress } from '../../transfer/wordpress/import-wordpress.ts';
import { planFor, withCsv } from './csv-import.ts';
import { partsOfJob, resultLifeMs, type TransferParts } from './transfer-parts.ts';

/** So many new records make it worth to look at the tables once more. */
const many = 1_000;

/** Checks a file, or brings it in. An attempt after a crash finds what was stored, and goes on behind it. */
export async function runImport(parts: TransferParts, work: JobWork<TransferJob>): Promise<undefined> {
  const { store, database, media } = parts;
  const { row, caller } = await partsOfJob(parts, work.payload);
  const isCheck = work.payload.stage === 'check';
  if ((isCheck ? row.report : row.result) === null) {
    const report = await transferred(parts, work, row, caller);
    const kept = JSON.stringify(report);
    await database.transaction((transaction) =>
      store.change(
        transaction,
        row.id,
        isCheck ? { report: kept } : { result: kept, storage_key: null, expires_at: work.now() + resultLifeMs },
      ),
    );
  }
  // Also where a process ended in between.
  if (!isCheck) await media.storage.delete(transferKey(row.id));
}

async function transferred(
  parts: TransferParts,
  work: JobWork<TransferJob>,
  row: TransferRow,
  caller: Caller,
): Promise<TransferReport> {
  using watch = new TransferWatch(parts.database, work);
  try {
    const report = watch.completed(await run(parts, work, { row, caller, watch }));
    await watch.end();
    const taken = report.counts.reduce((sum, count) => sum + count.taken, 0);
    if (!report.dry_run && taken >= many) await refreshStatistics(parts.database, parts.types);
    return report;
  } catch (error) {
    if (error instanceof TransferRefused) throw new JobRejected(error.message);
    throw error;
  }
}

interface Run {
  readonly row: TransferRow;
  readonly caller: Caller;
  readonly watch: TransferWatch;
}

async function run(parts: TransferParts, { payload }: JobWork<TransferJob>, { row, caller, watch }: Run) {
  const { database, types, settings, auth, media } = parts;
  if (row.storage_key === null) throw new JobRejected('Its file is gone.');
  const file = storedFile(media.storage, row.storage_key, { name: row.name, size: row.size ?? 0 });
  const { progress, checkpoint } = watch;
  const common = {
    ...{ database, types, progress, checkpoint, dryRun: payload.stage === 'check' },
    workFolder: transferFolder(settings.dataDir),
  };
  if (row.format === 'csv') {
    const type = row.type === null ? undefined : types.find(row.type);
    if (type === undefined) throw new JobRejected('Its content type is gone.');
    const plan = await planFor(row, payload.plan, file, type);
    const report = await importRecords({
      ...{ ...common, files: csvFiles(file, type, plan), log: eventWriterFor(caller), errors: 'leave_out' },
      ...csvMatch(plan),
    });
    return common.dryRun ? withCsv(report, plan, file) : report;
  }
  if (row.format === 'records') {
    const files = await recordFilesOf(file, row.type ?? undefined, types);
    const taken = { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes };
    return importRecords({
      ...{ ...common, files, log: eventWriterFor(caller), errors: 'leave_out' },
      media: row.fetches === 1 ? { ...media, taken } : media,
    });
  }
  const uploads = {
    fetcher: { targets: new OutboundTargets(settings.webhooksAllow) },
    ...{ storage: media.storage, store: media.store },
    limits: { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes },
  };
  const type = types.find('media');
  return importWordpress({
    ...{ ...common, file, by: caller, passwords: auth.passwords },
    otherLanguages: payload.skipOtherLanguages === true ? 'leave_out' : 'records',
    ...(row.fetches === 1 && type !== undefined ? { uploads: { ...uploads, type } } : {}),
  });
}
