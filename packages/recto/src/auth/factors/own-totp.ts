import { conflict, invalid, notFound } from '../../base/problem.ts';
import type { AuthServices } from '../auth-services.ts';
import { addFactor, type FactorOwner, ownerAccount, removeFactor } from './change-factors.ts';
import { newTotp, type TotpSetup, totpStep } from './totp-codes.ts';

/** Begins with an app that shows codes: it counts once its first code has been confirmed. Throws 409 `totp_exists`. */
export async function beginTotp(services: AuthServices, owner: FactorOwner): Promise<TotpSetup> {
  const { database, accounts, totp, seal, relyingParty, now } = services;
  const { email = '' } = (await accounts.byId(database, owner.id)) ?? {};
  const setup = await newTotp(relyingParty?.id ?? 'Recto', email);
  const sealed = seal.seal(setup.secret, owner.id);
  await database.transaction(async (transaction) => {
    await ownerAccount(services, transaction, owner);
    if ((await totp.of(transaction, owner.id))?.confirmed === true)
      throw conflict('totp_exists', 'The account already has an app that shows codes. Remove it first.');
    await totp.begin(transaction, owner.id, sealed, now());
  });
  return setup;
}

/**
 * Confirms the app by a code that it shows, and returns new recovery codes. Throws 422 for a wrong code, and where no app has been begun
 * with. Throws 429.
 */
export async function confirmTotp(
  services: AuthServices,
  owner: FactorOwner,
  code: string,
): Promise<readonly string[]> {
  const { database, totp, seal, recoveryCodes, limits, now } = services;
  await limits.secondFactor(owner.id);
  const pending = await totp.of(database, owner.id);
  if (pending === undefined || pending.confirmed) throw invalid([wrongCode]);
  const secret = seal.open(pending.sealedSecret, owner.id);
  const step = secret === undefined ? undefined : await totpStep(secret, code.replace(/\s/g, ''), now());
  if (step === undefined) throw invalid([wrongCode]);
  const { sealedSecret } = pending;
  return database.transaction(async (transaction) => {
    const codes = await addFactor(services, transaction, owner, 'totp', async () => {
      if (!(await totp.confirm(transaction, owner.id, { sealedSecret, step, now: now() }))) throw invalid([wrongCode]);
    });
    return codes ?? recoveryCodes.replace(transaction, owner.id);
  });
}

/** Removes the app. Throws 404, 409 `last_second_factor`. */
export async function removeTotp(services: AuthServices, owner: FactorOwner): Promise<void> {
  const { database, totp } = services;
  await database.transaction((transaction) =>
    removeFactor(services, transaction, owner, 'totp', async () => {
      if (!(await totp.remove(transaction, owner.id))) throw notFound('The account has no app that shows codes.');
    }),
  );
}

const wrongCode = {
  field: 'code',
  code: 'incorrect',
  message: 'This is not the code that the app shows now.',
};
