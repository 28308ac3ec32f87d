import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { countOf } from '../base/count-of.ts';
import { createLogger } from '../base/logger.ts';
import { StartRefused } from '../base/start-refused.ts';
import type { Terminal } from '../base/terminal.ts';
import type { Settings } from '../config/settings.ts';
import { ownTypes } from '../features/own-types.ts';
import { type SingleService, startService } from '../service/start-service.ts';
import { runService } from './start-command.ts';
import { watchFolder } from './watch-folder.ts';

/** `recto dev`: as `recto start` with one process, and definitions are read anew when their files change. */
export const runDevelopment = (terminal: Terminal): Promise<number> =>
  runService(terminal, async (settings, log) => {
    const service = await startService(settings, log);
    const endWatch = watchFolder(settings.contentTypesDir, () => reload(terminal, service, settings));
    terminal.out(`  Definitions are read anew when a file in ${settings.contentTypesDir} changes.\n\n`);
    const stop = (): Promise<void> => {
      endWatch();
      return service.stop();
    };
    const note = `  Definitions are read anew when a file in ${settings.contentTypesDir} changes.\n\n`;
    return { ...service, stop, note };
  });

/** Faults are printed, and the service goes on with the definitions before. */
async function reload(terminal: Terminal, service: SingleService, settings: Settings): Promise<void> {
  try {
    forgetModules(settings.contentTypesDir);
    const types = await service.reload();
    terminal.out(`Reloaded: ${countOf(ownTypes(types.all).length, 'content type')}.\n`);
  } catch (error) {
    if (error instanceof StartRefused)
      terminal.err(`${error.message}\nThe service goes on with the definitions it had before.\n`);
    else createLogger(settings.logLevel).error({ err: error }, 'the definitions could not be reloaded');
  }
}

/**
 * Definitions in TypeScript, and what they import of the same folder, run once unless the runtime forgets them. Modules
 * that could not be run are remembered too, but the runtime does not list them: every file of the folder is forgotten.
 */
function forgetModules(folder: string): void {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(realpathSync(folder), String(name)));
  for (const path of paths) delete require.cache[path];
}
