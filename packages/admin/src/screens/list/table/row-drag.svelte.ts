/** The index of the row that an event happened in, or -1. */
export const rowAt = ({ target }: Event): number =>
  Number((target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null)?.dataset.index ?? -1);

/** A row that is dragged over others. One listener each for all rows: a list has a hundred, and most cannot be dragged. */
export class RowDrag {
  readonly #isManual: () => boolean;
  readonly #onmove: (from: number, to: number) => void;
  #dragged = $state<number>();
  #over = $state<number>();

  /** `isManual`: whether rows can be moved. */
  constructor(isManual: () => boolean, onmove: (from: number, to: number) => void) {
    this.#isManual = isManual;
    this.#onmove = onmove;
  }

  /** The row that the dragged one would stand at. */
  get over(): number | undefined {
    return this.#over === this.#dragged ? undefined : this.#over;
  }

  readonly start = (event: DragEvent): void => {
    this.#dragged = this.#isManual() ? rowAt(event) : undefined;
  };

  readonly end = (): void => {
    this.#dragged = undefined;
    this.#over = undefined;
  };

  readonly move = (event: DragEvent): void => {
    if (this.#dragged === undefined) return;
    event.preventDefault();
    this.#over = rowAt(event);
  };

  readonly drop = (event: DragEvent): void => {
    const to = rowAt(event);
    const from = this.#dragged;
    if (from === undefined) return;
    event.preventDefault();
    if (to >= 0 && from !== to) this.#onmove(from, to);
    this.end();
  };
}
