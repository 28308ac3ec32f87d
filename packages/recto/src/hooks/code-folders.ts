import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import { settingTable } from '../config/setting-table.ts';
import type { Settings } from '../config/settings.ts';

type FolderSettings = Pick<Settings, 'hooksDir' | 'routesDir' | 'jobsDir'>;

/** The folders of a deployment's code, by what is in them. */
export interface CodeFolders {
  readonly hooks: string;
  readonly routes: string;
  readonly jobs: string;
}

/** Where hooks, routes and jobs are: routes and jobs beside the hooks, unless they are named. */
export function codeFolders({ hooksDir, routesDir, jobsDir }: FolderSettings): CodeFolders {
  const beside = (name: string): string => join(dirname(hooksDir.replace(/\/+$/, '')), name);
  return { hooks: hooksDir, routes: routesDir ?? beside('routes'), jobs: jobsDir ?? beside('jobs') };
}

/** A folder that was named must be there; a default one may be missing. */
export function requireNamedFolders({ hooksDir, routesDir, jobsDir }: FolderSettings): void {
  const named = {
    RECTO_HOOKS_DIR: hooksDir === settingTable.hooksDir.default ? undefined : hooksDir,
    RECTO_ROUTES_DIR: routesDir,
    RECTO_JOBS_DIR: jobsDir,
  };
  for (const [setting, folder] of Object.entries(named)) {
    if (folder !== undefined && !existsSync(resolve(folder)))
      throw new FatalError(`${setting}: there is no folder ${folder}.`);
  }
}

/** Whether a file of such a folder is loaded: TypeScript, and neither a test nor a declaration. */
export const isCodeFile = (name: string): boolean => /^[^.].*\.ts$/.test(name) && !/\.(?:test|d)\.ts$/.test(name);

/** Whether there are hooks, which run in the processes that answer. */
export function hasHooks({ hooksDir }: Pick<Settings, 'hooksDir'>): boolean {
  try {
    return readdirSync(hooksDir).some(isCodeFile);
  } catch {
    // What is wrong with the folder is reported when it is loaded.
    return false;
  }
}
