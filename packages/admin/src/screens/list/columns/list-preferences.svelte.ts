import { session } from '../../../app/session.svelte.ts';
import type { Density, Layout } from './list-look.ts';

/** What a person has chosen for the list of one type, or for one of its saved views. */
export interface ListPreference {
  /** Names of fields; empty: those of the type. */
  readonly columns: readonly string[];
  readonly size: number;
  readonly density?: Density;
  readonly layout?: Layout;
  /** The ids of saved views, in the order in which the person wants them; others come behind. */
  readonly views?: readonly string[];
}

export const usualPreference: ListPreference = { columns: [], size: 50 };

let owner: string | undefined;
let chosen = $state.raw<Readonly<Record<string, ListPreference>>>({});

const storageName = (account: string): string => `recto.lists.${account}`;

/** This browser's copy shows a list at once as it was left; what the service has, which other browsers may have changed, follows. */
function begin(): void {
  const account = session.account?.id;
  if (account === undefined || account === owner) return;
  owner = account;
  chosen = stored(account);
  void session.client.admin.myPreferences
    .list()
    .then(({ items }) => {
      if (owner !== account) return;
      const found = items.flatMap(({ name, value }) =>
        name.startsWith('list:') && isPreference(value) ? [[name.slice('list:'.length), value] as const] : [],
      );
      chosen = Object.fromEntries(found);
      store(account);
    })
    // The copy is as good as it gets: a list that cannot be reached says so itself.
    .catch(() => undefined);
}

function stored(account: string): Readonly<Record<string, ListPreference>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageName(account)) ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, ListPreference] => isPreference(entry[1])),
    );
  } catch {
    return {};
  }
}

function store(account: string): void {
  try {
    localStorage.setItem(storageName(account), JSON.stringify(chosen));
  } catch {
    // The service has it.
  }
}

function isPreference(value: unknown): value is ListPreference {
  if (typeof value !== 'object' || value === null || !('columns' in value) || !('size' in value)) return false;
  const { columns, size } = value;
  return Array.isArray(columns) && columns.every((name) => typeof name === 'string') && typeof size === 'number';
}

/** Columns and sizes of lists, as this person has chosen them. Reactive. */
export const listPreferences = {
  of(plural: string): ListPreference {
    return (Object.hasOwn(chosen, plural) ? chosen[plural] : undefined) ?? usualPreference;
  },
  /** Call before the first list is shown, outside of what is derived. */
  begin,
  /** Shown at once; rejects when the service could not keep it. */
  async set(plural: string, change: Partial<ListPreference>): Promise<void> {
    const next = { ...this.of(plural), ...change };
    chosen = { ...chosen, [plural]: next };
    if (owner !== undefined) store(owner);
    await session.client.admin.myPreferences.update(`list:${plural}`, { value: next });
  },
};
