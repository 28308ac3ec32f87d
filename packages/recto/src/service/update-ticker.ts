/** Work that is to be done again and again, at times that it tells itself. */
export interface Ticker {
  /** Ends what runs and waits for it; nothing runs from then on. */
  stop(): Promise<void>;
}

/** How long it sleeps at most, in milliseconds: what another process has planned meanwhile is seen then. */
const longestSleep = 1_000;

/**
 * Runs `work` with the time (canonical datetime), and again when the next time comes that it tells, at least every second.
 * What it throws is handed on, and it runs again.
 */
export function startTicker(
  work: (now: string, signal: AbortSignal) => Promise<string | null>,
  onError: (error: unknown) => void,
): Ticker {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const tick = async (): Promise<void> => {
    const next = await work(new Date().toISOString(), ending.signal).catch((error: unknown) => {
      onError(error);
      return null;
    });
    const wait = next === null ? longestSleep : Math.max(0, Date.parse(next) - Date.now());
    if (!ending.signal.aborted) timer = setTimeout(run, Math.min(wait, longestSleep));
  };
  const run = (): void => {
    running = tick();
  };
  run();
  return {
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
