import { FatalError } from '../base/fatal-error.ts';
import { printable } from '../base/printable.ts';
import { Problem } from '../base/problem.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';

/** The message for an error that ends a transfer; undefined for a bug in the program. */
export function transferFailure(error: unknown): string | undefined {
  const message = messageOf(error);
  // It can quote a file that was made elsewhere.
  return message === undefined ? undefined : printable(message);
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof TransferRefused || error instanceof FatalError) return error.message;
  if (error instanceof Problem) return `${error.message} Run the command again: nothing is stored twice.`;
  // An error of the system or of the working copy's database: disk full, permission denied, not a database.
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:E[A-Z0-9]+|SQLITE_(?:FULL|NOTADB|(?:IOERR|CORRUPT)\w*))$/.test(code)
    ? `${code}: ${Object(error).message}`
    : undefined;
}
