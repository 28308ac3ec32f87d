import { fileURLToPath, pathToFileURL } from 'node:url';

/** Set by the build of the package and of the executable; the source runs without either. */
declare const RECTO_BUILD: 'package' | 'executable' | undefined;

/**
 * How this program was made: `source` runs the files of the repository, `package` the JavaScript that npm installs, `executable`
 * one file with the runtime and everything else in it.
 */
export const program: 'source' | 'package' | 'executable' = typeof RECTO_BUILD === 'undefined' ? 'source' : RECTO_BUILD;

/**
 * The address of a module that a thread or process of its own runs. `file` is relative to the module that asks, with
 * `import.meta.url` in `from`. A build puts all its modules into one folder, as JavaScript.
 */
export function programUrl(file: `./${string}.ts`, from: string): URL {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return new URL(program === 'source' ? file : `./${name.replace(/\.ts$/, '.js')}`, urlOf(from));
}

/** The build of the command replaces `import.meta.url` by the path of its file, because it is no module then. */
const urlOf = (from: string): URL => (from.startsWith('file:') ? new URL(from) : pathToFileURL(from));

/** The argument that has this program run as a worker, in place of a command. */
export const workerArgument = '--worker-of-a-service';

/** The folder of the built admin, which need not be there in a repository. An executable has it inside; the runtime reads it there. */
export const adminFolder = (): string =>
  fileURLToPath(new URL(program === 'source' ? '../../../admin/dist/' : './admin/', urlOf(import.meta.url)));
