import { afterAll, afterEach } from 'bun:test';
import { join, relative } from 'node:path';
import { takeUnexpectedErrors } from './service-log.ts';

const onPostgres = process.env.RECTO_TEST_DATABASE === 'postgres';

/** The folders whose tests announce the errors that they cause: all, but on PostgreSQL those with outages do not yet. */
const checked: readonly string[] = onPostgres
  ? ['test/http/', 'test/spec/', 'packages/']
  : ['test/', 'packages/', 'examples/'];

/**
 * Fails a test if a service has logged an error that the test has not announced: `service.expectErrors(/…/)`. Loaded before the tests by
 * `bunfig.toml`.
 */
function rejectErrors(): void {
  const unexpected = takeUnexpectedErrors();
  const file = relative(join(import.meta.dir, '../..'), Bun.main);
  if (unexpected.length === 0 || !checked.some((folder) => file.startsWith(folder))) return;
  const shown = unexpected.slice(0, 10).map((line) => line.slice(0, 2_000));
  throw new Error(
    `A service has logged ${unexpected.length} errors that the test did not announce:\n${shown.join('\n')}`,
  );
}

afterEach(rejectErrors);
// What came after the last test.
afterAll(rejectErrors);
