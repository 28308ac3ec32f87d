import { SvelteMap } from 'svelte/reactivity';

/** Titles of records that were shown to choose from: a filter has their ids alone. */
const titles = new SvelteMap<string, string>();

/** Reactive. */
export const knownTitle = (id: string): string | undefined => titles.get(id);

export function rememberTitle(id: string, title: string): void {
  titles.set(id, title);
}
