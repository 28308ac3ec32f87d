/**
 * Keeps the height of the keyboard of the screen in `--keyboard` of an element, for what stands above it. Browsers lay the keyboard over the page
 * and change only the part of the page that is seen. Returns what ends it.
 */
export function followKeyboard(element: HTMLElement): () => void {
  const seen = window.visualViewport;
  if (seen === null) return () => {};
  const follow = (): void => {
    const below = document.documentElement.clientHeight - seen.height - seen.offsetTop;
    // Where the page is enlarged, a part of it is not seen for that reason alone.
    const height = seen.scale > 1 ? 0 : Math.max(0, Math.round(below));
    element.style.setProperty('--keyboard', `${height}px`);
  };
  follow();
  seen.addEventListener('resize', follow);
  seen.addEventListener('scroll', follow);
  return () => {
    seen.removeEventListener('resize', follow);
    seen.removeEventListener('scroll', follow);
  };
}
