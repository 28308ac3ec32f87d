import { dirname, join, resolve } from 'node:path';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** The test files that use a database: those whose imports lead to `test/support/database/database.ts`. */
export async function databaseTests(root: string): Promise<readonly string[]> {
  const imports = new Imports(join(root, 'test/support/database/database.ts'));
  const files: string[] = [];
  const tests = new Bun.Glob('{packages,examples,test}/**/*.test.ts');
  for await (const file of tests.scan({ cwd: root, absolute: true })) {
    if (!file.includes('/node_modules/') && (await imports.lead(file))) files.push(file);
  }
  return files.sort();
}

class Imports {
  readonly #target: string;
  readonly #known = new Map<string, Promise<readonly string[]>>();

  constructor(target: string) {
    this.#target = target;
  }

  /** Whether a file imports the target, directly or through others. */
  async lead(file: string, seen = new Set<string>()): Promise<boolean> {
    if (file === this.#target) return true;
    if (seen.has(file)) return false;
    seen.add(file);
    for (const imported of await this.#of(file)) if (await this.lead(imported, seen)) return true;
    return false;
  }

  #of(file: string): Promise<readonly string[]> {
    let known = this.#known.get(file);
    if (known === undefined) {
      known = importsOf(file);
      this.#known.set(file, known);
    }
    return known;
  }
}

async function importsOf(file: string): Promise<readonly string[]> {
  const found = transpiler.scanImports(await Bun.file(file).text());
  return found.flatMap(({ path }) => (/^\..*\.ts$/.test(path) ? [resolve(dirname(file), path)] : []));
}
