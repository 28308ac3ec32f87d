import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstLoad } from '../packages/admin/first-load.ts';

/**
 * What a browser loads of the admin, gzipped, scripts and styles together: `bun bench/admin-first-load.ts`, after `npm run build`.
 * Bytes, so the same on every machine.
 */
const folder = join(import.meta.dir, '../packages/admin/dist');
if (!existsSync(join(folder, 'index.html'))) throw new Error('The admin is not built: npm run build.');

const names = [
  'blocks',
  'date/Datetime',
  'group',
  'json',
  'list',
  'media',
  'password',
  'relation',
  'tags',
  'text/Address',
  'uid',
];
const lazyFields = names.map((name) => {
  const [directory = '', own = `${directory.charAt(0).toUpperCase()}${directory.slice(1)}`] = name.split('/');
  return `src/fields/${directory}/${own}Field.svelte`;
});

const screens = [
  ['Sign in', ['src/screens/sign-in/SignIn.svelte']],
  ['Home', ['src/screens/home/Home.svelte']],
  ['List', ['src/screens/list/List.svelte']],
  ['Editor', ['src/screens/editor/Editor.svelte']],
  // All but rich text, which comes after the form.
  ['  with every field type', ['src/screens/editor/Editor.svelte', ...lazyFields]],
] as const;

for (const [name, chunks] of screens) {
  const { files, bytes } = firstLoad(folder, ...chunks);
  process.stdout.write(`${name.padEnd(24)} ${(bytes / 1000).toFixed(1).padStart(6)} kB gzip, ${files} files\n`);
}
