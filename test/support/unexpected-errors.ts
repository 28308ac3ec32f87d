import { afterAll, afterEach } from 'bun:test';
import { takeUnexpectedErrors } from './service-log.ts';

/**
 * Fails a test if a service has logged an error that the test has not announced: `service.expectErrors(/…/)`. Loaded before the tests by
 * `bunfig.toml`.
 */
function rejectErrors(): void {
  const unexpected = takeUnexpectedErrors();
  if (unexpected.length === 0) return;
  const shown = unexpected.slice(0, 10).map((line) => line.slice(0, 2_000));
  throw new Error(
    `A service has logged ${unexpected.length} errors that the test did not announce:\n${shown.join('\n')}`,
  );
}

afterEach(rejectErrors);
// What came after the last test.
afterAll(rejectErrors);
