import Type, { type TObject } from 'typebox';
import type { Operation } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import { type CheckResult, type HealthState, runChecks } from './health-state.ts';

type ServiceStatus = 'ok' | 'starting' | 'draining' | 'failing';

export const serviceStatusSchema = Type.Enum(['ok', 'starting', 'draining', 'failing']);

const alive = Type.Object({ status: Type.Literal('ok') });
const readiness = Type.Object({ status: serviceStatusSchema });
export const checkSchema = Type.Record(
  Type.String(),
  Type.Object({ status: Type.Enum(['ok', 'failing']), latency_ms: Type.Number({ minimum: 0 }) }),
);

const health = Type.Object({
  status: serviceStatusSchema,
  version: Type.String(),
  uptime_seconds: Type.Number({ minimum: 0 }),
  checks: checkSchema,
});

/** The probes of the service specification, section 4.3: `/health`, `/healthz`, `/readyz` under `/api/v1`. */
export function healthOperations(state: HealthState): readonly Operation[] {
  return [healthOperation(state), livenessOperation(), readinessOperation(state)];
}

function livenessOperation(): Operation {
  return probe('getLiveness', '/api/v1/healthz', 'Whether the process lives', { 200: alive }, () =>
    answer(200, { status: 'ok' }),
  );
}

function readinessOperation(state: HealthState): Operation {
  const bodies = { 200: readiness, 503: readiness };
  return probe('getReadiness', '/api/v1/readyz', 'Whether requests should be sent here', bodies, async () => {
    const status = state.phase === 'ready' ? serviceStatusOf(state, await runChecks(state)) : state.phase;
    return answer(httpStatusOf(status), { status });
  });
}

function healthOperation(state: HealthState): Operation {
  const bodies = { 200: health, 503: health };
  return probe('getHealth', '/api/v1/health', 'The state of the service and of its parts', bodies, async () => {
    const { status, checks } = await overallStatus(state);
    const uptime = Math.max(0, Date.now() - state.startedAt) / 1000;
    return answer(httpStatusOf(status), { status, version: state.version, uptime_seconds: uptime, checks });
  });
}

/** All checks, and the state that follows from them. */
export async function overallStatus(state: HealthState) {
  const checks = await runChecks({ ...state, checks: { ...state.checks, ...state.furtherChecks } });
  return { status: serviceStatusOf(state, checks), checks };
}

function probe(
  id: string,
  path: string,
  summary: string,
  bodies: Readonly<Record<number, TObject>>,
  handle: Operation['handle'],
): Operation {
  const descriptions: Readonly<Record<string, string>> = { 200: 'Yes, or all is well', 503: 'No, or a check fails' };
  const responses = Object.fromEntries(
    Object.entries(bodies).map(([status, schema]) => [status, { description: descriptions[status] ?? '', schema }]),
  );
  return { id, method: 'GET', path, tag: 'service', summary, security: 'none', responses, problems: [], handle };
}

/** Read after the checks ran, so that a stop which began meanwhile is reported. */
function serviceStatusOf(state: HealthState, checks: Readonly<Record<string, CheckResult>>): ServiceStatus {
  if (state.phase !== 'ready') return state.phase;
  return Object.values(checks).every(({ status }) => status === 'ok') ? 'ok' : 'failing';
}

const httpStatusOf = (status: ServiceStatus): 200 | 503 => (status === 'ok' ? 200 : 503);

const answer = (status: number, body: object): Response => json(status, body, { 'Cache-Control': 'no-store' });
