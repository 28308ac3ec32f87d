import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './support/database/postgres-server.ts';
import { buildProgram } from './support/runner/program.ts';
import { readTestArguments } from './support/runner/test-arguments.ts';
import { databaseTests, readTestFiles } from './support/runner/test-files.ts';
import { planTests, type TestedDatabase, type TestPlan, type Tier } from './support/runner/test-plan.ts';
import { filesOfShard, readShard } from './support/runner/test-shard.ts';
import { recordedTimes, slowestFiles, timesFile } from './support/runner/test-times.ts';

/**
 * Runs the tests: `npm test` those that show within minutes that a change is sound, `npm run test:rest` (`--rest`) what that leaves
 * out: processes, faults, packages, pages in a browser, and PostgreSQL where SQL does not differ. `npm test -- records` runs the tests
 * of one module on SQLite; `--postgres` adds PostgreSQL, `--watch` runs them again at each change, and other options are passed to
 * `bun test`.
 *
 * `RECTO_TEST_DEEP=1` runs everything, with many more random cases and kills, and on PostgreSQL all tests that use a database.
 * `RECTO_TEST_DATABASE` names the one database to use. `RECTO_TEST_SHARD=2/4` takes one of four equally long parts, for jobs that run
 * side by side. `RECTO_TEST_TIMES=record` records how long each file took. One PostgreSQL server serves all files: that of
 * `RECTO_TEST_POSTGRES_URL`, or one started for the run.
 */
const root = join(import.meta.dir, '..');
const given = readTestArguments(process.argv.slice(2), modules());
if (given.error !== undefined) {
  process.stderr.write(`${given.error}\n`);
  process.exit(2);
}
const { folders, options, postgres, rest } = given;
const isDeep = process.env.RECTO_TEST_DEEP === '1';
const isWhole = folders.length === 0;
const isRecorded = isWhole && process.env.RECTO_TEST_TIMES === 'record';
const shard = process.env.RECTO_TEST_SHARD === undefined ? undefined : readShard(process.env.RECTO_TEST_SHARD);
if (process.env.RECTO_TEST_SHARD !== undefined && shard === undefined) {
  process.stderr.write(`RECTO_TEST_SHARD names a part such as 2/4, and not ${process.env.RECTO_TEST_SHARD}.\n`);
  process.exit(2);
}
const tier: Tier | undefined = isDeep || !isWhole ? undefined : rest ? 'rest' : 'fast';

/** More than there are cores: some tests wait for processes that they start, or for pages, and those on PostgreSQL for its answers. */
const workers = { sqlite: availableParallelism() + 1, postgres: availableParallelism() * 2 };

const { files: planned, leftOut } = await plan();
const files = { sqlite: ownPart('sqlite'), postgres: ownPart('postgres') };
if (isDeep) {
  process.env.RECTO_TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`The random cases are those of RECTO_TEST_SEED=${process.env.RECTO_TEST_SEED}.\n`);
}
if (tier !== undefined) process.env.RECTO_TEST_SHARE ??= '0.25';

const folder = mkdtempSync(join(tmpdir(), 'recto-tests-'));
try {
  // Processes start in a third of the time from what is installed, which is the same code.
  if (isWhole) process.env.RECTO_TEST_PROGRAM = await buildProgram();
  const passed = [await runOnSqlite(), await runOnPostgres()];
  process.stdout.write(`${summary()}\n`);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function plan(): Promise<TestPlan> {
  const wanted = new Map(
    [...(await readTestFiles(root))].filter(
      ([path]) => isWhole || folders.some((folder) => `./${path}`.startsWith(folder) || folder === path),
    ),
  );
  const only = process.env.RECTO_TEST_DATABASE;
  const databases = (['sqlite', 'postgres'] as const).filter(
    (database) =>
      (only === undefined || only === database) && (database === 'sqlite' || postgres || only === 'postgres'),
  );
  const planned = planTests(wanted, { tier, databases });
  if (!isDeep || !databases.includes('postgres')) return planned;
  const all = new Set([...planned.files.postgres, ...(await databaseTests(root, wanted.keys()))]);
  return { ...planned, files: { ...planned.files, postgres: [...all].toSorted() } };
}

/** Those of the planned files that this job runs. */
function ownPart(database: TestedDatabase): readonly string[] {
  return shard === undefined ? planned[database] : filesOfShard(planned[database], recordedTimes(database), shard);
}

/** The names that a part can be asked for by, with the folders of their tests. */
function modules(): ReadonlyMap<string, readonly string[]> {
  const below = (folder: string): readonly [string, readonly string[]][] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, [`./${folder}/${name}/`]]);
  const found = new Map<string, readonly string[]>([['bench', ['./bench/']]]);
  for (const [name, own] of ['test', 'packages', 'packages/recto/src'].flatMap(below))
    found.set(name, [...(found.get(name) ?? []), ...own]);
  return found;
}

function runOnSqlite(): Promise<boolean> {
  return run('sqlite', {});
}

async function runOnPostgres(): Promise<boolean> {
  if (files.postgres.length === 0) {
    if (postgres && !isWhole)
      process.stdout.write('\nOn PostgreSQL: none of these tests names it. See "// databases:" in CONTRIBUTING.md.\n');
    return true;
  }
  const url = process.env.RECTO_TEST_POSTGRES_URL;
  await using server = url === undefined ? await startPostgres() : undefined;
  return await run('postgres', { RECTO_TEST_POSTGRES_URL: url ?? server?.url ?? '' });
}

async function run(database: TestedDatabase, environment: Readonly<Record<string, string>>): Promise<boolean> {
  if (files[database].length === 0) return true;
  process.stdout.write(`\nOn ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}\n`);
  const times = [...(isRecorded ? [] : [`--timings=${measured(database)}`]), `--timings=${timesFile(database)}`];
  const command = [
    process.execPath,
    'test',
    ...(options.includes('--watch')
      ? []
      : [`--parallel=${workers[database]}`, '--no-isolate', ...times, '--update-timings']),
    '--timeout',
    '600000',
    ...options,
    ...files[database].map((path) => `./${path}`),
  ];
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment, RECTO_TEST_DATABASE: database },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return (await child.exited) === 0;
}

/** Where the runner writes how long each file took: for this run alone, or for all later ones. */
function measured(database: TestedDatabase): string {
  return isRecorded ? timesFile(database) : join(folder, `${database}.json`);
}

/** What took longest, and what was not run. */
function summary(): string {
  if (!isWhole) return '';
  const slowest = (['sqlite', 'postgres'] as const).flatMap((database) => {
    const lines = slowestFiles(measured(database), new Set(files[database]));
    return lines.length === 0 ? [] : ['', `Longest on ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}:`, ...lines];
  });
  const other = rest ? 'npm test' : 'npm run test:rest';
  const left =
    leftOut.sqlite + leftOut.postgres === 0
      ? 'Nothing was left out.'
      : `Left out, for ${other}: ${leftOut.sqlite} files on SQLite and ${leftOut.postgres} on PostgreSQL. RECTO_TEST_DEEP=1 runs everything.`;
  const part = shard === undefined ? '' : `This was part ${shard.part} of ${shard.of}. `;
  return [...slowest, '', part + left].join('\n');
}
