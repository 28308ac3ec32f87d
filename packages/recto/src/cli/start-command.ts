import { createLogger, type Logger } from '../base/logger.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import type { RunningService } from '../service/running-service.ts';
import { workerCount } from '../service/workers/worker-count.ts';
import { type Ending, firstEnding } from './ending.ts';

/** An orderly stop takes less; if it does not, the process ends all the same, in time for whoever sent the signal. */
const stopLimitMs = 4_800;

/** Brings a service up; what it resolves with has begun to serve. */
type Start = (settings: Settings, log: Logger) => Promise<RunningService & { readonly note?: string }>;

/** `recto start`, with as many workers as the option says, or else the settings. Resolves as `runService` does. */
export const runStart = (terminal: Terminal, workers?: Settings['workers']): Promise<number> =>
  runService(terminal, async (settings, log) => {
    const count = workerCount(workers === undefined ? settings : { workers });
    // Only what is needed is loaded: one process supervises nothing, and a supervisor answers no requests.
    if (count === 1) return (await import('../service/start-service.ts')).startService(settings, log);
    return (await import('../service/workers/start-workers.ts')).startWorkers(settings, count, log);
  });

/**
 * Serves until a signal or a crash. Ends the process itself when it has served; resolves (or rejects) when it
 * has not.
 */
export async function runService(terminal: Terminal, start: Start): Promise<number> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const log = createLogger(settings.logLevel);
  const ending = firstEnding(() => process.exit(exitCodes.refused));
  const service = await start(settings, log);
  const { url, types, firstAdmin, note = '' } = service;
  // Loaded after the start, which is not to wait for it.
  const { welcomeText } = await import('./welcome.ts');
  terminal.out(`${welcomeText({ url, settings, types: types.all, admin: firstAdmin })}${note}`);
  const exitCode = await stopAfter(await ending, service, log);
  // Timers of libraries may still be there; nothing that matters is.
  return process.exit(exitCode);
}

async function stopAfter(ending: Ending, service: RunningService, log: Logger): Promise<number> {
  if (ending.kind === 'crash') log.fatal({ err: ending.error }, 'uncaught error');
  else log.info({ signal: ending.signal }, 'stopping');
  const limit = setTimeout(() => {
    log.error('the stop took too long');
    process.exit(exitCodes.refused);
  }, stopLimitMs);
  try {
    await service.stop();
    log.info('stopped');
    return ending.kind === 'crash' ? exitCodes.refused : exitCodes.done;
  } catch (error) {
    log.fatal({ err: error }, 'the stop failed');
    return exitCodes.refused;
  } finally {
    clearTimeout(limit);
  }
}
