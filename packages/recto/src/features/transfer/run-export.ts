import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobRejected, type JobWork } from '../../jobs/job-kind.ts';
import { storedChunks } from '../../storage/storage.ts';
import { type AddEntry, type EntryHeader, writeTarFile } from '../../transfer/archive/tar-file.ts';
import { type ExportedFile, exportRecords } from '../../transfer/json/export-records.ts';
import { transferFolder, transferKey } from '../../transfer/kept/transfer-files.ts';
import type { TransferJob } from '../../transfer/kept/transfer-jobs.ts';
import { TransferWatch } from '../../transfer/kept/transfer-watch.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';
import { DamagedBytes, type ExportedMedia, exportFiles, mediaFolder } from '../../transfer/media/export-files.ts';
import { fileLifeMs, partsOfJob, type TransferParts } from './transfer-parts.ts';

/** Writes the records of a type, or of all types, into a file of the storage. An attempt after a crash begins anew. */
export async function runExport(parts: TransferParts, work: JobWork<TransferJob>): Promise<undefined> {
  const { row } = await partsOfJob(parts, work.payload);
  if (row.result !== null) return;
  const folder = join(transferFolder(parts.settings.dataDir), row.id);
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  try {
    await writeExport(parts, work, row, folder);
  } finally {
    await remove();
  }
}

async function writeExport(
  parts: TransferParts,
  work: JobWork<TransferJob>,
  row: TransferRow,
  folder: string,
): Promise<void> {
  const { database, media, store } = parts;
  using watch = new TransferWatch(database, work);
  const written = join(folder, 'records');
  const files = await exportRecords({
    ...{ database, types: exportedTypes(parts, row), folder: written, progress: watch.progress },
    // No route shows the hash of a password.
    view: { withoutSecrets: true, ...(row.tenant === '' ? {} : { tenant: row.tenant }) },
  });
  await watch.end();
  const { path, media: exported } = await singleFile(parts, watch, folder, written, row, files);
  const key = transferKey(row.id);
  const size = await media.storage.put(key, storedChunks(Bun.file(path)));
  const kept = await database.transaction((transaction) =>
    store.change(transaction, row.id, {
      ...{ size, storage_key: key, result: JSON.stringify({ files, media: exported ?? null }) },
      expires_at: work.now() + fileLifeMs,
    }),
  );
  if (!kept) await media.storage.delete(key);
}

function exportedTypes({ types }: TransferParts, row: TransferRow) {
  // A tenant has records of types that keep them apart, and of no others.
  const visible = types.all.filter(({ partition }) => row.tenant === '' || partition !== null);
  const chosen = row.type === null ? visible : visible.filter(({ singular }) => singular === row.type);
  if (row.type !== null && chosen.length === 0) throw new JobRejected(`There is no type ${row.type} any more.`);
  return chosen;
}

interface SingleFile {
  readonly path: string;
  /** The files of media in it. */
  readonly media?: ExportedMedia;
}

async function singleFile(
  { database, media: { storage, store } }: TransferParts,
  { progress }: TransferWatch,
  folder: string,
  written: string,
  row: TransferRow,
  files: readonly ExportedFile[],
): Promise<SingleFile> {
  const [only] = files;
  const withMedia = row.fetches === 1;
  if (row.type !== null && only !== undefined && !withMedia) return { path: join(written, only.file) };
  const path = join(folder, 'export.tar');
  let media: ExportedMedia | undefined;
  await writeTarFile(path, async (add) => {
    for (const { file } of files) {
      const bytes = Bun.file(join(written, file));
      await add({ name: file, size: bytes.size }, storedChunks(bytes));
    }
    if (!withMedia) return;
    media = await exportFiles({ database, storage, store, progress }, ({ hash, size }, bytes) =>
      addWhole(add, { name: `${mediaFolder}/${hash}`, size, hash }, bytes),
    );
  });
  return { path, ...(media === undefined ? {} : { media }) };
}

/** A damaged file is complete in the archive, as its header has been written; its import finds out by the hash. */
async function addWhole(add: AddEntry, header: EntryHeader, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let damage: DamagedBytes | undefined;
  const whole = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* bytes;
    } catch (error) {
      if (!(error instanceof DamagedBytes)) throw error;
      damage = error;
    }
  };
  await add(header, whole());
  if (damage !== undefined) throw damage;
}
