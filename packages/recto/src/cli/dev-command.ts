import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../base/logger.ts';
import { StartRefused } from '../base/start-refused.ts';
import type { Terminal } from '../base/terminal.ts';
import type { Settings } from '../config/settings.ts';
import { runService } from './start-command.ts';
import { type SingleService, startService } from './start-service.ts';
import { ownTypes } from './type-address.ts';
import { watchFolder } from './watch-folder.ts';
import { countOf } from './welcome.ts';

/** `recto dev`: as `recto start` with one process, and definitions are read anew when their files change. */
export const runDevelopment = (terminal: Terminal): Promise<number> =>
  runService(terminal, async (settings, surroundings) => {
    const service = await startService(settings, surroundings);
    const endWatch = watchFolder(settings.contentTypesDir, () => reload(terminal, service, settings));
    terminal.out(`  Definitions are read anew when a file in ${settings.contentTypesDir} changes.\n\n`);
    const stop = (): Promise<void> => {
      endWatch();
      return service.stop();
    };
    return { url: service.url, stop };
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
