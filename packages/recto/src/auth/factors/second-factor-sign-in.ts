import type { Executor } from '../../database/database.ts';
import type { Account } from '../account.ts';
import { enter, type SignedIn, type SignInServices, signedIn } from '../enter.ts';
import { generationOf } from '../flows/account-token-store.ts';
import { checkFactor, type GivenFactor, wrongFactor } from './given-factor.ts';

/**
 * Completes a sign-in with its second factor. Throws 401 `invalid_code` for whatever is wrong: the factor, the challenge, or that the
 * account has been disabled or got another password meanwhile. Throws 429.
 */
export async function giveSecondFactor(services: SignInServices, token: string, given: GivenFactor): Promise<SignedIn> {
  const { database, challenges, limits, now } = services;
  // Committed before anything is said, so that tries are counted in every case.
  const challenge = await database.transaction((transaction) =>
    challenges.countTry(transaction, 'second_factor', token, now()),
  );
  if (challenge === undefined) throw wrongFactor();
  await limits.secondFactor(challenge.account);
  if ((await waiting(services, database, challenge)) === undefined) throw wrongFactor();
  const factor = await checkFactor(services, challenge.account, given, token);
  if (factor === undefined) throw wrongFactor();
  const entrance = await database.transaction(async (transaction) => {
    const account = await waiting(services, transaction, challenge);
    if (account === undefined) throw wrongFactor();
    if (!(await challenges.use(transaction, token, now()))) throw wrongFactor();
    if (!(await factor.redeem(transaction))) throw wrongFactor();
    return enter(services, transaction, account, {
      kind: 'second_factor',
      first: challenge.first,
      method: factor.method,
    });
  });
  return signedIn(services, entrance);
}

/** The account, if it is still as it was when the first step was made. */
async function waiting(
  { accounts }: SignInServices,
  executor: Executor,
  { account: id, passwordGeneration }: { readonly account: string; readonly passwordGeneration: string },
): Promise<Account | undefined> {
  const account = await accounts.byId(executor, id);
  if (account === undefined || account.disabled) return undefined;
  return generationOf(account.passwordHash) === passwordGeneration ? account : undefined;
}
