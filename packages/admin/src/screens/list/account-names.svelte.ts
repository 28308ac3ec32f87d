import { SvelteMap } from 'svelte/reactivity';
import { knownName } from '../../api/account-name.ts';
import { whenForgotten } from '../../api/query.svelte.ts';

/** By id; undefined while a name is looked up, or where this account may not know it. */
const names = new SvelteMap<string, string | undefined>();
whenForgotten(() => names.clear());

/** How an account is called, as far as that is known by now. Reactive. */
export const nameOfAccount = (id: string): string | undefined => names.get(id);

/** Looks names up that cells show. */
export function requestAccountNames(ids: readonly unknown[]): void {
  for (const id of new Set(ids)) {
    if (typeof id !== 'string' || names.has(id)) continue;
    names.set(id, undefined);
    void knownName(id).then((name) => names.set(id, name));
  }
}
