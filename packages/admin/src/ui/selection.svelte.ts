import { SvelteSet } from 'svelte/reactivity';

/** Records that are selected, by id. */
export class Selection {
  readonly #ids = new SvelteSet<string>();
  /** The one from which a range is selected. */
  #anchor: string | undefined;

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  toggle(id: string): void {
    this.#anchor = id;
    if (!this.#ids.delete(id)) this.#ids.add(id);
  }

  /** Selects all from the last one that was chosen to this one. */
  extend(all: readonly { readonly id: string }[], id: string): void {
    const [from, to] = [all.findIndex((each) => each.id === this.#anchor), all.findIndex((each) => each.id === id)];
    if (from === -1) {
      this.toggle(id);
      return;
    }
    for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) this.#ids.add(each.id);
  }

  set(all: readonly { readonly id: string }[]): void {
    this.clear();
    for (const { id } of all) this.#ids.add(id);
  }

  /** Forgets what is not there any more. */
  keep(all: readonly { readonly id: string }[]): void {
    const there = new Set(all.map(({ id }) => id));
    for (const id of this.#ids) if (!there.has(id)) this.#ids.delete(id);
  }

  clear(): void {
    this.#ids.clear();
    this.#anchor = undefined;
  }
}
