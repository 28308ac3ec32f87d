import type { ListAddress } from './list-address.svelte.ts';
import type { ListData } from './list-data.svelte.ts';
import { firstPage, type PagePlace, pageAfter, pageBefore, pageRange, placeKey } from './list-state.ts';

/** The way from one page of a list to another. */
export class ListPages {
  readonly #address: ListAddress;
  readonly #data: ListData;
  /** Where pages that were shown lead back to: a cursor knows one direction. */
  readonly #trail = new Map<string, PagePlace>();

  readonly #position = $derived.by(() => {
    const { place, size } = this.#address.state;
    const { rows, total, page } = this.#data;
    return { place, size, count: rows.length, total, nextCursor: page.data?.nextCursor };
  });
  readonly next = $derived.by(() => {
    const { place } = this.#address.state;
    const known = place.from === 'end' ? this.#trail.get(this.#trailOf(place)) : undefined;
    return known ?? pageAfter(this.#position);
  });
  readonly previous = $derived.by(() => {
    const { place } = this.#address.state;
    if (place.from !== 'start') return pageBefore(this.#position);
    return this.#trail.get(this.#trailOf(place)) ?? pageBefore(this.#position) ?? firstPage;
  });
  readonly isFirst = $derived.by(() => {
    const { place } = this.#address.state;
    return place.from === 'page' ? place.page === 1 : this.previous === undefined;
  });
  readonly range = $derived.by(() => pageRange(this.#position));

  constructor(address: ListAddress, data: ListData) {
    this.#address = address;
    this.#data = data;
  }

  goTo(to: PagePlace | undefined): void {
    if (to === undefined) return;
    const { place } = this.#address.state;
    // Only steps away from where the cursors come from leave a trail.
    if (to.from !== 'page' && to.from === place.from && to.before > beforeOf(place))
      this.#trail.set(this.#trailOf(to), place);
    if (to.from === 'start' && place.from === 'page') this.#trail.set(this.#trailOf(to), place);
    this.#address.show({ ...this.#address.state, place: to });
  }

  goToLast(): void {
    this.goTo({ from: 'end', cursor: null, before: 0 });
  }

  #trailOf(at: PagePlace): string {
    const { place: _, ...shown } = this.#address.state;
    return JSON.stringify([shown, placeKey(at)]);
  }
}

const beforeOf = (at: PagePlace): number => (at.from === 'page' ? 0 : at.before);
