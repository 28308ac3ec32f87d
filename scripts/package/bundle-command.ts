import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/**
 * Bundles the command as scripts with their bytecode, so that nothing is parsed at a start. Each part is a file of its own, which is read
 * when it is first used: a process has no memory for what it never runs. The runtime reads bytecode of scripts alone (of modules in an
 * executable only), and rejects that of another version: then it parses the file. The bundler divides modules alone, so each part is
 * built again as a script.
 */
export async function bundleCommand({ entrypoint, outdir, common, define }: CommandOptions): Promise<Bun.BuildOutput> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-parts-'));
  try {
    const parts = await Bun.build({
      ...common,
      entrypoints: [entrypoint],
      outdir: folder,
      format: 'esm',
      splitting: true,
      naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
      define: { ...define, 'import.meta.url': 'Bun.main' },
    });
    const files = parts.outputs.map(({ path }) => path);
    for (const file of files) await Bun.write(file, withRequires(await Bun.file(file).text(), file));
    await Bun.build({
      ...common,
      entrypoints: files,
      outdir,
      format: 'cjs',
      bytecode: true,
      external: [...(common.external ?? []), './part-*'],
      naming: { entry: '[name].[ext]' },
    });
    return parts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A part that takes what it imports of other parts once, when it is loaded. As imports, the bundler would look each up at every use.
 * That is the same because parts do not import each other in a circle, and export nothing that is assigned later.
 */
function withRequires(text: string, file: string): string {
  const script = text
    .replace(imports, (_, names: string, part: string) => `const{${names.replaceAll(' as ', ':')}}=require("${part}");`)
    .replace(effects, 'require("$1");')
    .replaceAll('import.meta.require', 'require');
  const left = /\bimport\b[^;("]*"\.\/part-|\bimport\.meta\b/.exec(script);
  if (left !== null) throw new Error(`${file} contains an import that is not understood: ${left[0].slice(0, 80)}`);
  return script;
}
