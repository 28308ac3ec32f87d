import { expect } from 'bun:test';
import { Problem } from '../../../packages/recto/src/base/problem.ts';

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
