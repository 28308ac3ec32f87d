import { dirname, join, resolve } from 'node:path';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** Every test file of the project, in order: its path from the root, and its text. */
export async function readTestFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const glob = new Bun.Glob('{packages,examples,test,bench}/**/*.test.ts');
  const paths = [...glob.scanSync({ cwd: root })].filter((path) => !/\/(?:node_modules|dist)\//.test(path)).toSorted();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(join(root, path)).text()] as const)),
  );
}

/** Those of the files that use a database: their imports lead to `test/support/database/database.ts`. */
export async function databaseTests(root: string, paths: Iterable<string>): Promise<readonly string[]> {
  const imports = new Imports(join(root, 'test/support/database/database.ts'));
  const found: string[] = [];
  for (const path of paths) if (await imports.lead(join(root, path))) found.push(path);
  return found;
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
