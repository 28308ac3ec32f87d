/** Does something when the page has nothing else to do. Returns what gives it up. */
export function whenIdle(work: () => unknown): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(() => void work(), { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
