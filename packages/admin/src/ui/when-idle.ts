/** Loads something when the page has nothing else to do. A failure is left to whoever needs it later. Returns what gives it up. */
export function whenIdle(load: () => Promise<unknown>): () => void {
  const work = (): void => void load().catch(() => undefined);
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
