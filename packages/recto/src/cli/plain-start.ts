import type { Terminal } from '../base/terminal.ts';
import { reportFailure } from './report-failure.ts';
import { runStart } from './start-command.ts';

/** `recto start` without options: as the command line runs it, which is not loaded for it. */
export async function runPlainStart(terminal: Terminal): Promise<number> {
  try {
    return await runStart(terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
