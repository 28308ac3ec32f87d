import { join } from 'node:path';
import { countOf } from '../base/count-of.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { FileStore } from '../media/file-store.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { type ExportedFile, exportRecords } from '../transfer/json/export-records.ts';
import { isMedia } from '../transfer/json/media-facts.ts';
import { typeNamed, typeNames } from '../transfer/json/record-file-name.ts';
import { type ExportedMedia, exportFiles, folderWriter, mediaFolder } from '../transfer/media/export-files.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';
import { ProgressBar } from './progress-bar.ts';
import { withTransferDatabase } from './transfer-database.ts';
import { transferFailure } from './transfer-failure.ts';

export interface ExportOptions {
  /** Singular or plural; absent: all types. */
  readonly type?: string;
  readonly out: string;
  readonly withMedia?: boolean;
  readonly json?: boolean;
}

/** `recto export`. Resolves with the exit code. */
export async function exportTypes(
  terminal: Terminal,
  { type: named, out, withMedia = false, json }: ExportOptions,
): Promise<number> {
  const bar = new ProgressBar(terminal);
  let media: ExportedMedia | undefined;
  try {
    const files = await withTransferDatabase(terminal, 'refuse', ({ database, types, settings }) => {
      const one = named === undefined ? undefined : typeNamed(types, named);
      if (named !== undefined && one === undefined) {
        throw new TransferRefused(`There is no content type “${named}”. There are: ${typeNames(types)}.`);
      }
      if (withMedia && one !== undefined && !isMedia(one))
        throw new TransferRefused('--with-media goes with all types, or with --type media.');
      const beside = async (folder: string): Promise<void> => {
        const storage = openStorage(storageLocation(settings), terminal.environment);
        const store = new FileStore(database.dialect);
        const write = folderWriter(join(folder, mediaFolder));
        media = await exportFiles({ database, storage, store, progress: bar.report }, write);
      };
      return exportRecords({
        database,
        ...(withMedia ? { beside } : {}),
        types: one === undefined ? types.all : [one],
        folder: out,
        progress: bar.report,
      });
    });
    bar.clear();
    const result = { folder: out, files, ...(media === undefined ? {} : { media }) };
    terminal.out(json === true ? `${JSON.stringify(result, null, 2)}\n` : summary(out, files, media));
    const lost = [...(media?.missing ?? []), ...(media?.damaged ?? [])];
    if (lost.length === 0) return exitCodes.done;
    terminal.err(`${countOf(lost.length, 'file')} missing or damaged: see recto media verify.\n`);
    return exitCodes.refused;
  } catch (error) {
    bar.clear();
    const message = transferFailure(error);
    if (message === undefined) throw error;
    terminal.err(`${message}\n`);
    return exitCodes.refused;
  }
}

function summary(folder: string, files: readonly ExportedFile[], media: ExportedMedia | undefined): string {
  const width = Math.max(0, ...files.map(({ file }) => file.length));
  const total = files.reduce((sum, { records }) => sum + records, 0);
  const lines = files.map(({ file, records }) => `  ${file.padEnd(width)}  ${countOf(records, 'record')}`);
  const more = media === undefined ? [] : [`  ${mediaFolder.padEnd(width)}  ${countOf(media.files, 'file')}`];
  return [`${countOf(total, 'record')} in ${folder}`, ...lines, ...more, ''].join('\n');
}
