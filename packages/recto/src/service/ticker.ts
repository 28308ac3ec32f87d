import type { Job } from '../features/feature.ts';

/** Runs jobs again and again, at times that they name themselves. */
export interface Ticker {
  /** Aborts the running job and waits for it; nothing runs afterwards. */
  stop(): Promise<void>;
}

/** `job` is undefined where the jobs themselves could not be found. */
type OnError = (error: unknown, job: string | undefined) => void;

/** The longest sleep in milliseconds, so that jobs scheduled by other processes are noticed. */
const longestSleep = 1_000;

/**
 * Runs the current jobs one after another, and again at the earliest time that one of them returns, at least every second.
 * A job that fails is reported, with its name, and runs again with the others.
 */
export function startTicker(jobs: () => Promise<readonly Job[]>, onError: OnError): Ticker {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const tick = async (): Promise<void> => {
    const next = await runAll(jobs, ending.signal, onError);
    const wait = next === null ? longestSleep : Math.max(0, Date.parse(next) - Date.now());
    if (!ending.signal.aborted) timer = setTimeout(begin, Math.min(wait, longestSleep));
  };
  const begin = (): void => {
    running = tick();
  };
  begin();
  return {
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** The earliest time that a job names. */
async function runAll(
  jobs: () => Promise<readonly Job[]>,
  signal: AbortSignal,
  onError: OnError,
): Promise<string | null> {
  let earliest: string | null = null;
  for (const job of await found(jobs, onError)) {
    if (signal.aborted) break;
    const next = await run(job, signal, onError);
    if (next !== null && (earliest === null || next < earliest)) earliest = next;
  }
  return earliest;
}

async function found(jobs: () => Promise<readonly Job[]>, onError: OnError): Promise<readonly Job[]> {
  try {
    return await jobs();
  } catch (error) {
    onError(error, undefined);
    return [];
  }
}

async function run(job: Job, signal: AbortSignal, onError: OnError): Promise<string | null> {
  try {
    return await job.run(new Date().toISOString(), signal);
  } catch (error) {
    onError(error, job.name);
    return null;
  }
}
