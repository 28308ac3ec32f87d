import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { startPostgres } from './support/database/postgres-server.ts';
import { databaseTests } from './support/runner/database-tests.ts';
import { readTestArguments } from './support/runner/test-arguments.ts';

/**
 * `npm test`: every test file on SQLite, then those that use a database once more on PostgreSQL. `npm test -- records` runs
 * the tests of that module alone, on SQLite; `--postgres` adds the run on PostgreSQL, `--watch` runs them again at each change,
 * and other options are passed to `bun test`. `RECTO_TEST_DATABASE` names the one database to use. One PostgreSQL server
 * serves all files: that of `RECTO_TEST_POSTGRES_URL`, or one started for the run.
 */
const root = join(import.meta.dir, '..');
const given = readTestArguments(process.argv.slice(2), modules());

if (given.error !== undefined) {
  process.stderr.write(`${given.error}\n`);
  process.exit(2);
}
const { folders, options, postgres } = given;

const only = process.env.RECTO_TEST_DATABASE;

/** One more than there are cores: some tests wait for processes that they start, or for pages. */
const workers = availableParallelism() + 1;
const passed = [
  only === 'postgres' || (await run('On SQLite', folders, { RECTO_TEST_DATABASE: 'sqlite' })),
  only === 'sqlite' || (!postgres && only !== 'postgres') || (await runOnPostgres()),
];
process.exit(passed.every(Boolean) ? 0 : 1);

/** The names that a part can be asked for by, with the folders of their tests. */
function modules(): ReadonlyMap<string, readonly string[]> {
  const below = (folder: string): readonly [string, readonly string[]][] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, [`./${folder}/${name}/`]]);
  return new Map([
    ...below('packages'),
    ...below('packages/recto/src'),
    ['bench', ['./bench/']],
    ['spec', ['./test/spec/']],
  ]);
}

async function run(
  name: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  process.stdout.write(`\n${name}\n`);
  const command = [
    process.execPath,
    'test',
    ...(options.includes('--watch') ? [] : [`--parallel=${workers}`, '--no-isolate']),
    '--timeout',
    '600000',
    ...options,
    ...files,
  ];
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return (await child.exited) === 0;
}

async function runOnPostgres(): Promise<boolean> {
  const files = (await databaseTests(root))
    .map((file) => `./${relative(root, file)}`)
    .filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)));
  if (files.length === 0) {
    process.stdout.write('\nOn PostgreSQL: none of these tests uses a database.\n');
    return true;
  }
  const url = process.env.RECTO_TEST_POSTGRES_URL;
  await using server = url === undefined ? await startPostgres() : undefined;
  const environment = { RECTO_TEST_DATABASE: 'postgres', RECTO_TEST_POSTGRES_URL: url ?? server?.url ?? '' };
  return await run('On PostgreSQL', files, environment);
}
