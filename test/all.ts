import { dirname, join, relative, resolve } from 'node:path';
import { startPostgres } from './postgres-server.ts';

/**
 * `npm test`: every test file, on SQLite; then those that work on a database once more, on PostgreSQL. What is given on the
 * command line goes on to `bun test`; `RECTO_TEST_DATABASE` names the one to run on alone. One server serves all files of the second run: the one that `RECTO_TEST_POSTGRES_URL`
 * names, or one that is started for it.
 */
const root = resolve(import.meta.dir, '..');
const database = join(import.meta.dir, 'database.ts');

async function run(
  name: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  process.stdout.write(`\n${name}\n`);
  const command = [
    process.execPath,
    'test',
    '--parallel',
    '--no-isolate',
    '--timeout',
    '600000',
    ...process.argv.slice(2),
    ...files,
  ];
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return (await child.exited) === 0;
}

/** Whether a file leads to `test/database.ts` by its imports. */
class Imports {
  readonly #known = new Map<string, Promise<readonly string[]>>();

  async leadsToDatabase(file: string, seen = new Set<string>()): Promise<boolean> {
    if (file === database) return true;
    if (seen.has(file)) return false;
    seen.add(file);
    for (const imported of await this.#of(file)) if (await this.leadsToDatabase(imported, seen)) return true;
    return false;
  }

  #of(file: string): Promise<readonly string[]> {
    let known = this.#known.get(file);
    if (known === undefined) {
      known = imports(file);
      this.#known.set(file, known);
    }
    return known;
  }
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });

async function imports(file: string): Promise<readonly string[]> {
  const found = transpiler.scanImports(await Bun.file(file).text());
  return found.flatMap(({ path }) => (/^\..*\.ts$/.test(path) ? [resolve(dirname(file), path)] : []));
}

async function databaseTests(): Promise<readonly string[]> {
  const graph = new Imports();
  const files: string[] = [];
  for await (const file of new Bun.Glob('{packages,examples,test}/**/*.test.ts').scan({ cwd: root, absolute: true })) {
    if (await graph.leadsToDatabase(file)) files.push(`./${relative(root, file)}`);
  }
  return files.sort();
}

async function runOnPostgres(): Promise<boolean> {
  const given = process.env.RECTO_TEST_POSTGRES_URL;
  const server = given === undefined ? await startPostgres() : undefined;
  const environment = { RECTO_TEST_DATABASE: 'postgres', RECTO_TEST_POSTGRES_URL: given ?? server?.url ?? '' };
  const passed = await run('On PostgreSQL', await databaseTests(), environment);
  await server?.[Symbol.asyncDispose]();
  return passed;
}

const only = process.env.RECTO_TEST_DATABASE;
const passed = [
  only === 'postgres' || (await run('On SQLite', [], { RECTO_TEST_DATABASE: 'sqlite' })),
  only === 'sqlite' || (await runOnPostgres()),
];
process.exit(passed.every(Boolean) ? 0 : 1);
