import { unauthorized } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { FactorMethod } from '../admission.ts';
import type { AuthServices } from '../auth-services.ts';
import type { SentAssertion } from './relying-party.ts';
import { totpStep } from './totp-codes.ts';

/** A second factor as it was sent. */
export type GivenFactor =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly response: SentAssertion };

/** A factor that is right as far as that shows without a transaction. */
export interface CheckedFactor {
  readonly method: FactorMethod;
  /** Uses it up, as part of a transaction. False where it was used up before, maybe by a request at the same moment. */
  redeem(transaction: Transaction): Promise<boolean>;
}

/** Checks a factor of an account. Undefined for a wrong one. `challenge` is what a passkey has signed. */
export async function checkFactor(
  services: AuthServices,
  account: string,
  given: GivenFactor,
  challenge: string | undefined,
): Promise<CheckedFactor | undefined> {
  switch (given.method) {
    case 'totp':
      return checkTotp(services, account, given.code);
    case 'recovery_code':
      return {
        method: 'recovery_code',
        redeem: (transaction) => services.recoveryCodes.use(transaction, account, given.code, services.now()),
      };
    case 'passkey':
      return challenge === undefined ? undefined : checkPasskey(services, account, given.response, challenge);
  }
}

async function checkTotp(
  { database, totp, seal, now }: AuthServices,
  account: string,
  code: string,
): Promise<CheckedFactor | undefined> {
  const stored = await totp.of(database, account);
  const secret = stored?.confirmed === true ? seal.open(stored.sealedSecret, account) : undefined;
  if (stored === undefined || secret === undefined) return undefined;
  const step = await totpStep(secret, code.replace(/\s/g, ''), now());
  if (step === undefined || step <= stored.lastStep) return undefined;
  return { method: 'totp', redeem: (transaction) => totp.accept(transaction, account, stored.sealedSecret, step) };
}

async function checkPasskey(
  { database, passkeys, relyingParty, now }: AuthServices,
  account: string,
  response: SentAssertion,
  challenge: string,
): Promise<CheckedFactor | undefined> {
  const passkey = await passkeys.byCredential(database, response.id);
  if (passkey?.account !== account) return undefined;
  const use = await relyingParty?.used(challenge, response, passkey, { userVerified: false });
  if (use === undefined) return undefined;
  return {
    method: 'passkey',
    redeem: (transaction) => passkeys.recordUse(transaction, passkey.id, { ...use, now: now() }),
  };
}

/** One answer for all that is wrong with a factor or its challenge. */
export const wrongFactor = () => unauthorized('invalid_code', 'The code is wrong, or not valid any more.');
