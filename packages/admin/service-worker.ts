import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Plugin, type Rolldown, transformWithOxc } from 'vite';
import type { Shell } from './src/worker/shell.ts';

const source = join(import.meta.dirname, 'src');
const screen = 'screens/offline/Offline.svelte';
const catalogue = /^text\/([\w-]+)\/catalogue\.ts$/;

/** Builds `service-worker.js`, which keeps the files that the admin needs to open without the service. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  // After the page, which is written by a plugin of Vite.
  enforce: 'post',
  async generateBundle(_, bundle) {
    const file = join(source, 'worker/service-worker.ts');
    const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
    // Browsers run it as a script, in which nothing is exported.
    const script = code.replace(/\nexport \{\};\s*$/, '\n');
    const text = `const shell = ${JSON.stringify(shellOf(bundle))};\n${script}`;
    this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: text });
  },
});

function shellOf(bundle: Rolldown.OutputBundle): Shell {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const assets = Object.values(bundle).filter((each) => each.type === 'asset');
  /** A chunk by the file that it was made for, below `src`. */
  const bySource = new Map(chunks.map((chunk) => [relative(source, chunk.facadeModuleId ?? ''), chunk]));
  const withImports = (chunk: Rolldown.OutputChunk, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(chunk.fileName)) return found;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') withImports(imported, found);
    }
    return found;
  };
  const offline = bySource.get(screen);
  if (offline === undefined) throw new Error(`There is no chunk of ${screen}.`);
  const pages = chunks.filter((chunk) => chunk.isEntry);
  const fonts = assets.filter(({ names }) => names.some((name) => name === 'latin.woff2' || name === 'icon.svg'));
  const files = new Set([
    ...[...pages, offline].flatMap((chunk) => [...withImports(chunk)]),
    ...fonts.map((font) => font.fileName),
  ]);
  const paths = (names: Iterable<string>): readonly string[] => [...names].sort().map((name) => `/admin/${name}`);
  const languages = [...bySource].flatMap(([file, chunk]) => {
    const code = catalogue.exec(file)?.[1];
    return code === undefined
      ? []
      : [[code, paths([...withImports(chunk)].filter((name) => !files.has(name)))] as const];
  });
  const version = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 16);
  return { version, files: paths(files), languages: Object.fromEntries(languages) };
}
