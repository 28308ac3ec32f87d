import { createLogger, type Logger } from '../base/logger.ts';
import { programUrl } from '../base/program.ts';
import { endStart } from '../base/start-policy.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readSettings, type Settings, settingsFileName, withWorkers } from '../config/settings.ts';
import { hasHooks } from '../hooks/code-folders.ts';
import type { RunningService } from '../service/running-service.ts';
import { stopLimits } from '../service/stop-limits.ts';
import { workerCount } from '../service/workers/worker-count.ts';
import { type Ending, firstEnding } from './ending.ts';

/** Starts a service; resolves once it serves. */
type Start = (settings: Settings, log: Logger) => Promise<RunningService & { readonly note?: string }>;

/** `recto start`, with the number of workers from the option or the settings. Resolves as `runService` does. */
export const runStart = (terminal: Terminal, workers?: Settings['workers']): Promise<number> =>
  runService(terminal, async (read, log) => {
    const settings = workers === undefined ? read : withWorkers(read, workers);
    const count = workerCount(settings);
    // Loads only what is needed: one process supervises nothing, and a supervisor answers no requests. Hooks run in the process that
    // answers: another one has to watch it, because an endless loop in a hook blocks it for good.
    if (count === 1 && !hasHooks(settings))
      return (await import('../service/start-service.ts')).startService(settings, log);
    const { startWorkers } = await import('../service/workers/start-workers.ts');
    return startWorkers({ settings, count, main: programUrl('./main.ts', import.meta.url) }, log);
  });

/**
 * Serves until a signal or a crash, then ends the process. Resolves (or rejects) only when the service did not start.
 */
export async function runService(
  terminal: Terminal,
  start: Start,
  adapt = (settings: Settings): Settings => settings,
): Promise<number> {
  const settings = adapt(readSettings(terminal.environment, settingsFileName));
  const log = createLogger(settings.logLevel);
  const ending = firstEnding(() => process.exit(exitCodes.refused));
  const service = await start(settings, log);
  endStart();
  const { url, types, firstAdmin, note = '' } = service;
  // Loaded after the start, so as not to delay it.
  const { welcomeText } = await import('./welcome.ts');
  terminal.out(`${welcomeText({ url, settings, types, admin: firstAdmin })}${note}`);
  const exitCode = await stopAfter(await ending, service, { log, limitMs: stopLimits(settings).processMs });
  // Only timers of libraries may remain.
  return process.exit(exitCode);
}

/** An orderly stop takes less than `limitMs`; otherwise the process is ended before the sender of the signal loses patience. */
async function stopAfter(
  ending: Ending,
  service: RunningService,
  { log, limitMs }: { readonly log: Logger; readonly limitMs: number },
): Promise<number> {
  if (ending.kind === 'crash') log.fatal({ err: ending.error }, 'uncaught error');
  else log.info({ signal: ending.signal }, 'stopping');
  const limit = setTimeout(() => {
    log.error('the stop took too long');
    process.exit(exitCodes.refused);
  }, limitMs);
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
