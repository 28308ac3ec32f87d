import { basename, join } from 'node:path';
import { bundleCommand } from './bundle-command.ts';

export const root = join(import.meta.dir, '../..');
export const packageFolder = join(root, 'packages/recto');
const source = join(packageFolder, 'src');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const manifest: Manifest = await Bun.file(join(packageFolder, 'package.json')).json();

const command = join(source, 'cli/main.ts');

/** The programs of threads. */
export const threads: readonly string[] = [...new Bun.Glob('**/*.worker.ts').scanSync(source)]
  .toSorted()
  .map((file) => join(source, file));

// They end in one folder, where `programUrl` looks for them.
const names = threads.map((file) => basename(file));
const twice = names.find((name, index) => names.indexOf(name) !== index);
if (twice !== undefined) throw new Error(`Two programs are named ${twice}.`);

const common: Pick<Bun.BuildConfig, 'target' | 'metafile' | 'minify' | 'external'> = {
  target: 'bun',
  metafile: true,
  // Names stay, for the stacks in logs; less text is less to parse at each start.
  minify: { syntax: true, whitespace: true, identifiers: false },
  external: ['sharp'],
};

/** Bundles the service into `folder`. Returns the packages whose code is in it. */
export async function bundle(folder: string): Promise<ReadonlySet<string>> {
  const define = { RECTO_BUILD: '"package"' };
  const built = [
    // The command and workers.
    ...(await bundleCommand({ entrypoint: command, outdir: folder, common, define })),
    // What programs import, and the programs of threads, as modules.
    await Bun.build({
      ...common,
      entrypoints: [join(source, 'index.ts'), ...threads],
      outdir: folder,
      format: 'esm',
      splitting: true,
      naming: { entry: '[name].[ext]', chunk: 'chunk-[hash].[ext]' },
      define,
    }),
  ];
  const files = built.flatMap(({ success, logs, metafile }) => {
    if (!success || metafile === undefined) throw new Error(logs.map(String).join('\n'));
    return Object.keys(metafile.inputs);
  });
  return packagesOf(files);
}

/** The packages that files belong to: the innermost one of nested ones. */
function packagesOf(files: readonly string[]): ReadonlySet<string> {
  const names = files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0]);
  return new Set(names.filter((name) => name !== undefined).map((name) => name.slice(name.indexOf('node_modules/'))));
}
