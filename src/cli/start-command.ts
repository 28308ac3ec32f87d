import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import { type Ending, firstEnding } from './ending.ts';
import { type RunningService, startService } from './start-service.ts';
import { exitCodes, type Terminal } from './terminal.ts';

/** An orderly stop takes less; if it does not, the process ends all the same, in time for whoever sent the signal. */
const stopLimitMs = 4_800;

/** What goes on beside the service until it stops; returns what ends it. */
export type Companion = (service: RunningService, settings: Settings) => () => void;

/**
 * `recto start`: serves until a signal or a crash. Ends the process itself when it has served; resolves (or rejects) when it
 * has not.
 */
export async function runService(terminal: Terminal, companion?: Companion): Promise<number> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const log = createLogger(settings.logLevel);
  const ending = firstEnding(() => process.exit(exitCodes.refused));
  const service = await startService(settings, { log, out: terminal.out });
  const endCompanion = companion?.(service, settings);
  const reason = await ending;
  endCompanion?.();
  const exitCode = await stopAfter(reason, service, log);
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
