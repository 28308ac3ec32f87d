import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  /** Chunks that are loaded with it. */
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

export interface Load {
  readonly files: number;
  /** Of all scripts and styles, gzipped, of the page, and of the typeface that it preloads. */
  readonly bytes: number;
}

/**
 * What a browser loads to show the first page, in a built folder: the page, its typeface, the entry, and the chunk of a screen such as
 * `src/screens/home/Home.svelte`, each with all that it imports.
 */
export function firstLoad(folder: string, ...screens: readonly string[]): Load {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const files = new Set(['index.html']);
  const seen = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`There is no chunk ${name} in ${folder}.`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const each of chunk.imports ?? []) add(each);
  };
  for (const name of ['index.html', ...screens]) add(name);
  const fonts = preloadedFonts(folder).map((file) => readFileSync(join(folder, file)).length);
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
  return { files: files.size + fonts.length, bytes: [...bytes, ...fonts].reduce((sum, each) => sum + each, 0) };
}

/** Files of the typeface that the page names, in the folder. They are compressed already. */
function preloadedFonts(folder: string): readonly string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...html.matchAll(/<link[^>]*rel="preload"[^>]*href="\/admin\/([^"]+\.woff2)"/g)].map(([, file = '']) => file);
}
