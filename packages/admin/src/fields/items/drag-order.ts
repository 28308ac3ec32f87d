/** Where a dragged item would be put down: its index, and the line to draw there. */
export interface DropPlace {
  readonly from: number;
  readonly to: number;
}

interface Drag {
  /** The list, whose children are the items. */
  readonly list: () => HTMLElement | undefined;
  readonly index: () => number;
  /** While it is dragged; undefined: it is not, any more. */
  readonly onplace: (place: DropPlace | undefined) => void;
  readonly ondrop: (place: DropPlace) => void;
}

/**
 * Makes a handle that drags an item of a list to another place, with a mouse, pen or finger. For an attachment:
 * `{@attach dragHandle({ … })}`. Whoever cannot drag has buttons and keys for the same.
 */
export const dragHandle =
  ({ list, index, onplace, ondrop }: Drag) =>
  (handle: HTMLElement): (() => void) => {
    let place: DropPlace | undefined;
    const stop = new AbortController();
    const { signal } = stop;

    const end = (event: PointerEvent | undefined, isDropped: boolean): void => {
      if (place === undefined) return;
      const dropped = place;
      place = undefined;
      if (event !== undefined) handle.releasePointerCapture(event.pointerId);
      onplace(undefined);
      if (isDropped && dropped.from !== dropped.to) ondrop(dropped);
    };

    const follow = (event: PointerEvent): void => {
      if (place === undefined) return;
      const items = [...(list()?.children ?? [])].filter((item) => item.hasAttribute('data-item'));
      const before = items.filter((item, at) => at !== place?.from && middle(item) < event.clientY).length;
      place = { from: place.from, to: before };
      onplace(place);
      scrollNearEdge(event.clientY);
    };

    handle.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0 || handle.matches(':disabled')) return;
        event.preventDefault();
        handle.focus();
        handle.setPointerCapture(event.pointerId);
        place = { from: index(), to: index() };
        onplace(place);
      },
      { signal },
    );
    handle.addEventListener('pointermove', follow, { signal });
    handle.addEventListener('pointerup', (event) => end(event, true), { signal });
    handle.addEventListener('pointercancel', (event) => end(event, false), { signal });
    handle.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || place === undefined) return;
        event.stopPropagation();
        end(undefined, false);
      },
      { signal },
    );
    return () => stop.abort();
  };

const middle = (item: Element): number => {
  const { top, height } = item.getBoundingClientRect();
  return top + height / 2;
};

const edge = 48;

function scrollNearEdge(y: number): void {
  if (y < edge) window.scrollBy(0, -12);
  else if (y > window.innerHeight - edge) window.scrollBy(0, 12);
}
