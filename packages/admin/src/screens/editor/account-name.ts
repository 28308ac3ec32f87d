import { RectoError } from '@recto/client';
import { whenForgotten } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';

const known = new Map<string, Promise<string>>();
whenForgotten(() => known.clear());

interface Named {
  readonly display_name?: string | null;
  readonly username?: string | null;
  readonly email?: string;
}

/** How an account is called, as far as this one may know: admins see names, others the profiles that are public. */
export function accountName(id: string): Promise<string> {
  if (id === session.account?.id) return Promise.resolve(t('editor.you'));
  let name = known.get(id);
  if (name === undefined) {
    name = load(id);
    known.set(id, name);
  }
  return name;
}

async function load(id: string): Promise<string> {
  const path = session.isAdmin ? '/admin/users' : '/users';
  try {
    const named = await session.client.request<Named>('GET', `${path}/${encodeURIComponent(id)}`);
    return named.display_name || named.username || named.email || t('editor.revisionSomebody');
  } catch (error) {
    if (!(error instanceof RectoError)) throw error;
    return t('editor.revisionSomebody');
  }
}
