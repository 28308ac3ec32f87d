import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dir, '../../..');
const sources = 'packages/recto/src/';

/** How often each line of each source file ran. */
export type Runs = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** A source file that takes part in a request, and how many of its lines run for it. */
export interface PassedFile {
  /** Below `packages/recto/src`. */
  readonly file: string;
  readonly lines: number;
}

/** The files with lines that ran more often with the request `path` of `request-paths.fixture.ts` than in `before`, `runsOf('none')`. */
export async function requestPath(path: string, before: Runs): Promise<readonly PassedFile[]> {
  return [...(await runsOf(path))].flatMap(([file, lines]) => {
    const more = [...lines].filter(([line, runs]) => runs > (before.get(file)?.get(line) ?? 0)).length;
    return more === 0 ? [] : [{ file, lines: more }];
  });
}

/** Runs the requests in a process that counts how often each line runs. */
export async function runsOf(path: string): Promise<Runs> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-paths-'));
  try {
    const fixture = `./${relative(root, join(import.meta.dir, 'request-paths.fixture.ts'))}`;
    const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`];
    const run = Bun.spawn([process.execPath, 'test', '--timeout', '600000', ...coverage, fixture], {
      cwd: root,
      env: { ...process.env, RECTO_TEST_PATH: path },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const errors = await new Response(run.stderr).text();
    if ((await run.exited) !== 0) throw new Error(`${path} failed: ${errors}`);
    return readCoverage(await Bun.file(join(folder, 'lcov.info')).text());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a report of lcov: `SF:` names a file, `DA:line,runs` counts. */
function readCoverage(report: string): Runs {
  const files = new Map<string, ReadonlyMap<number, number>>();
  for (const section of report.split('end_of_record')) {
    const [, name = ''] = /^SF:(.+)$/m.exec(section) ?? [];
    if (!name.startsWith(sources)) continue;
    const counts = [...section.matchAll(/^DA:(\d+),(\d+)$/gm)].map(
      ([, line, runs]) => [Number(line), Number(runs)] as const,
    );
    files.set(name.slice(sources.length), new Map(counts));
  }
  return files;
}
