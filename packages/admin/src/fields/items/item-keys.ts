import { inserted, moved, without } from './order.ts';

/**
 * A key for each item of a list, which stays with it as items move. Items without an id of their own have keys by place, which
 * follow the moves, insertions and removals that are made here.
 */
export class ItemKeys {
  #keys: readonly number[] = [];
  #next = 0;

  /** The keys of this many items. A list that became shorter or longer elsewhere keeps the keys of its first items. */
  of(count: number): readonly number[] {
    if (this.#keys.length > count) this.#keys = this.#keys.slice(0, count);
    const missing = count - this.#keys.length;
    if (missing > 0) this.#keys = [...this.#keys, ...Array.from({ length: missing }, () => this.#make())];
    return this.#keys;
  }

  move(from: number, to: number): void {
    this.#keys = moved(this.#keys, from, to);
  }

  /** Returns the key of the new item. */
  insert(index: number): number {
    const key = this.#make();
    this.#keys = inserted(this.#keys, index, key);
    return key;
  }

  remove(index: number): void {
    this.#keys = without(this.#keys, index);
  }

  #make(): number {
    this.#next += 1;
    return this.#next;
  }
}
