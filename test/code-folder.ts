import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes `from 'recto'` lead to the package in a folder outside of the repository. */
export function linkRecto(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(import.meta.dir, '../packages/recto'), join(folder, 'node_modules/recto'));
}

/** A deployment's code in a folder of its own, from file names to programs. */
export class CodeFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-code-'));

  constructor(files: Readonly<Record<string, string>>) {
    linkRecto(this.path);
    mkdirSync(join(this.path, 'hooks'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
