import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../base/logger.ts';
import { program, workerArgument } from '../../base/program.ts';
import type { Settings } from '../../config/settings.ts';
import type { RunningService } from '../running-service.ts';
import { bringUp } from './bring-up.ts';
import { Supervisor } from './supervisor.ts';

/** What starts a worker: the program that this process runs, too. In an executable, a path after its name would be taken for a command. */
const workerCommand = (main: URL): readonly string[] => [
  process.execPath,
  ...(program === 'executable' ? [] : [...process.execArgv.filter(isLaunchers), fileURLToPath(main)]),
  workerArgument,
];

/**
 * Whether a flag is one by which the launcher keeps what is in the working folder out. Others are not for workers: a relative `--cwd`
 * would be followed once more, and `--inspect` would take one port for all.
 */
const isLaunchers = (flag: string): boolean =>
  flag === '--no-install' || (flag.startsWith('--config=') && isAbsolute(flag.slice('--config='.length)));

/**
 * Brings the service up in `count` processes on one port, which this one supervises; ready when it resolves. `main` is the program
 * that runs as a worker with `workerArgument`. Rejects with a `FatalError` if anything is wrong; nothing is left running then.
 */
export async function startWorkers(
  { settings, count, main }: { readonly settings: Settings; readonly count: number; readonly main: URL },
  log: Logger,
): Promise<RunningService> {
  const supervisor = new Supervisor({ count, command: workerCommand(main), log });
  try {
    const broughtUp = await bringUp(supervisor, { settings, count, log });
    const stop = async (): Promise<void> => {
      if (!(await supervisor.stop())) throw new Error('Not every worker stopped in order.');
    };
    return { ...broughtUp, stop };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
