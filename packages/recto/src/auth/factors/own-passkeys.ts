import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { conflict, invalid, notFound } from '../../base/problem.ts';
import { noSuchAccount } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { addFactor, type FactorOwner, ownerAccount, removeFactor } from './change-factors.ts';
import type { Passkey } from './passkey.ts';
import type { RelyingParty, SentRegistration } from './relying-party.ts';

type Services = AuthServices & { readonly relyingParty: RelyingParty };

/** How many an account may have. */
const mostPasskeys = 50;

const defaultName = 'Passkey';

/** What a browser needs to make a passkey. */
export async function beginPasskey(
  services: Services,
  owner: FactorOwner,
): Promise<{ readonly challenge: string; readonly options: PublicKeyCredentialCreationOptionsJSON }> {
  const { database, accounts, challenges, passkeys, relyingParty, now } = services;
  const account = await accounts.byId(database, owner.id);
  if (account === undefined) throw noSuchAccount();
  const challenge = await database.transaction((transaction) =>
    challenges.issue(
      transaction,
      { purpose: 'passkey_registration', account: owner.id, session: owner.session },
      now(),
    ),
  );
  const options = await relyingParty.creationOptions(
    challenge,
    { id: account.id, email: account.email, displayName: account.profile.display_name },
    await passkeys.of(database, owner.id),
  );
  return { challenge, options };
}

/** Adds the passkey that a browser has made. Throws 422 `invalid_passkey`, 409 `too_many_passkeys`. */
export async function addPasskey(
  services: Services,
  owner: FactorOwner,
  given: { readonly challenge: string; readonly response: SentRegistration; readonly name?: string | undefined },
): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] | undefined }> {
  const { database, challenges, passkeys, relyingParty, now } = services;
  const challenge = await database.transaction((transaction) =>
    challenges.countTry(transaction, 'passkey_registration', given.challenge, now()),
  );
  if (challenge?.account !== owner.id || challenge.session !== owner.session) throw invalid([wrongResponse]);
  const made = await relyingParty.registered(given.challenge, given.response, owner.id);
  if (made === undefined) throw invalid([wrongResponse]);
  const name = given.name?.trim() || defaultName;
  return database.transaction(async (transaction) => {
    if (!(await challenges.use(transaction, given.challenge, now()))) throw invalid([wrongResponse]);
    if ((await passkeys.byCredential(transaction, made.credentialId)) !== undefined) throw invalid([taken]);
    if ((await passkeys.of(transaction, owner.id)).length >= mostPasskeys)
      throw conflict('too_many_passkeys', `An account can have ${mostPasskeys} passkeys.`);
    const added: Passkey[] = [];
    const recoveryCodes = await addFactor(services, transaction, owner, 'passkeys', async () => {
      added.push(await passkeys.add(transaction, { ...made, name }, now()));
    });
    const [passkey] = added;
    if (passkey === undefined) throw new Error('The passkey was not added.');
    return { passkey, recoveryCodes };
  });
}

/** Throws 404. */
export async function renamePasskey(
  services: AuthServices,
  owner: FactorOwner,
  id: string,
  name: string,
): Promise<Passkey> {
  const { database, passkeys } = services;
  return database.transaction(async (transaction) => {
    await ownerAccount(services, transaction, owner);
    if (!(await passkeys.rename(transaction, owner.id, id, name.trim() || defaultName))) throw noSuchPasskey();
    const renamed = (await passkeys.of(transaction, owner.id)).find((passkey) => passkey.id === id);
    if (renamed === undefined) throw noSuchPasskey();
    return renamed;
  });
}

/** Throws 404, 409 `last_second_factor`. */
export async function removePasskey(services: AuthServices, owner: FactorOwner, id: string): Promise<void> {
  const { database, passkeys } = services;
  await database.transaction((transaction) =>
    removeFactor(services, transaction, owner, 'passkeys', async () => {
      if (!(await passkeys.remove(transaction, owner.id, id))) throw noSuchPasskey();
    }),
  );
}

const noSuchPasskey = () => notFound('There is no such passkey.');

const wrongResponse = {
  field: 'response',
  code: 'invalid_passkey',
  message: 'This is not what an authenticator has made for this challenge and this service.',
};

const taken = { field: 'response', code: 'taken', message: 'This passkey is registered already.' };
