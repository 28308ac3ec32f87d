import { unauthorized } from '../../base/problem.ts';
import { enter, type SignedIn, type SignInServices, signedIn } from '../enter.ts';

/** What a page has of its sign-in: the code of its address, and what it made the challenge of. */
export interface GivenProviderCode {
  readonly code: string;
  readonly verifier: string;
}

/** Signs in with the code of a sign-in by a provider. Throws 401 `invalid_code`, and what every sign-in may throw. */
export async function exchangeProviderCode(services: SignInServices, given: GivenProviderCode): Promise<SignedIn> {
  const { database, identities, providerCodes, accounts, now } = services;
  const taken = await database.transaction((transaction) =>
    providerCodes.take(transaction, { ...given, purpose: 'sign_in' }, now()),
  );
  if (taken === undefined) throw invalidProviderCode();
  const entrance = await database.transaction(async (transaction) => {
    // In the minute since, the account may have been disabled or deleted, or the identity removed.
    const identity = await identities.find(transaction, taken);
    const account = identity && (await accounts.byId(transaction, identity.account));
    if (account === undefined || account.disabled) throw invalidProviderCode();
    return enter(services, transaction, account, { kind: 'provider', mfa: taken.mfa });
  });
  return signedIn(services, entrance);
}

export const invalidProviderCode = () => unauthorized('invalid_code', 'The code is wrong, or not valid any more.');
