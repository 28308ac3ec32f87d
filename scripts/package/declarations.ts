import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { packageFolder } from './bundle.ts';

const imported = /((?:from|import\()\s*["'])(\.[^"']+)\.ts(["'])/g;

/** Writes the types of what the package exports into `folder`: those declarations that `index.ts` reaches, and no others. */
export async function writeDeclarations(folder: string): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'recto-types-'));
  try {
    const tsc = Bun.spawnSync(
      [process.execPath, 'x', 'tsc', '-p', join(packageFolder, 'tsconfig.build.json'), '--outDir', made],
      { cwd: packageFolder, stdout: 'inherit', stderr: 'inherit' },
    );
    if (tsc.exitCode !== 0) throw new Error('The types could not be made.');
    const from = join(made, 'src');
    for (const file of await reached(join(from, 'index.d.ts'))) await place(file, join(folder, relative(from, file)));
  } finally {
    rmSync(made, { recursive: true });
  }
}

async function reached(first: string): Promise<ReadonlySet<string>> {
  const files = new Set([first]);
  for (const file of files) {
    const text = await Bun.file(file).text();
    for (const [, , path = ''] of text.matchAll(imported)) files.add(resolve(dirname(file), `${path}.d.ts`));
  }
  return files;
}

/** Copies a declaration. What it imports has the names of JavaScript files, which every TypeScript resolves. */
async function place(file: string, target: string): Promise<void> {
  cpSync(file, target);
  await Bun.write(target, (await Bun.file(file).text()).replaceAll(imported, '$1$2.js$3'));
}
