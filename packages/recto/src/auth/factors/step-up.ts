import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { invalid } from '../../base/problem.ts';
import { noSuchAccount } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { mayUsePassword } from '../password-policy.ts';
import { type FactorOwner, ownerAccount } from './change-factors.ts';
import { hasFactor } from './factor-store.ts';
import { checkFactor, type GivenFactor, wrongFactor } from './given-factor.ts';
import { type StepUpMethod, stepUpMethods, stepUpRequired } from './step-up-demand.ts';

/** How the owner of a session proves to be there. */
export type StepUpProof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'factor'; readonly factor: GivenFactor; readonly challenge: string | undefined };

export interface StepUpOptions {
  readonly methods: readonly StepUpMethod[];
  /** What a passkey is asked for with; absent where the account has none. */
  readonly passkey?: { readonly challenge: string; readonly options: PublicKeyCredentialRequestOptionsJSON };
}

/** The ways to prove it, and what a browser needs for a passkey. */
export async function stepUpOptions(services: AuthServices, owner: FactorOwner): Promise<StepUpOptions> {
  const { database, passkeys, challenges, relyingParty, now } = services;
  const methods = await stepUpMethods(services, owner.id);
  if (relyingParty === undefined || !methods.includes('passkey')) return { methods };
  const challenge = await database.transaction((transaction) =>
    challenges.issue(transaction, { purpose: 'step_up', account: owner.id, session: owner.session }, now()),
  );
  const options = await relyingParty.requestOptions(challenge, await passkeys.of(database, owner.id));
  return { methods, passkey: { challenge, options } };
}

/**
 * Marks a session for ten minutes as that of its owner. Throws 422 for a wrong password, 401 `invalid_code` for a wrong factor, 429, and 403
 * `step_up_required` for a password where the account has a factor, or may not sign in with a password.
 */
export async function stepUp(services: AuthServices, owner: FactorOwner, proof: StepUpProof): Promise<void> {
  if (proof.kind === 'password') return byPassword(services, owner, proof.password);
  const { database, challenges, sessions, limits, now } = services;
  await limits.secondFactor(owner.id);
  const { factor: given, challenge: token } = proof;
  if (given.method === 'passkey') {
    const challenge = await database.transaction((transaction) =>
      challenges.countTry(transaction, 'step_up', token ?? '', now()),
    );
    if (challenge?.account !== owner.id || challenge.session !== owner.session) throw wrongFactor();
  }
  const factor = await checkFactor(services, owner.id, given, token);
  if (factor === undefined) throw wrongFactor();
  await database.transaction(async (transaction) => {
    await ownerAccount(services, transaction, owner);
    if (given.method === 'passkey' && !(await challenges.use(transaction, token ?? '', now()))) throw wrongFactor();
    if (!(await factor.redeem(transaction))) throw wrongFactor();
    await sessions.stepUp(transaction, owner.session, { secondFactor: true, now: now() });
  });
}

async function byPassword(services: AuthServices, owner: FactorOwner, password: string): Promise<void> {
  const { database, accounts, factors, passwords, sessions, limits, policy, now } = services;
  const account = await accounts.byId(database, owner.id);
  if (account === undefined) throw noSuchAccount();
  await limits.confirmation(account.emailKey);
  const isEnough = mayUsePassword(account, policy) && !hasFactor(await factors.of(database, owner.id));
  if (!isEnough) throw await stepUpRequired(services, owner.id);
  if (!(await passwords.verify(password, account.passwordHash))) throw invalid([incorrect]);
  const stepped = await database.transaction(async (transaction) => {
    const current = await ownerAccount(services, transaction, owner);
    if (current.passwordHash !== account.passwordHash) throw invalid([incorrect]);
    // While the password was compared, a factor may have been added.
    if (hasFactor(await factors.of(transaction, owner.id))) return false;
    await sessions.stepUp(transaction, owner.session, { secondFactor: false, now: now() });
    return true;
  });
  if (!stepped) throw await stepUpRequired(services, owner.id);
}

const incorrect = { field: 'current_password', code: 'incorrect', message: 'This is not the current password.' };
