/**
 * Hears of the keys that reach the window, until the function that it returns is called. `<svelte:window onkeydown>` does the same, but
 * looks for delegated handlers once more each time, and every key that somebody types comes by here.
 */
export function windowKeys(listener: (event: KeyboardEvent) => void, capture = false): () => void {
  window.addEventListener('keydown', listener, capture);
  return () => window.removeEventListener('keydown', listener, capture);
}

/** Whether something lies over the page that has keys of its own. */
export const isCovered = (): boolean =>
  document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
