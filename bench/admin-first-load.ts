import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstLoad } from '../packages/admin/first-load.ts';

/**
 * What a browser loads of the admin, gzipped, scripts and styles together: `bun bench/admin-first-load.ts`, after `npm run build`.
 * Bytes, so the same on every machine.
 */
const folder = join(import.meta.dir, '../packages/admin/dist');
if (!existsSync(join(folder, 'index.html'))) throw new Error('The admin is not built: npm run build.');

const screens = [
  ['Sign in', []],
  ['Home', ['src/screens/home/Home.svelte']],
  ['List', ['src/screens/list/List.svelte']],
  ['Editor', ['src/screens/editor/Editor.svelte']],
] as const;

for (const [name, chunks] of screens) {
  const { files, bytes } = firstLoad(folder, ...chunks);
  process.stdout.write(`${name.padEnd(8)} ${(bytes / 1000).toFixed(1).padStart(6)} kB gzip, ${files} files\n`);
}
