import { countOf } from '../base/count-of.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { type ExportedFile, exportRecords } from '../transfer/json/export-records.ts';
import { typeNamed, typeNames } from '../transfer/json/record-file-name.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';
import { ProgressBar } from './progress-bar.ts';
import { withTransferDatabase } from './transfer-database.ts';
import { transferFailure } from './transfer-failure.ts';

export interface ExportOptions {
  /** Singular or plural; absent: all types. */
  readonly type?: string;
  readonly out: string;
  readonly json?: boolean;
}

/** `recto export`. Resolves with the exit code. */
export async function exportTypes(terminal: Terminal, { type: named, out, json }: ExportOptions): Promise<number> {
  const bar = new ProgressBar(terminal);
  try {
    const files = await withTransferDatabase(terminal, 'refuse', ({ database, types }) => {
      const one = named === undefined ? undefined : typeNamed(types, named);
      if (named !== undefined && one === undefined) {
        throw new TransferRefused(`There is no content type “${named}”. There are: ${typeNames(types)}.`);
      }
      return exportRecords({
        database,
        types: one === undefined ? types.all : [one],
        folder: out,
        progress: bar.report,
      });
    });
    bar.clear();
    terminal.out(json === true ? `${JSON.stringify({ folder: out, files }, null, 2)}\n` : summary(out, files));
    return exitCodes.done;
  } catch (error) {
    bar.clear();
    const message = transferFailure(error);
    if (message === undefined) throw error;
    terminal.err(`${message}\n`);
    return exitCodes.refused;
  }
}

function summary(folder: string, files: readonly ExportedFile[]): string {
  const width = Math.max(0, ...files.map(({ file }) => file.length));
  const total = files.reduce((sum, { records }) => sum + records, 0);
  const lines = files.map(({ file, records }) => `  ${file.padEnd(width)}  ${countOf(records, 'record')}`);
  return [`${countOf(total, 'record')} in ${folder}`, ...lines, ''].join('\n');
}
