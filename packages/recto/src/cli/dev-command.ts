import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { createLogger } from '../base/logger.ts';
import type { Terminal } from '../base/terminal.ts';
import { type Settings, withDevelopmentMail } from '../config/settings.ts';
import { ownTypes } from '../features/own-types.ts';
import { codeFolders } from '../hooks/code-folders.ts';
import { type SingleService, startService } from '../service/start-service.ts';
import { runService } from './start-command.ts';
import { watchFolder } from './watch-folder.ts';

/** `recto dev`: like `recto start` with one process, but definitions are reloaded when their files change. */
export const runDevelopment = (terminal: Terminal): Promise<number> =>
  runService(
    terminal,
    async (settings, log) => {
      const service = await startService(settings, log);
      let reloading = Promise.resolve();
      const changed = (): Promise<void> => {
        reloading = reloading.then(() => reload(terminal, service, settings));
        return reloading;
      };
      const endWatches = watchedFolders(settings).map((folder) => watchFolder(folder, changed));
      const stop = (): Promise<void> => {
        for (const end of endWatches) end();
        return service.stop();
      };
      const note = `  Definitions, roles, hooks, routes and jobs are read anew when a file in their folders changes.\n\n`;
      return { ...service, stop, note };
    },
    withDevelopmentMail,
  );

function watchedFolders(settings: Settings): readonly string[] {
  const { hooks, routes, jobs } = codeFolders(settings);
  return [settings.contentTypesDir, settings.rolesDir, hooks, routes, jobs];
}

/** Errors are printed, and the service keeps the previous definitions. */
async function reload(terminal: Terminal, service: SingleService, settings: Settings): Promise<void> {
  try {
    for (const folder of watchedFolders(settings)) forgetModules(folder);
    const types = await service.reload();
    terminal.out(`Reloaded: ${countOf(ownTypes(types.all).length, 'content type')}.\n`);
  } catch (error) {
    if (error instanceof FatalError)
      terminal.err(`${error.message}\nThe service goes on with the definitions it had before.\n`);
    else createLogger(settings.logLevel).error({ err: error }, 'the definitions could not be reloaded');
  }
}

/**
 * Clears the module cache, since definitions in TypeScript and their imports from the same folder run only once. Modules that
 * failed are cached too, but the runtime does not list them, so every file of the folder is cleared.
 */
function forgetModules(folder: string): void {
  if (!existsSync(folder)) return;
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(realpathSync(folder), String(name)));
  for (const path of paths) delete require.cache[path];
}
