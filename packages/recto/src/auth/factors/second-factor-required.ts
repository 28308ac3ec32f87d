import { Problem } from '../../base/problem.ts';
import type { AuthServices } from '../auth-services.ts';
import { challengeLifetime } from './challenge-store.ts';
import { methodsOf } from './factor-store.ts';

/** The 403 that asks for the second factor. The challenge opens nothing but `POST /auth/second-factor`. */
export async function secondFactorRequired(
  {
    database,
    factors,
    passkeys,
    relyingParty,
  }: Pick<AuthServices, 'database' | 'factors' | 'passkeys' | 'relyingParty'>,
  account: string,
  challenge: string,
): Promise<Problem> {
  const methods = methodsOf(await factors.of(database, account), relyingParty !== undefined);
  const options =
    relyingParty !== undefined && methods.includes('passkey')
      ? { options: await relyingParty.requestOptions(challenge, await passkeys.of(database, account)) }
      : {};
  return new Problem(403, 'second_factor_required', 'The account has a second factor: give it to sign in.', {
    headers: { 'Cache-Control': 'no-store' },
    members: { challenge, expires_in: challengeLifetime / 1000, methods, ...options },
  });
}
