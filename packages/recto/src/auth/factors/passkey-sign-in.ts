import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { unauthorized } from '../../base/problem.ts';
import { clientNetwork } from '../client-network.ts';
import { enter, type SignedIn, type SignInServices, signedIn } from '../enter.ts';
import { tokenHash } from '../opaque-token.ts';
import type { RelyingParty, SentAssertion } from './relying-party.ts';

type Services = SignInServices & { readonly relyingParty: RelyingParty };

/** What a browser needs to sign in with a passkey alone, of whichever account. Throws 429. */
export async function passkeyOptions(
  { database, challenges, relyingParty, limits, now }: Services,
  address: string,
): Promise<{ readonly challenge: string; readonly options: PublicKeyCredentialRequestOptionsJSON }> {
  await limits.passkeys(address);
  const challenge = await database.transaction((transaction) =>
    challenges.issue(transaction, { purpose: 'passkey_sign_in' }, now()),
  );
  return { challenge, options: await relyingParty.requestOptions(challenge) };
}

/**
 * Signs in with a passkey whose authenticator has verified its user, which counts as two factors. Throws 401 `invalid_passkey` for
 * whatever is wrong, 403 `email_not_verified`, 429.
 */
export async function passkeySignIn(
  services: Services,
  { challenge: token, response }: { readonly challenge: string; readonly response: SentAssertion },
  address: string,
): Promise<SignedIn> {
  const { database, accounts, challenges, passkeys, relyingParty, limits, now } = services;
  await limits.signIn(address, `passkey:${tokenHash(`${clientNetwork(address)} ${response.id}`)}`);
  const challenge = await database.transaction((transaction) =>
    challenges.countTry(transaction, 'passkey_sign_in', token, now()),
  );
  const passkey = challenge && (await passkeys.byCredential(database, response.id));
  const use = passkey && (await relyingParty.used(token, response, passkey, { userVerified: true }));
  if (passkey === undefined || use === undefined || !use.userVerified) throw wrongPasskey();
  const entrance = await database.transaction(async (transaction) => {
    const account = await accounts.byId(transaction, passkey.account);
    if (account === undefined || account.disabled) throw wrongPasskey();
    if (!(await challenges.use(transaction, token, now()))) throw wrongPasskey();
    if (!(await passkeys.recordUse(transaction, passkey.id, { ...use, now: now() }))) throw wrongPasskey();
    return enter(services, transaction, account, { kind: 'passkey', userVerified: true });
  });
  return signedIn(services, entrance);
}

const wrongPasskey = () =>
  unauthorized('invalid_passkey', 'The passkey is unknown here, or what was sent does not prove it.');
