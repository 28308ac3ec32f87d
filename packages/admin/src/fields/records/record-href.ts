import { recordPath } from '../../api/record-title.ts';
import { href } from '../../app/navigation.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import type { TargetType } from './target-type.ts';

/** The address of a record's page; undefined: this account may not see it, as accounts are for admins alone. */
export function recordHref({ type }: TargetType, id: string): string | undefined {
  if (type !== undefined) return href(recordPath(type, id));
  return session.isAdmin ? href(`/users/${encodeURIComponent(id)}`) : undefined;
}
