import { Problem } from '../base/problem.ts';
import { StartRefused } from '../base/start-refused.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';

/** What is printed of an error that ends a transfer; undefined for a bug in the program. */
export function transferFailure(error: unknown): string | undefined {
  if (error instanceof TransferRefused || error instanceof StartRefused) return error.message;
  if (error instanceof Problem) return `${error.message} Run the command again: nothing is stored twice.`;
  // What the system or the working copy's database says: no room on the disk, no right to read the file, no database in it.
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:E[A-Z0-9]+|SQLITE_(?:FULL|NOTADB|(?:IOERR|CORRUPT)\w*))$/.test(code)
    ? `${code}: ${Object(error).message}`
    : undefined;
}
