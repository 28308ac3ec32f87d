import { RectoError } from '@recto/client';
import { session } from '../app/session.svelte.ts';
import { t } from '../text/text.ts';
import { whenForgotten } from './query.svelte.ts';

const known = new Map<string, Promise<string | undefined>>();
whenForgotten(() => known.clear());

interface Named {
  readonly display_name?: string | null;
  readonly username?: string | null;
  readonly email?: string;
  /** What editors see. */
  readonly name?: string | null;
  readonly kind?: 'account' | 'token';
}

/** How another account is called, as far as this one may know: admins see addresses as well. Kept. */
export function knownName(id: string): Promise<string | undefined> {
  let name = known.get(id);
  if (name === undefined) {
    name = accountNameNow(id).catch(() => {
      // Who asks next may find it.
      known.delete(id);
      return undefined;
    });
    known.set(id, name);
  }
  return name;
}

/** The same, asked for anew. Rejects where the service gives no answer. */
export async function accountNameNow(id: string): Promise<string | undefined> {
  const named = session.isAdmin ? await nameAt('/admin/users', id) : undefined;
  return named ?? (await nameAt('/admin/people', id));
}

/** Undefined: there is none, or this account may not know it. */
async function nameAt(path: string, id: string): Promise<string | undefined> {
  try {
    const named = await session.client.request<Named>('GET', `${path}/${encodeURIComponent(id)}`);
    const name = named.display_name || named.username || named.email || named.name || undefined;
    return name !== undefined && named.kind === 'token' ? t('app.tokenNamed', { name }) : name;
  } catch (error) {
    if (error instanceof RectoError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
