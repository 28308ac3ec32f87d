/** `RECTO_TEST_DEEP=1`: everything, on both databases, with many more random cases and kills. */
export const isDeep = process.env.RECTO_TEST_DEEP === '1';

/**
 * How much of each random test is run: a quarter by `npm test` and `npm run test:rest`, all of it by `bun test`, and ten
 * times as much by `RECTO_TEST_DEEP=1`. The command that runs the tests sets it.
 */
const share = Number(process.env.RECTO_TEST_SHARE ?? (isDeep ? 10 : 1));

/** How many random cases a test draws, where `usual` prove enough from day to day. At least 10 of them, or all where there are fewer. */
export const randomCases = (usual: number): number => Math.max(Math.round(usual * share), Math.min(usual, 10));

/** How often a process is killed: `usual` times, 1,000 by `RECTO_TEST_DEEP=1`, or what `RECTO_TEST_KILLS` says. */
export const killsOf = (usual: number): number => Number(process.env.RECTO_TEST_KILLS ?? (isDeep ? 1_000 : usual));
