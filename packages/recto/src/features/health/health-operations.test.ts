import { describe, expect, test } from 'bun:test';
import { Compile } from 'typebox/compile';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { healthOperations } from './health-operations.ts';
import { type HealthCheck, type HealthState, runChecks } from './health-state.ts';

const fine: HealthCheck = () => Promise.resolve();
const broken: HealthCheck = () => Promise.reject(new Error('disk on fire at /secret/path'));

function stateOf(phase: HealthState['phase'], database: HealthCheck): HealthState {
  return { phase, version: '1.2.3', startedAt: Date.now() - 5_000, checks: { database } };
}

/** Asks a probe; its answer must be as its schema says. */
async function ask(state: HealthState, name: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const operation = healthOperations(state).find(({ path }) => path === `/api/v1/${name}`);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  // The operations ask nothing of the request.
  const response = await operation.handle({} as RequestContext);
  // Every health body is an object; the schema below has the last word.
  const body = (await response.json()) as Record<string, unknown>;
  expect(accepts(operation, response.status, body)).toBe(true);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { status: response.status, body };
}

function accepts(operation: Operation, status: number, body: unknown): boolean {
  const schema = operation.responses[status]?.schema;
  return schema !== undefined && Compile(schema).Check(body);
}

const cases: readonly [phase: HealthState['phase'], check: HealthCheck, status: number, word: string][] = [
  ['ready', fine, 200, 'ok'],
  ['ready', broken, 503, 'failing'],
  ['starting', fine, 503, 'starting'],
  ['draining', fine, 503, 'draining'],
  ['draining', broken, 503, 'draining'],
];

describe.each(cases)('%s, database %p', (phase, check, status, word) => {
  const state = stateOf(phase, check);

  test('healthz answers 200 as long as the process lives', async () => {
    expect(await ask(state, 'healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  test(`readyz answers ${status}`, async () => {
    expect(await ask(state, 'readyz')).toEqual({ status, body: { status: word } });
  });

  test(`health answers ${status} with the parts`, async () => {
    const answer = await ask(state, 'health');
    expect(answer).toMatchObject({
      status,
      body: {
        status: word,
        version: '1.2.3',
        checks: { database: { status: check === fine ? 'ok' : 'failing', latency_ms: expect.any(Number) } },
      },
    });
    expect(answer.body.uptime_seconds).toBeGreaterThanOrEqual(5);
  });
});

test('why a check fails is for the log, not for the caller', async () => {
  const failures: unknown[] = [];
  const state = { ...stateOf('ready', broken), onFailure: (...failure: unknown[]) => void failures.push(failure) };
  const { body } = await ask(state, 'health');
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(failures).toEqual([['database', expect.objectContaining({ message: 'disk on fire at /secret/path' })]]);
});

test('a check that does not settle in time fails', async () => {
  const never: HealthCheck = () => new Promise(() => {});
  const results = await runChecks(stateOf('ready', never), 5);
  expect(results.database?.status).toBe('failing');
});

test('a stop that begins while the checks run is reported', async () => {
  const state = stateOf('ready', async () => {
    state.phase = 'draining';
  });
  expect(await ask(state, 'readyz')).toEqual({ status: 503, body: { status: 'draining' } });
});
