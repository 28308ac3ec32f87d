/**
 * `RECTO_TEST_SEED` (a whole number) fixes the seed of the random tests, so that a run can be repeated. Without it each run
 * draws new cases. Loaded before the tests by `bunfig.toml`.
 */
const seed = process.env.RECTO_TEST_SEED;

if (seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}

export {};
