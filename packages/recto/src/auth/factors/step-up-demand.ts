import type { Caller, StepUpDemand } from '../../base/caller.ts';
import { forbidden, Problem, unauthorized } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { AccountStore } from '../account-store.ts';
import type { AuthPolicy } from '../auth-policy.ts';
import { hasPassword } from '../flows/nobodys-password.ts';
import { mayUsePassword } from '../password-policy.ts';
import type { SessionStore } from '../session-store.ts';
import { type FactorStore, hasFactor, methodsOf } from './factor-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** How long a proof lasts, in milliseconds. */
export const stepUpLifetime = 10 * 60 * 1000;

interface Parts {
  readonly database: Executor;
  readonly sessions: SessionStore;
  readonly factors: FactorStore;
  readonly accounts: AccountStore;
  readonly relyingParty?: RelyingParty | undefined;
  readonly policy: Pick<AuthPolicy, 'passwordSignIn'>;
  readonly now: () => number;
}

/** The ways to prove in a session that its owner is there. */
export type StepUpMethod = 'password' | 'passkey' | 'totp' | 'recovery_code';

/**
 * The ways of an account. The password does not count for one that has a factor: it would turn the factor off for whoever has found the
 * password and a session. An account that began with a provider, or may not sign in with its password, may have neither: it signs in
 * again.
 */
export async function stepUpMethods(
  { database, factors, accounts, relyingParty, policy }: Parts,
  id: string,
): Promise<readonly StepUpMethod[]> {
  const own = await factors.of(database, id);
  if (hasFactor(own)) return methodsOf(own, relyingParty !== undefined);
  const account = await accounts.byId(database, id);
  return account !== undefined && hasPassword(account) && mayUsePassword(account, policy) ? ['password'] : [];
}

/**
 * Throws 403 `step_up_required` unless the caller's owner has proved in the last ten minutes to be there. The session is read each time:
 * nothing remembers it.
 */
export async function requireStepUp(parts: Parts, caller: Caller, of: StepUpDemand): Promise<void> {
  const { database, sessions, now } = parts;
  switch (caller.kind) {
    case 'anonymous':
      throw unauthorized('authentication_required', 'Requires an access token: "Authorization: Bearer <token>".');
    case 'api_token':
      if (of === 'sessions') return;
      throw forbidden('not_an_account', 'Requires an account. An API token does not belong to one.');
    case 'account': {
      const proof = await sessions.proofOf(database, caller.id, caller.session, now());
      if (proof?.steppedUpAt != null && proof.steppedUpAt + stepUpLifetime > now()) return;
      throw await stepUpRequired(parts, caller.id);
    }
  }
}

/** The 403 that asks for a proof, with the ways to give it. */
export async function stepUpRequired(parts: Parts, account: string): Promise<Problem> {
  const methods = await stepUpMethods(parts, account);
  return new Problem(403, 'step_up_required', 'Prove that it is you: this takes a recent password or second factor.', {
    members: { methods },
  });
}
