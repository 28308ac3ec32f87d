import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { globImports } from './glob-imports.ts';
import { compressFiles } from './precompress.ts';

/**
 * Builds the page that links in mails lead to, beside the admin: `bun account-pages.ts [folder]`. It has the design of the admin and none of
 * its code, so that it loads at once on any device.
 */
export async function buildAccountPages(folder: string): Promise<void> {
  const source = join(import.meta.dirname, 'account');
  await mkdir(folder, { recursive: true });
  const shared = ['tokens.css', 'card.css'].map((name) => join(import.meta.dirname, 'src/ui', name));
  const styles = [...shared, join(source, 'account.css')];
  const css = await Promise.all(styles.map((file) => readFile(file, 'utf8')));
  await writeFile(join(folder, 'account.css'), css.join('\n'));
  await cp(join(source, 'index.html'), join(folder, 'index.html'));
  const built = await Bun.build({
    entrypoints: [join(source, 'account.ts')],
    outdir: folder,
    target: 'browser',
    // The texts of each language are a file that is loaded where it is read.
    format: 'esm',
    splitting: true,
    plugins: [globImports],
    minify: true,
  });
  if (!built.success) throw new Error(built.logs.map(String).join('\n'));
  await compressFiles(folder);
}

if (import.meta.main) await buildAccountPages(process.argv[2] ?? join(import.meta.dirname, 'dist/account'));
