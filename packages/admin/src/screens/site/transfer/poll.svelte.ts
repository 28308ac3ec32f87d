/** How often work that is under way is looked at, in milliseconds. */
const everyMs = 1_500;

/** Looks again and again while there is a reason to, as long as the page is seen. Call it while a component is set up. */
export function poll(isNeeded: () => boolean, look: () => Promise<unknown>): void {
  $effect(() => {
    if (!isNeeded()) return;
    const timer = setInterval(() => document.hidden || void look(), everyMs);
    return () => clearInterval(timer);
  });
}
