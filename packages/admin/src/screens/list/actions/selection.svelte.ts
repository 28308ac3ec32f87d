import { SvelteMap } from 'svelte/reactivity';
import type { ListRecord } from '../data/list-record.ts';

/** The records that were chosen, on this page and on others, or all that the list shows. */
export class Selection {
  /** By their ids, as they were when they were chosen: undoing needs their values. */
  readonly #records = new SvelteMap<string, ListRecord>();
  #all = $state(false);
  #last: string | undefined;

  /** All that match are selected, also those on pages that nobody has seen. */
  get isAll(): boolean {
    return this.#all;
  }

  get size(): number {
    return this.#records.size;
  }

  get records(): readonly ListRecord[] {
    return [...this.#records.values()];
  }

  has(id: string): boolean {
    return this.#all || this.#records.has(id);
  }

  /** Changes one; with `isRange`, all between it and the one that was changed last. */
  toggle(record: ListRecord, rows: readonly ListRecord[], isRange = false): void {
    const isOn = !this.has(record.id);
    if (this.#all) this.#restrictTo(rows);
    const [from, to] = [rows.findIndex(({ id }) => id === this.#last), rows.findIndex(({ id }) => id === record.id)];
    const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [record];
    for (const each of range) {
      if (isOn) this.#records.set(each.id, each);
      else this.#records.delete(each.id);
    }
    this.#last = record.id;
  }

  setPage(rows: readonly ListRecord[], isOn: boolean): void {
    this.#all = false;
    for (const row of rows) {
      if (isOn) this.#records.set(row.id, row);
      else this.#records.delete(row.id);
    }
  }

  selectAll(): void {
    this.#all = true;
  }

  clear(): void {
    this.#all = false;
    this.#records.clear();
    this.#last = undefined;
  }

  /** Of all, those on this page stay selected. */
  #restrictTo(rows: readonly ListRecord[]): void {
    this.#all = false;
    for (const row of rows) this.#records.set(row.id, row);
  }
}
