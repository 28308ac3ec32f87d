import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../base/logger.ts';
import { program, workerArgument } from '../../base/program.ts';
import type { Settings } from '../../config/settings.ts';
import type { RunningService } from '../running-service.ts';
import { bringUp } from './bring-up.ts';
import { Supervisor, type Timing } from './supervisor.ts';

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

interface WorkersOptions {
  readonly settings: Settings;
  readonly count: number;
  /** The program that runs as a worker with `workerArgument`. */
  readonly main: URL;
  /** When workers are ended and replaced; default: that of the supervisor. */
  readonly timing?: Timing;
}

/**
 * Brings the service up in `count` processes on one port, which this one supervises; ready when it resolves. Rejects with a
 * `FatalError` if anything is wrong; nothing is left running then.
 */
export async function startWorkers(
  { settings, count, main, timing }: WorkersOptions,
  log: Logger,
): Promise<RunningService> {
  const command = workerCommand(main);
  const supervisor = new Supervisor({ count, command, log, ...(timing === undefined ? {} : { timing }) });
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
