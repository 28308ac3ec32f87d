import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { knownName } from '../../../api/account-name.ts';
import { whenForgotten } from '../../../api/query.svelte.ts';
import type { ListField } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';

/** By id; undefined while a name is looked up, or where this account may not know it. */
const names = new SvelteMap<string, string | undefined>();
whenForgotten(() => names.clear());

/** How an account is called, as far as that is known by now. Reactive. */
export const nameOfAccount = (id: string): string | undefined => names.get(id);

/** The id of the account in a column: a relation holds its profile. */
export const accountIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;

/** Whether a record holds the name itself. */
const isNamed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'display_name' in value && Boolean(value.display_name);

/** Looks names up that cells of these columns show. */
export function requestAccountNames(columns: readonly ListField[], rows: readonly ListRecord[]): void {
  const accounts = columns.filter(({ isAccount }) => isAccount);
  const ids = new Set(
    accounts.flatMap(({ name }) => rows.map((row) => (isNamed(row[name]) ? undefined : accountIn(row[name])))),
  );
  untrack(() => {
    for (const id of ids) {
      if (typeof id !== 'string' || names.has(id)) continue;
      names.set(id, undefined);
      void knownName(id).then((name) => names.set(id, name));
    }
  });
}
