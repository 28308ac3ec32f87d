import { itemAt } from '../field-path.ts';
import { revealEvent } from '../reveal.ts';

/**
 * How many items of a field are drawn: some at first, more when somebody asks for them or looks for one, because a record may have
 * very many. Create it while a component is set up.
 */
export class DrawnItems {
  count = $state(0);
  readonly #step: number;

  /** `path` is the field's. */
  constructor(few: number, path: () => string) {
    this.count = few;
    this.#step = 2 * few;
    $effect(() => {
      const onreveal = (event: Event): void => {
        const wanted: unknown = event instanceof CustomEvent ? event.detail : undefined;
        if (typeof wanted === 'string') this.draw((itemAt(path(), wanted) ?? -1) + 1);
      };
      document.addEventListener(revealEvent, onreveal, true);
      return () => document.removeEventListener(revealEvent, onreveal, true);
    });
  }

  /** Draws at least so many. */
  readonly draw = (count: number): void => {
    this.count = Math.max(this.count, count);
  };

  /** Draws some more, and returns the index of the first of them. */
  more(): number {
    const first = this.count;
    this.draw(first + this.#step);
    return first;
  }
}
