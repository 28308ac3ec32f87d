import type { Editor } from '@tiptap/core';

const gap = 6;
const edge = 8;

/** Shows a popover below a place of a text, or above it where there is no room. For an attachment. */
export const besidePlace =
  (editor: Editor, at: () => number) =>
  (popup: HTMLElement): (() => void) => {
    const place = (): void => {
      if (editor.isDestroyed) return;
      const { left, top, bottom } = editor.view.coordsAtPos(Math.min(at(), editor.state.doc.content.size));
      const { width, height } = popup.getBoundingClientRect();
      const isBelow = bottom + gap + height <= window.innerHeight - edge || top < height;
      popup.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge))}px`;
      popup.style.top = `${isBelow ? bottom + gap : top - gap - height}px`;
    };
    popup.showPopover();
    place();
    const stop = new AbortController();
    window.addEventListener('scroll', place, { capture: true, passive: true, signal: stop.signal });
    window.addEventListener('resize', place, { signal: stop.signal });
    const resized = new ResizeObserver(place);
    resized.observe(popup);
    return () => {
      stop.abort();
      resized.disconnect();
    };
  };
