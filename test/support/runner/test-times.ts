import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedDatabase } from './test-plan.ts';

/**
 * How long each file takes on a database, in milliseconds, as `bun test --update-timings` writes it. The longest begin first, and
 * parallel jobs get parts that are equally long. `RECTO_TEST_TIMES=record` writes it anew, on a machine that has nothing else to do.
 */
export const timesFile = (database: TestedDatabase): string => join(import.meta.dir, `times/${database}.json`);

/** The recorded times of a database, in milliseconds by path. */
export const recordedTimes = (database: TestedDatabase): Readonly<Record<string, number>> =>
  timesIn(timesFile(database));

function timesIn(file: string): Readonly<Record<string, number>> {
  // What the runner wrote.
  const written: { readonly files: Readonly<Record<string, number>> } = JSON.parse(readFileSync(file, 'utf8'));
  return written.files;
}

/** Those of the files that took longest, by what the runner wrote into a file of times: a line each. */
export function slowestFiles(file: string, files: ReadonlySet<string>, count = 20): readonly string[] {
  if (!existsSync(file)) return [];
  return Object.entries(timesIn(file))
    .filter(([path]) => files.has(path))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([path, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
}
