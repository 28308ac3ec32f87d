import type { AuthenticatedCaller } from '../base/caller.ts';
import type { Account } from './account.ts';
import type { AuthServices } from './auth-services.ts';

/** Who asked for work that is done later. */
export interface Principal {
  readonly kind: AuthenticatedCaller['kind'];
  readonly id: string;
}

/** The caller with the rights that they have now; undefined for an account or API token that is disabled, expired or gone, or whose role is. */
export async function currentCaller(
  { database, accounts, apiTokens, now, knowsRole }: AuthServices,
  { kind, id }: Principal,
): Promise<AuthenticatedCaller | undefined> {
  if (kind === 'api_token') {
    const token = await apiTokens.byId(database, id);
    if (token === undefined || (token.expiresAt !== null && Date.parse(token.expiresAt) <= now())) return undefined;
    if (!knowsRole(token.role)) return undefined;
    const scopes = token.scopes === null ? {} : { scopes: token.scopes };
    return { kind, id, role: token.role, ...scopes, ...belonging(token.tenant) };
  }
  const account = await accounts.byId(database, id);
  if (account === undefined || account.disabled || !knowsRole(account.role)) return undefined;
  return callerOf(account);
}

/** An account as a caller with the rights that it has now. */
export function callerOf({ id, role, email, username, verified, tenant }: Account): AuthenticatedCaller {
  // No rule reads the session.
  const session = '';
  const names = { email, ...(username === null ? {} : { username }), ...(verified ? { verified } : {}) };
  return { kind: 'account', id, role, session, ...names, ...belonging(tenant) };
}

const belonging = (tenant: string | null) => (tenant === null ? {} : { tenant });
