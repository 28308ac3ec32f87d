import { session } from '../app/session.svelte.ts';
import { permissions } from './permissions.svelte.ts';
import { whenForgotten } from './query.svelte.ts';

/** How many accounts the service takes in one request. */
const mostAsked = 50;

/** By account: the address of the picture; undefined: it has none. */
let known = $state.raw<ReadonlyMap<string, string | undefined>>(new Map());
let wanted = new Set<string>();
whenForgotten(() => {
  known = new Map();
});

const learn = (pictures: Iterable<readonly [string, string | undefined]>): void => {
  known = new Map([...known, ...pictures]);
};

/** The address of an account's picture, as far as it is known by now. Reactive. */
export const pictureOf = (account: string): string | undefined => known.get(account);

/** Looks a picture up that is not known yet, with all others that are asked for in the same moment. */
export function askPicture(account: string): void {
  // Who has no right in the admin sees no pictures.
  if (!permissions.opensAdmin || known.has(account) || wanted.has(account)) return;
  if (wanted.size === 0) setTimeout(() => void ask());
  wanted.add(account);
}

async function ask(): Promise<void> {
  const ids = [...wanted];
  wanted = new Set();
  for (let start = 0; start < ids.length; start += mostAsked) await askFor(ids.slice(start, start + mostAsked));
}

interface Found {
  readonly items: readonly { readonly id: string; readonly picture: string }[];
}

async function askFor(ids: readonly string[]): Promise<void> {
  const query = { ids: ids.join(',') };
  const get = () => session.client.request<Found>('GET', '/admin/pictures', { query, background: true });
  const account = session.account?.id;
  try {
    const { items } = await session.inBackground(get);
    // Somebody else may have signed in meanwhile.
    if (session.account?.id !== account) return;
    const pictures = new Map(items.map(({ id, picture }) => [id, picture]));
    learn(ids.map((id) => [id, pictures.get(id)]));
  } catch {
    // Initials do. What is shown next asks again.
  }
}

/** To be called when an address leads nowhere: it has expired, or the picture is another now. */
export function forgetPicture(account: string): void {
  const others = new Map(known);
  others.delete(account);
  known = others;
}

/** The picture of an account has changed here; undefined: it has none now. */
export const setPicture = (account: string, picture: string | undefined): void => learn([[account, picture]]);
