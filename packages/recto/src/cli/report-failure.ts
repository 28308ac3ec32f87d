import { FatalError } from '../base/fatal-error.ts';
import { createLogger } from '../base/logger.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';

/** Prints why a command failed; returns its exit code. */
export function reportFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof FatalError) terminal.err(`${error.message}\n`);
  else createLogger('error').fatal({ err: error }, 'the command failed');
  return exitCodes.refused;
}
