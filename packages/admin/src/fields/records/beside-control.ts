/** Shows a popover below a control, or above it where there is more room, and as wide. For an attachment. */
export const besideControl =
  (control: () => HTMLElement | undefined) =>
  (popup: HTMLElement): (() => void) => {
    const place = (): void => {
      const beside = control()?.getBoundingClientRect();
      if (beside === undefined) return;
      const below = window.innerHeight - beside.bottom - 8;
      const isBelow = below >= 200 || below >= beside.top;
      const { style } = popup;
      style.width = `${Math.max(beside.width, 200)}px`;
      style.left = `${Math.max(8, Math.min(beside.left, window.innerWidth - Math.max(beside.width, 200) - 8))}px`;
      style.maxHeight = `${Math.min(320, (isBelow ? below : beside.top) - 8)}px`;
      style.top = isBelow ? `${beside.bottom + 4}px` : 'auto';
      style.bottom = isBelow ? 'auto' : `${window.innerHeight - beside.top + 4}px`;
    };
    popup.showPopover();
    place();
    const stop = new AbortController();
    window.addEventListener('scroll', place, { capture: true, passive: true, signal: stop.signal });
    window.addEventListener('resize', place, { signal: stop.signal });
    return () => stop.abort();
  };
