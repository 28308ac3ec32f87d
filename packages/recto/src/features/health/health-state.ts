/** Settles when a part of the service does its work; rejects when it does not. */
export type HealthCheck = () => Promise<void>;

/** What the health endpoints report. The code that starts and stops the service sets `phase`. */
export interface HealthState {
  phase: 'starting' | 'ready' | 'draining';
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Shown by `/health` only: the service keeps taking requests while one of these fails. */
  readonly furtherChecks?: Readonly<Record<string, HealthCheck>>;
  /** Receives the reason why a check fails; callers see only that it does. */
  readonly onFailure?: (check: string, error: unknown) => void;
}

export interface CheckResult {
  readonly status: 'ok' | 'failing';
  readonly latency_ms: number;
}

/** A check that takes longer fails. */
const checkTimeoutMs = 2_000;

/** Runs all checks side by side; takes at most `timeoutMs`. */
export async function runChecks(
  state: HealthState,
  timeoutMs = checkTimeoutMs,
): Promise<Readonly<Record<string, CheckResult>>> {
  const checks = Object.entries(state.checks);
  const results = await Promise.all(
    checks.map(async ([name, check]) => [name, await runCheck(state, name, check, timeoutMs)] as const),
  );
  return Object.fromEntries(results);
}

async function runCheck(state: HealthState, name: string, check: HealthCheck, timeoutMs: number): Promise<CheckResult> {
  const start = performance.now();
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  let status: CheckResult['status'] = 'ok';
  try {
    await Promise.race([check(), timeout.promise]);
  } catch (error) {
    status = 'failing';
    state.onFailure?.(name, error);
  } finally {
    clearTimeout(timer);
  }
  return { status, latency_ms: Math.round((performance.now() - start) * 1000) / 1000 };
}
