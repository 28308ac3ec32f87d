import { expect } from 'bun:test';
import { Problem } from '../../../packages/recto/src/base/problem.ts';

/** What a service logs of requests that its database fails: `expectErrors(databaseOutage)`, where that is what the test causes. */
export const databaseOutage = /"code":"(?:storage_failed|database_busy|outcome_unknown)"/;

/** The 503's code; fails the test for anything else. */
export async function outage(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`Expected a Problem, got ${String(error)}`);
  expect([error.status, error.headers]).toEqual([503, { 'Retry-After': '1' }]);
  return error.code;
}
