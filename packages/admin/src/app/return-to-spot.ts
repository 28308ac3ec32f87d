import type { Spot } from './navigation.svelte.ts';

/** What somebody does who goes on by themselves. */
const deeds = ['keydown', 'pointerdown', 'click', 'wheel', 'touchstart'] as const;

/** How long a place is waited for, in milliseconds: what comes later would move somebody who reads. */
const longest = 10_000;

/**
 * Puts somebody who comes back to a page where they were on it: at once, or when the list that they left has been loaded again. Whoever
 * does something meanwhile stays where they are. Returns the end of it.
 */
export function returnToSpot(main: HTMLElement, { link, scrolled }: Spot): () => void {
  let isFocused = link === undefined;
  let isScrolled = false;
  function settle(): boolean {
    const followed = isFocused ? undefined : [...main.querySelectorAll('a')].find(({ href }) => href === link);
    followed?.focus({ preventScroll: true });
    isFocused ||= followed !== undefined;
    const isTall = document.documentElement.scrollHeight - innerHeight >= scrolled;
    // A page that has become shorter is shown as far down as it goes.
    const isWhole = link !== undefined && isFocused;
    if (!isScrolled && (isTall || isWhole)) {
      scrollTo(0, scrolled);
      isScrolled = true;
    }
    return isFocused && isScrolled;
  }
  if (settle()) return () => undefined;
  const observer = new MutationObserver(() => settle() && end());
  const timer = setTimeout(() => end(), longest);
  const end = (): void => {
    clearTimeout(timer);
    observer.disconnect();
    for (const deed of deeds) removeEventListener(deed, end, true);
  };
  for (const deed of deeds) addEventListener(deed, end, { capture: true, passive: true });
  observer.observe(main, { subtree: true, childList: true });
  return end;
}
