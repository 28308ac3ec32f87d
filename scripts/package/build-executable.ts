import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFolder, root, threads } from './bundle.ts';
import { targetRuntime } from './target-runtime.ts';

/**
 * `npm run build:executable`: one file, `dist/recto`, with the runtime, the service, its threads and the built admin.
 * `-- --target=bun-darwin-arm64` makes it for another system, with the runtime for that one from the npm registry.
 * `RECTO_EXECUTABLE` names another file.
 */
const target = process.argv.find((word) => word.startsWith('--target='))?.slice('--target='.length);
const outfile =
  process.env.RECTO_EXECUTABLE ??
  join(root, 'dist', target === undefined ? 'recto' : `recto-${target.replace(/^bun-/, '')}`);

/** Its native library cannot be inside of the file. `program` says which functions are used instead. */
const withoutSharp: Bun.BunPlugin = {
  name: 'without sharp',
  setup: (build) => {
    build.onResolve({ filter: /^sharp$/ }, () => ({ path: 'sharp', namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export default undefined;',
      loader: 'js',
    }));
  },
};

const folder = mkdtempSync(join(tmpdir(), 'recto-executable-'));
try {
  cpSync(join(root, 'packages/admin/dist'), join(folder, 'admin'), {
    recursive: true,
    filter: (path) => !path.includes('/.vite'),
  });
  const first = join(folder, 'recto.js');
  await Bun.write(first, firstModule([...new Bun.Glob('admin/**').scanSync(folder)].toSorted()));
  mkdirSync(dirname(outfile), { recursive: true });
  await Bun.build({
    entrypoints: [first, ...threads],
    // The files of the admin have their paths below it.
    root: folder,
    target: 'bun',
    format: 'esm',
    bytecode: true,
    // What a process never runs, it does not load.
    splitting: true,
    minify: { syntax: true, whitespace: false, identifiers: false },
    naming: { entry: '[name].[ext]', asset: '[dir]/[name].[ext]' },
    define: { RECTO_BUILD: '"executable"' },
    plugins: [withoutSharp],
    // The type of the target is the list of those that there are; the compiler rejects any other.
    // A bunfig.toml of the working folder could name programs to run first.
    compile: {
      outfile,
      autoloadBunfig: false,
      ...(target === undefined
        ? {}
        : { target: target as Bun.Build.CompileTarget, executablePath: targetRuntime(target) }),
    },
  });
} finally {
  rmSync(folder, { recursive: true });
}

/** Imports the files of the admin, so that they are inside, under their own paths, and then the command. */
function firstModule(files: readonly string[]): string {
  const imports = files.map(
    (file, at) => `import file${at} from ${JSON.stringify(`./${file}`)} with { type: 'file' };`,
  );
  const used = `globalThis[Symbol.for('recto.files')] = [${files.map((_, at) => `file${at}`).join(', ')}];`;
  const main = join(packageFolder, 'src/cli/main.ts');
  return [...imports, used, `await import(${JSON.stringify(main)});`, ''].join('\n');
}
