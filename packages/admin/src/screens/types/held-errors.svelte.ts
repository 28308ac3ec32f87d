import { SvelteSet } from 'svelte/reactivity';
import { isInside } from '../../fields/field-path.ts';

/** The errors of parts that were just added. They wait until somebody has written in the control or left it, or wants to go on. */
export class HeldErrors {
  readonly #added = new SvelteSet<string>();
  readonly #touched = new SvelteSet<string>();

  holds(path: string): boolean {
    return !this.#touched.has(path) && [...this.#added].some((part) => isInside(path, part));
  }

  /** A part was added at a path. Whoever adds another one has finished the last. */
  begin(path: string): void {
    for (const part of this.#added) if (!isInside(path, part)) this.#added.delete(part);
    this.#added.add(path);
  }

  /** The control of a path was written in, or has lost the focus. */
  touch(path: string): void {
    this.#touched.add(path);
  }

  /** No error waits any longer. Also when parts get other places: their paths are those of others then. */
  release(): void {
    this.#added.clear();
    this.#touched.clear();
  }
}
