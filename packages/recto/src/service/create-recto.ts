import { createLogger } from '../base/logger.ts';
import { checkSettings } from '../config/settings.ts';
import type { Recto, RectoOptions } from './recto.ts';

/**
 * Creates a content service: checks settings and definitions, opens the database, creates or changes its tables to fit them.
 * Rejects with a `FatalError` that lists everything that is wrong; nothing is left open then.
 *
 * @example
 * const recto = await createRecto({ settings: { dataDir: 'data', port: 8080 } });
 * const { url } = await recto.start();
 */
export async function createRecto({ settings = {}, definitions, log }: RectoOptions = {}): Promise<Recto> {
  const checked = checkSettings(settings);
  // Loaded when it is called: definition files import `defineContentType` from the same module.
  const { openService } = await import('./open-service.ts');
  return openService({ settings: checked, definitions, log: log ?? createLogger(checked.logLevel) });
}
