import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { DefinitionFault } from '../definition/definition-fault.ts';
import { importModule, placeOfError } from '../definition/import-module.ts';
import { thrownText } from '../definition/safe-copy.ts';
import { checkCron, checkHooks, checkRoute, type Found } from './check-code.ts';
import { CodeErrors } from './code-errors.ts';
import { codeFolders, isCodeFile, requireNamedFolders } from './code-folders.ts';
import type { LoadedCode, LoadedHooks, LoadedJob, LoadedRoute } from './loaded-code.ts';
import { repeatedRoutes } from './repeated-routes.ts';
import { lineOf } from './source-line.ts';

/** A file of a deployment's code. */
interface CodeFile {
  readonly name: string;
  readonly file: string;
  readonly path: string;
}

/** Loads the hooks, routes and jobs of a deployment. Rejects with a `FatalError` that lists every error of every file. */
export async function loadCode(settings: Pick<Settings, 'hooksDir' | 'routesDir' | 'jobsDir'>): Promise<LoadedCode> {
  requireNamedFolders(settings);
  const folders = codeFolders(settings);
  const faults: DefinitionFault[] = [];
  const hooks: LoadedHooks[] = await load(folders.hooks, checkHooks, faults);
  const routes: LoadedRoute[] = await load(folders.routes, checkRoute, faults);
  const jobs: LoadedJob[] = await load(folders.jobs, checkCron, faults);
  faults.push(...repeatedRoutes(routes));
  if (faults.length > 0) throw new CodeErrors(faults.toSorted(byPlace));
  return { hooks, routes, jobs };
}

const byPlace = (a: DefinitionFault, b: DefinitionFault): number =>
  a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1;

async function load<T extends object>(
  folder: string,
  check: (exported: unknown) => Found<T>,
  faults: DefinitionFault[],
): Promise<(CodeFile & T)[]> {
  const loaded: (CodeFile & T)[] = [];
  for (const file of codeFiles(folder, faults)) {
    const found = await exportOf(file, faults);
    if (found === undefined) continue;
    const checked = check(found.exported);
    if (checked.ok) loaded.push({ ...file, ...checked.value });
    else
      for (const { path, message, remedy, near } of checked.issues)
        faults.push({ file: file.file, ...lineOf(textOf(file), near), path, message, remedy });
  }
  return loaded;
}

async function exportOf(
  code: CodeFile,
  faults: DefinitionFault[],
): Promise<{ readonly exported: unknown } | undefined> {
  const { path, file } = code;
  try {
    const module = await importModule(path, file);
    // What is exported is checked by the caller; a module without a default export has none that passes.
    return { exported: Object(module).default };
  } catch (error) {
    const message = `cannot be run: ${thrownText(error)}`;
    // The runtime does not say where a module is imported that is not there.
    const missing = /Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1];
    const place = { ...lineOf(textOf(code), missing), ...placeOfError(error, path) };
    faults.push({ file, ...place, path: '', message, remedy: 'fix the program' });
    return undefined;
  }
}

/** The TypeScript files of a folder by their names, without tests and declarations; none of a folder that is not there. */
function codeFiles(folder: string, faults: DefinitionFault[]): readonly CodeFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    faults.push({
      ...{ file: folder, path: '', message: `the folder cannot be read (${thrownText(error)})` },
      remedy: 'let the service read it, or take it away',
    });
    return [];
  }
  return names
    .filter(isCodeFile)
    .toSorted()
    .map((name) => ({
      name: name.slice(0, -'.ts'.length),
      file: join(folder, name),
      path: join(realpathSync(folder), name),
    }));
}

function textOf({ path }: CodeFile): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
