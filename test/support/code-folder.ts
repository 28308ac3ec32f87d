import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { provideOwnName } from '../../packages/recto/src/base/own-name.ts';

// As the command and the workers do, for the files that this process loads.
provideOwnName(() => import('../../packages/recto/src/index.ts'));

/** A deployment's code in a folder of its own, from file names to programs. */
export class CodeFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-code-'));

  constructor(files: Readonly<Record<string, string>>) {
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
