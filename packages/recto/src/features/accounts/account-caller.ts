import type { Caller } from '../../base/caller.ts';
import { forbidden } from '../../base/problem.ts';
import type { RequestContext } from '../../http/operation.ts';

/** The caller, who must be a person's account: an API token has neither a session nor a password. */
export function accountCaller({ caller }: RequestContext): Extract<Caller, { kind: 'account' }> {
  if (caller.kind === 'account') return caller;
  throw forbidden('not_an_account', 'Requires an account. An API token does not belong to one.');
}

/** What the caller's browser or program calls itself; null for none. */
export const agentOf = ({ request }: RequestContext): string | null => request.headers.get('user-agent');
