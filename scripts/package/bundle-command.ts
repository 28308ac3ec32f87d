import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What the builds of the package have in common. */
type CommonOptions = Pick<Bun.BuildConfig, 'target' | 'metafile' | 'minify' | 'external'>;

interface CommandOptions {
  readonly entrypoint: string;
  readonly outdir: string;
  readonly common: CommonOptions;
  readonly define: Readonly<Record<string, string>>;
}

/** How the bundler writes the imports of one part in another. */
const imports = /\bimport\{([^}]*)\}from"(\.\/part-[a-z0-9]+\.js)";/g;
const effects = /\bimport"(\.\/part-[a-z0-9]+\.js)";/g;
const laterImports = /\bimport\("(\.\/part-[a-z0-9]+\.js)"\)/g;

/**
 * Bundles the command as scripts with their bytecode, so that nothing is parsed at a start. Each part is a file of its own, which is read
 * when it is first used: a process has no memory for what it never runs. The runtime reads bytecode of scripts alone (of modules in an
 * executable only), and rejects that of another version: then it parses the file. The bundler divides modules alone, so each part is
 * built again as a script.
 */
export async function bundleCommand({
  entrypoint,
  outdir,
  common,
  define,
}: CommandOptions): Promise<readonly Bun.BuildOutput[]> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-parts-'));
  const required = requiredPackages();
  try {
    const parts = await Bun.build({
      ...common,
      entrypoints: [entrypoint],
      outdir: folder,
      format: 'esm',
      splitting: true,
      naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
      define: { ...define, 'import.meta.url': 'Bun.main' },
      plugins: [required.plugin],
    });
    const files = parts.outputs.map(({ path }) => path);
    for (const file of files) await Bun.write(file, withRequires(await Bun.file(file).text(), file));
    const scripts: Omit<Bun.BuildConfig, 'entrypoints'> = {
      ...common,
      outdir,
      format: 'cjs',
      bytecode: true,
      external: [...(common.external ?? []), './part-*'],
    };
    await Bun.build({ ...scripts, entrypoints: files, naming: { entry: '[name].[ext]' } });
    const packages = [...required.paths].map(([part, path]) =>
      Bun.build({ ...scripts, entrypoints: [path], naming: { entry: part } }),
    );
    return [parts, ...(await Promise.all(packages))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Packages that the service loads by `require` when it needs them: with what imports them, they would be loaded at the start. */
function requiredPackages(): { readonly plugin: Bun.BunPlugin; readonly paths: ReadonlyMap<string, string> } {
  const paths = new Map<string, string>();
  const plugin: Bun.BunPlugin = {
    name: 'required packages',
    setup: (build) => {
      build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
        if (kind !== 'require-call' || importer.includes('/node_modules/')) return undefined;
        const part = `part-${path.split('/')[0]}.js`;
        paths.set(part, Bun.resolveSync(path, dirname(importer)));
        return { path: `./${part}`, external: true };
      });
    },
  };
  return { plugin, paths };
}

/**
 * A part that takes what it imports of other parts once, when it is loaded. As imports, the bundler would look each up at every use.
 * That is the same because parts do not import each other in a circle, and export nothing that is assigned later.
 */
function withRequires(text: string, file: string): string {
  const script = text
    .replace(imports, (_, names: string, part: string) => `const{${names.replaceAll(' as ', ':')}}=require("${part}");`)
    .replace(effects, 'require("$1");')
    // What the runtime's `import` returns of a script has other members.
    .replace(laterImports, 'Promise.resolve().then(()=>require("$1"))')
    .replaceAll('import.meta.require', 'require');
  const left = /\bimport\b[^;"]*"\.\/part-|\bimport\.meta\b/.exec(script);
  if (left !== null) throw new Error(`${file} contains an import that is not understood: ${left[0].slice(0, 80)}`);
  return script;
}
