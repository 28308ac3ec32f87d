import { Problem } from '../errors/problem.ts';
import { StartRefused } from '../errors/start-refused.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';

/** What a person is told of an error that ends a transfer; undefined for a fault of the program. */
export function transferFailure(error: unknown): string | undefined {
  if (error instanceof TransferRefused || error instanceof StartRefused) return error.message;
  if (!(error instanceof Problem)) return undefined;
  return `${error.message} What was stored until now stays; run the command again, and it goes on from there.`;
}
