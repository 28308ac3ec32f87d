/**
 * The part of the tests that a command runs. `fast` is `npm test`: what shows within minutes that a change is sound. `rest` is
 * `npm run test:rest`: real processes, faults, packages and most pages.
 */
export type Tier = 'fast' | 'rest';

export type TestedDatabase = 'sqlite' | 'postgres';

/** One run of a test file. */
export interface TestRun {
  readonly database: TestedDatabase;
  readonly tier: Tier;
}

/** Folders whose tests take long, because they start processes, browsers or builds. */
const restFolders = ['test/processes/', 'test/faults/', 'test/packages/', 'test/browser/', 'examples/', 'bench/'];

/** Folders inside of those that are quick enough. */
const fastFolders = ['test/browser/smoke/'];

/** `// databases: sqlite, postgres:rest` on a line of its own. */
const comment = /^\/\/ databases: (.*)$/gm;

const kinds: ReadonlyMap<string, TestRun> = new Map([
  ['sqlite', { database: 'sqlite', tier: 'fast' }],
  ['sqlite:rest', { database: 'sqlite', tier: 'rest' }],
  ['postgres', { database: 'postgres', tier: 'fast' }],
  ['postgres:rest', { database: 'postgres', tier: 'rest' }],
]);

/**
 * The runs of a test file, by its path from the root and its text. A comment `// databases:` names the databases that prove what the
 * file tests; `:rest` after one leaves that run to `npm run test:rest`. Without a comment a file runs once, on SQLite where it uses a
 * database at all. Files of the slow folders run in `npm run test:rest` alone. Throws an `Error` that names the file where the
 * comment cannot be read.
 */
export function runsOf(path: string, text: string): readonly TestRun[] {
  const found = [...text.matchAll(comment)];
  if (found.length > 1) throw new Error(`${path}: "// databases:" stands there twice.`);
  const named = (found[0]?.[1] ?? 'sqlite').split(',').map((word) => word.trim());
  const runs = named.map((word) => {
    const run = kinds.get(word);
    if (run === undefined)
      throw new Error(
        `${path}: "${word}" is no database. After "// databases:" there can be ${[...kinds.keys()].join(', ')}.`,
      );
    return isSlow(path) ? { ...run, tier: 'rest' as const } : run;
  });
  const twice = runs.find(({ database }, index) => runs.findIndex((run) => run.database === database) !== index);
  if (twice !== undefined) throw new Error(`${path}: "// databases:" names ${twice.database} twice.`);
  if (text.includes('(!onPostgres') && !runs.some(({ database }) => database === 'postgres'))
    throw new Error(
      `${path}: tests are skipped unless it runs on PostgreSQL, and "// databases:" does not name postgres.`,
    );
  return runs;
}

const isSlow = (path: string): boolean =>
  restFolders.some((folder) => path.startsWith(folder)) && !fastFolders.some((folder) => path.startsWith(folder));

/** The files that a command runs, by database, and how many runs it leaves out. */
export interface TestPlan {
  readonly files: Readonly<Record<TestedDatabase, readonly string[]>>;
  readonly leftOut: Readonly<Record<TestedDatabase, number>>;
}

interface PlanOptions {
  /** Undefined: both. */
  readonly tier?: Tier | undefined;
  /** The databases to run on. */
  readonly databases: readonly TestedDatabase[];
}

/** Sorts files, given as paths with their texts, into what runs and what is left out. */
export function planTests(files: ReadonlyMap<string, string>, { tier, databases }: PlanOptions): TestPlan {
  const planned = { sqlite: [] as string[], postgres: [] as string[] };
  const leftOut = { sqlite: 0, postgres: 0 };
  for (const [path, text] of files) {
    for (const run of runsOf(path, text)) {
      if (databases.includes(run.database) && (tier === undefined || run.tier === tier))
        planned[run.database].push(path);
      else leftOut[run.database]++;
    }
  }
  return { files: planned, leftOut };
}
