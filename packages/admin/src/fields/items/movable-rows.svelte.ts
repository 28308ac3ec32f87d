import { tick } from 'svelte';
import { t } from '../../text/text.ts';
import { type DropPlace, dragHandle } from './drag-order.ts';

interface Options {
  readonly count: () => number;
  /** What a row is called in announcements. */
  readonly nameOf: (index: number) => string;
  /** Puts the row of one index at another. */
  readonly onmove: (from: number, to: number) => void;
  /** Draws at least so many rows, where not all of them are drawn at first. */
  readonly draw?: (count: number) => void;
}

/**
 * Rows that people put in an order: by dragging a handle, by buttons, and by Alt with the arrow keys. Each row is a child of the list, with
 * `data-item` and the class `movable`; its controls have a `data-part`.
 */
export class MovableRows {
  readonly #options: Options;
  /** The element whose children are the rows. */
  list = $state<HTMLElement>();
  /** For a region that is read out. */
  announcement = $state('');
  #place = $state.raw<DropPlace>();

  constructor(options: Options) {
    this.#options = options;
  }

  get count(): number {
    return this.#options.count();
  }

  /** Moves a row, and the focus with it: to the same control where that still works. */
  async move(from: number, to: number, part: string): Promise<void> {
    const { count, nameOf, onmove } = this.#options;
    if (to < 0 || to >= count() || to === from) return;
    const name = nameOf(from);
    onmove(from, to);
    this.announcement = t('fields.itemMoved', { name, place: to + 1, count: count() });
    await this.focus(to, part);
  }

  async focus(index: number, part: string): Promise<void> {
    this.#options.draw?.(index + 1);
    await tick();
    const row = this.list?.querySelector<HTMLElement>(`:scope > [data-item="${index}"]`);
    const own = [...(row?.querySelectorAll<HTMLButtonElement>('[data-part]') ?? [])].filter(
      (control) => control.closest('[data-item]') === row && !control.matches(':disabled, [aria-disabled="true"]'),
    );
    (
      own.find((control) => control.dataset.part === part) ?? own.find((control) => control.dataset.part === 'handle')
    )?.focus();
  }

  readonly onkeydown = (event: KeyboardEvent, index: number): void => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    event.stopPropagation();
    void this.move(index, event.key === 'ArrowUp' ? index - 1 : index + 1, 'handle');
  };

  /** Makes an element the handle that a row is dragged by. For an attachment. */
  handle(index: () => number): (element: HTMLElement) => () => void {
    return dragHandle({
      list: () => this.list,
      index,
      onplace: (place) => {
        this.#place = place;
      },
      ondrop: ({ to }) => void this.move(index(), to, 'handle'),
    });
  }

  /** The classes of a row: whether it is dragged, and where the line is that shows the place of another. */
  classesOf(index: number): string {
    const place = this.#place;
    if (place === undefined) return 'movable';
    if (place.from === index) return 'movable dragged';
    if (place.to !== index) return 'movable';
    return place.to > place.from ? 'movable after' : 'movable before';
  }
}
