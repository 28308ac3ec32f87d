import type { Editor } from '@tiptap/core';
import type { Selection } from '@tiptap/pm/state';

const gap = 6;
const edge = 8;

/** Shows a popover, and places it again whenever the page moves or the popover changes its size. For an attachment. */
const shownAt =
  (place: (popup: HTMLElement) => void) =>
  (popup: HTMLElement): (() => void) => {
    const again = (): void => place(popup);
    if (!popup.matches(':popover-open')) popup.showPopover();
    again();
    const stop = new AbortController();
    window.addEventListener('scroll', again, { capture: true, passive: true, signal: stop.signal });
    window.addEventListener('resize', again, { signal: stop.signal });
    const resized = new ResizeObserver(again);
    resized.observe(popup);
    return () => {
      stop.abort();
      resized.disconnect();
    };
  };

function move(popup: HTMLElement, left: number, top: number): void {
  const { width } = popup.getBoundingClientRect();
  popup.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge))}px`;
  popup.style.top = `${top}px`;
}

/** Shows a popover below a place of a text, or above it where there is no room. For an attachment. */
export const besidePlace = (editor: Editor, at: () => number) =>
  shownAt((popup) => {
    if (editor.isDestroyed) return;
    const { left, top, bottom } = editor.view.coordsAtPos(Math.min(at(), editor.state.doc.content.size));
    const { height } = popup.getBoundingClientRect();
    const isBelow = bottom + gap + height <= window.innerHeight - edge || top < height;
    move(popup, left, isBelow ? bottom + gap : top - gap - height);
  });

/**
 * Shows a popover above what is selected, or below it where there is no room, and nowhere if it is higher than the window: it never covers the
 * text that is selected. `cover` lies over the upper end of the text. For an attachment.
 */
export const besideSelection = (editor: Editor, { from, to }: Selection, cover: () => Element | null) =>
  shownAt((popup) => {
    if (editor.isDestroyed || to > editor.state.doc.content.size) return;
    const first = editor.view.coordsAtPos(from);
    const last = editor.view.coordsAtPos(to, -1);
    const { width, height } = popup.getBoundingClientRect();
    const above = first.top - gap - height;
    const below = last.bottom + gap;
    const isAbove = above >= (cover()?.getBoundingClientRect().bottom ?? 0);
    const isBelow = !isAbove && last.bottom > 0 && below + height <= window.innerHeight - edge;
    popup.style.visibility = isAbove || isBelow ? '' : 'hidden';
    const middle = last.top < first.bottom ? (first.left + last.right - width) / 2 : first.left;
    move(popup, middle, isAbove ? above : below);
  });
