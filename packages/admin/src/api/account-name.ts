import { RectoError } from '@recto/client';
import { session } from '../app/session.svelte.ts';
import { whenForgotten } from './query.svelte.ts';

const known = new Map<string, Promise<string | undefined>>();
whenForgotten(() => known.clear());

interface Named {
  readonly display_name?: string | null;
  readonly username?: string | null;
  readonly email?: string;
}

/** How another account is called, as far as this one may know: admins see names, others the profiles that they may read. */
export function knownName(id: string): Promise<string | undefined> {
  let name = known.get(id);
  if (name === undefined) {
    name = load(id);
    known.set(id, name);
  }
  return name;
}

async function load(id: string): Promise<string | undefined> {
  const path = session.isAdmin ? '/admin/users' : '/users';
  try {
    const named = await session.client.request<Named>('GET', `${path}/${encodeURIComponent(id)}`);
    return named.display_name || named.username || named.email;
  } catch (error) {
    if (!(error instanceof RectoError)) throw error;
    return undefined;
  }
}
