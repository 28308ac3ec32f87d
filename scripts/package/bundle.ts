import { basename, join } from 'node:path';

export const root = join(import.meta.dir, '../..');
export const packageFolder = join(root, 'packages/recto');
const source = join(packageFolder, 'src');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const manifest: Manifest = await Bun.file(join(packageFolder, 'package.json')).json();

/** The modules that something starts: the command, the library, and the programs of threads and processes of their own. */
export function entries(): readonly string[] {
  const workers = [...new Bun.Glob('**/*.worker.ts').scanSync(source)].toSorted();
  const files = ['cli/main.ts', 'index.ts', 'service/workers/worker-main.ts', ...workers];
  const names = files.map((file) => basename(file));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  // They end in one folder, where `programUrl` looks for them.
  if (twice !== undefined) throw new Error(`Two programs are named ${twice}.`);
  return files.map((file) => join(source, file));
}

/** Bundles the service into `folder`: few files, which load faster than hundreds. Returns the packages whose code is in them. */
export async function bundle(folder: string): Promise<ReadonlySet<string>> {
  const { success, logs, metafile } = await Bun.build({
    entrypoints: [...entries()],
    outdir: folder,
    target: 'bun',
    format: 'esm',
    splitting: true,
    metafile: true,
    // Names stay, for the stacks in logs; less text is less to parse at each start.
    minify: { syntax: true, whitespace: true, identifiers: false },
    naming: { entry: '[name].[ext]', chunk: 'chunk-[hash].[ext]' },
    define: { RECTO_BUILD: '"package"' },
    external: ['sharp'],
  });
  if (!success || metafile === undefined) throw new Error(logs.map(String).join('\n'));
  return packagesOf(Object.keys(metafile.inputs));
}

/** The packages that files belong to: the innermost one of nested ones. */
function packagesOf(files: readonly string[]): ReadonlySet<string> {
  const names = files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0]);
  return new Set(names.filter((name) => name !== undefined).map((name) => name.slice(name.indexOf('node_modules/'))));
}
