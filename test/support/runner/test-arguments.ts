/** What `npm test` was asked to run, or why it cannot be. */
export type TestArguments =
  | {
      /** The folders to run the tests of; empty for all. */
      readonly folders: readonly string[];
      /** Whether they run on PostgreSQL as well as on SQLite. */
      readonly postgres: boolean;
      /** Whether what `npm test` leaves out is to run, and not what it runs. */
      readonly rest: boolean;
      /** For `bun test`. */
      readonly options: readonly string[];
      readonly error?: never;
    }
  | { readonly error: string };

/** Options of `bun test` whose value is the next argument. */
const withValue = new Set(['-t', '--test-name-pattern', '--timeout', '--rerun-each', '--seed', '--bail']);

/**
 * Reads the arguments of `npm test`: names of modules (`records`), paths, `--postgres`, `--rest`, and options of `bun test`. Without a
 * name or path everything runs on both databases; with one, on SQLite unless `--postgres` is given.
 */
export function readTestArguments(
  given: readonly string[],
  modules: ReadonlyMap<string, readonly string[]>,
): TestArguments {
  const folders: string[] = [];
  const options: string[] = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? '';
    if (argument === '--postgres' || argument === '--rest') continue;
    if (argument.startsWith('-')) {
      options.push(argument);
      if (withValue.has(argument)) options.push(given[++index] ?? '');
    } else if (/[/.]/.test(argument)) {
      folders.push(argument.startsWith('.') ? argument : `./${argument}`);
    } else {
      const found = modules.get(argument);
      if (found === undefined) {
        return {
          error: `There is no module "${argument}". The modules are ${[...modules.keys()].toSorted().join(', ')}.`,
        };
      }
      folders.push(...found);
    }
  }
  return {
    folders,
    options,
    postgres: folders.length === 0 || given.includes('--postgres'),
    rest: given.includes('--rest'),
  };
}
