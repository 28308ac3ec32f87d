import type { Caller } from '../../base/caller.ts';
import { conflict } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { Account } from '../account.ts';
import { logAccount } from '../account-event.ts';
import { noSuchAccount } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { demandsFactor } from './factor-policy.ts';
import { hasFactor } from './factor-store.ts';
import { settleFactors } from './settle-factors.ts';

/** The owner of an account who changes its factors, in a session that has proved lately to be theirs. */
export interface FactorOwner {
  readonly id: string;
  readonly session: string;
  /** Of mails. */
  readonly language: string;
  readonly by: Caller;
}

/** The names of factors in events. */
type FactorName = 'passkeys' | 'totp' | 'recovery_codes';

/** The enabled account of an owner, whose session has not ended meanwhile. */
export async function ownerAccount(
  { accounts, sessions, now }: AuthServices,
  transaction: Transaction,
  { id, session }: FactorOwner,
): Promise<Account> {
  const account = await accounts.byId(transaction, id);
  const proof = await sessions.proofOf(transaction, id, session, now());
  if (account === undefined || account.disabled || proof === undefined) throw noSuchAccount();
  return account;
}

/**
 * Adds a factor as part of a transaction. With the first one of an account, its other sessions end, which have no second factor, and it
 * gets recovery codes, which are returned.
 */
export async function addFactor(
  services: AuthServices,
  transaction: Transaction,
  owner: FactorOwner,
  name: Exclude<FactorName, 'recovery_codes'>,
  add: () => Promise<void>,
): Promise<readonly string[] | undefined> {
  const { factors, sessions, recoveryCodes, mails, now } = services;
  const account = await ownerAccount(services, transaction, owner);
  const isFirst = !hasFactor(await factors.of(transaction, owner.id));
  await add();
  if (isFirst) await sessions.endOf(transaction, owner.id, now(), { except: owner.session });
  await sessions.stepUp(transaction, owner.session, { secondFactor: true, now: now() });
  const codes = isFirst ? await recoveryCodes.replace(transaction, owner.id) : undefined;
  await settleFactors(services, transaction, owner.id);
  const also = isFirst ? [name, 'recovery_codes'] : [name];
  logAccount(transaction, { account, action: 'update', also, by: owner.by, now: now() });
  const kind = name === 'passkeys' ? 'new_passkey' : 'second_factor_changed';
  await mails?.queue(transaction, { kind, account: owner.id, language: owner.language });
  return codes;
}

/** Removes a factor as part of a transaction. Throws 409 `last_second_factor` where the settings demand one. */
export async function removeFactor(
  services: AuthServices,
  transaction: Transaction,
  owner: FactorOwner,
  name: Exclude<FactorName, 'recovery_codes'>,
  remove: () => Promise<void>,
): Promise<void> {
  const { mails, policy, now } = services;
  const account = await ownerAccount(services, transaction, owner);
  await remove();
  const left = await settleFactors(services, transaction, owner.id);
  if (!hasFactor(left) && demandsFactor(policy.secondFactor, account.role))
    throw conflict('last_second_factor', 'The account must have a second factor: add another one first.');
  logAccount(transaction, { account, action: 'update', also: [name], by: owner.by, now: now() });
  await mails?.queue(transaction, {
    kind: 'second_factor_changed',
    account: owner.id,
    language: owner.language,
  });
}

/** New recovery codes in place of the earlier ones. Throws 409 `no_second_factor`. */
export async function newRecoveryCodes(services: AuthServices, owner: FactorOwner): Promise<readonly string[]> {
  const { database, factors, recoveryCodes, mails, now } = services;
  return database.transaction(async (transaction) => {
    const account = await ownerAccount(services, transaction, owner);
    if (!hasFactor(await factors.of(transaction, owner.id)))
      throw conflict('no_second_factor', 'Recovery codes stand in for a second factor, and the account has none.');
    const codes = await recoveryCodes.replace(transaction, owner.id);
    logAccount(transaction, { account, action: 'update', also: ['recovery_codes'], by: owner.by, now: now() });
    await mails?.queue(transaction, {
      kind: 'second_factor_changed',
      account: owner.id,
      language: owner.language,
    });
    return codes;
  });
}
