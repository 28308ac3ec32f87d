import type { Caller } from '../base/caller.ts';
import { parseEmail } from '../base/email-address.ts';
import { forbidden, invalid, unauthorized } from '../base/problem.ts';
import type { Account } from './account.ts';
import { logAccount } from './account-event.ts';
import { type AccountInput, checkAccountInput } from './account-input.ts';
import { accountFaults, changeAccount, createAccount, type NewAccountInput, noSuchAccount } from './accounts.ts';
import type { AuthServices } from './auth-services.ts';
import {
  type Entrance,
  emailNotVerified,
  enter,
  invalidCredentials,
  type SignedIn,
  type SignInServices,
  signedIn,
} from './enter.ts';
import { askForFactor } from './factors/ask-for-factor.ts';
import { defaultEmail } from './first-admin.ts';
import { queueVerification } from './flows/queue-verification.ts';
import { mayUsePassword, passwordSignInOff } from './password-policy.ts';
import { passwordFault } from './password-rules.ts';

/** Checks whether a client at this address may register now. Throws 403 `registration_closed`, 429. */
export async function admitRegistration(services: AuthServices, address: string): Promise<void> {
  // Whoever registers chooses a password.
  if (!services.registrationOpen || services.policy.passwordSignIn === 'off')
    throw forbidden('registration_closed', 'Registration is closed here.');
  await services.limits.registration(address);
}

/** Creates a member's account and signs it in, after `admitRegistration`. Throws 422. With RECTO_VERIFY_EMAIL, it gets a mail. */
export async function register(
  services: SignInServices & { readonly by?: Caller; readonly language?: string },
  input: Pick<NewAccountInput, 'email' | 'password' | 'username'>,
): Promise<SignedIn> {
  const { email, password, username } = input;
  const { mails, policy, language = 'en' } = services;
  const entrance = await createAccount(services, { email, password, username }, async (transaction, account) => {
    if (policy.verifyEmail !== 'off')
      await mails?.queue(transaction, { kind: 'verification', account: account.id, language });
    return enter(services, transaction, account, { kind: 'registration' });
  });
  return signedIn(services, entrance);
}

/**
 * Signs in. A wrong password, an unknown address and a disabled account get the same response, after the same work:
 * 401 `invalid_credentials`. Throws 429 when there were too many attempts. Where addresses have to be confirmed, 403
 * `email_not_verified` after the right password, and another mail. An account with a second factor gets 403 `second_factor_required`
 * with a challenge, after the right password alone. Throws 403 `password_sign_in_off` where RECTO_PASSWORD_SIGN_IN
 * allows none: with `members`, after the right password alone.
 */
export async function login(
  services: SignInServices & { readonly language?: string },
  credentials: { readonly email: string; readonly password: string },
  address: string,
): Promise<SignedIn> {
  const { limits, policy } = services;
  if (policy.passwordSignIn === 'off') throw passwordSignInOff();
  const key = parseEmail(credentials.email)?.key;
  await limits.signIn(address, key ?? '');
  // What has replaced the hash meanwhile may have been another sign-in with this password.
  const entrance =
    (await passwordEntrance(services, { ...credentials, key }, address)) ??
    (await passwordEntrance(services, { ...credentials, key }, address));
  if (entrance === undefined) throw invalidCredentials();
  return signedIn(services, entrance);
}

/** Undefined where the hash of the password was replaced while it was verified. A hash of another kind than those made now is replaced. */
async function passwordEntrance(
  services: SignInServices & { readonly language?: string },
  { password, key }: { readonly password: string; readonly key: string | undefined },
  address: string,
): Promise<Entrance | undefined> {
  const { database, accounts, passwords, policy } = services;
  const account = key === undefined ? undefined : await accounts.byEmailKey(database, key);
  const matches = await passwords.verify(password, account?.passwordHash);
  if (!matches || account === undefined) throw invalidCredentials();
  // Nobody else learns which accounts are those of editors and admins.
  if (!mayUsePassword(account, policy) && !account.disabled) throw passwordSignInOff();
  if (policy.verifyEmail === 'required' && !account.verified && !account.disabled) {
    await queueVerification(services, account, { address, language: services.language ?? 'en' });
    throw emailNotVerified();
  }
  const renewed = passwords.isOutdated(account.passwordHash) ? await passwords.hash(password) : undefined;
  return database.transaction(async (transaction) => {
    // During hashing the account may have been disabled, or its password changed.
    const current = await accounts.byId(transaction, account.id);
    if (current === undefined || current.disabled) throw invalidCredentials();
    if (current.passwordHash !== account.passwordHash) return undefined;
    if (renewed === undefined) return enter(services, transaction, current, { kind: 'password' });
    await accounts.renewHash(transaction, account.id, renewed);
    return enter(services, transaction, { ...current, passwordHash: renewed }, { kind: 'password' });
  });
}

/** Exchanges a refresh token for a new pair. Throws 401 `invalid_refresh_token`, or `refresh_token_reused` and ends the session. */
export async function refresh(services: AuthServices, refreshToken: string): Promise<SignedIn> {
  const { database, sessions, accounts, now } = services;
  const outcome = await database.transaction(async (transaction) => {
    const rotation = await sessions.rotate(transaction, refreshToken, now());
    if (rotation.kind !== 'rotated') return rotation;
    const account = await accounts.byId(transaction, rotation.account);
    if (account === undefined) return { kind: 'unknown' as const };
    // Days of grace begin here for sessions from before the settings demanded a second factor.
    await askForFactor(services, transaction, account, rotation.secondFactor);
    const entrance: Entrance = { kind: 'session', account, grant: rotation.grant };
    return { ...rotation, entrance };
  });
  // Thrown outside the transaction, which would otherwise roll back the end of the session.
  switch (outcome.kind) {
    case 'rotated':
      return signedIn(services, outcome.entrance);
    case 'reused':
      throw unauthorized('refresh_token_reused', 'This refresh token was used before. The session has been ended.');
    case 'unknown':
      throw unauthorized('invalid_refresh_token', 'The refresh token is not valid, or not any more.');
  }
}

/** Ends one session. */
export async function logout({ database, sessions, now }: AuthServices, session: string): Promise<void> {
  await database.transaction((transaction) => sessions.end(transaction, session, now()));
}

/**
 * Sets a new password, ends all sessions and starts a new one.
 * Throws 422 for a wrong current password or an unacceptable new one, 429 after too many attempts.
 */
export async function changePassword(
  services: SignInServices & { readonly by?: Caller; readonly language?: string },
  { id, session }: { readonly id: string; readonly session: string },
  change: { readonly current: string; readonly next: string },
): Promise<SignedIn> {
  const { database, accounts, sessions, passwords, now } = services;
  const account = await accounts.byId(database, id);
  if (account === undefined) throw noSuchAccount();
  await services.limits.confirmation(account.emailKey);
  const fault = passwordFault(change.next, 'new_password');
  const faults = [
    ...((await passwords.verify(change.current, account.passwordHash)) ? [] : [incorrect]),
    ...(fault === undefined ? [] : [fault]),
  ];
  if (faults.length > 0) throw invalid(faults);
  const passwordHash = await passwords.hash(change.next);
  const entrance = await database.transaction(async (transaction) => {
    const current = await accounts.byId(transaction, id);
    // Another request was faster: the given password is no longer the current one.
    if (current?.passwordHash !== account.passwordHash || current.disabled) throw invalid([incorrect]);
    await accounts.update(transaction, id, { passwordHash }, now());
    logAccount(transaction, {
      account: current,
      action: 'update',
      values: { passwordHash },
      by: services.by,
      now: now(),
    });
    const before = await sessions.proofOf(transaction, id, session, now());
    await sessions.endAll(transaction, id, now());
    const { language = 'en' } = services;
    await services.mails?.queue(transaction, { kind: 'password_changed', account: id, language });
    return enter(services, transaction, (await accounts.byId(transaction, id)) ?? current, { kind: 'renewal', before });
  });
  return signedIn(services, entrance);
}

/**
 * Changes the caller's own account, for a request from `address`. A new email address requires the current password: 422
 * without it. Where there is mail, the account keeps its address until the new one is confirmed. Changing the address or username is
 * rate-limited, because the response reveals whether it is taken.
 */
export async function changeProfile(
  services: AuthServices & { readonly by?: Caller; readonly language?: string },
  id: string,
  change: Omit<AccountInput, 'password' | 'role' | 'disabled' | 'tenant_id'> & {
    readonly currentPassword: string | undefined;
  },
  address: string,
): Promise<Account> {
  const { currentPassword, ...input } = change;
  const { email, ...others } = input;
  const account = await services.accounts.byId(services.database, id);
  if (account === undefined) throw noSuchAccount();
  const { faults, values } = checkAccountInput(input);
  const moves = email !== undefined && email !== account.email;
  if (moves && !(await confirmed(services, account, currentPassword)))
    throw invalid([...faults, currentPassword === undefined ? required : incorrect]);
  const name = values.username?.name;
  if (moves || (name !== undefined && name !== account.username)) await services.limits.identity(address, id);
  const { mails, language = 'en' } = services;
  // Whoever sets the service up has no mail at the first address.
  if (mails === undefined || account.emailKey === defaultEmail) return changeAccount(services, id, input);
  if (!moves || values.email?.key === account.emailKey)
    // The address that it has takes back that it waits for another one.
    return changeAccount(services, id, input, undefined, email === undefined ? {} : { pendingEmail: null });
  const more = await accountFaults(services, input, id);
  if (more.length > 0 || values.email === undefined) throw invalid(more);
  const pending = { pendingEmail: values.email.address };
  return changeAccount(services, id, others, undefined, pending, (transaction) =>
    mails.queue(transaction, { kind: 'email_change', account: id, language }),
  );
}

async function confirmed(services: AuthServices, account: Account, password: string | undefined): Promise<boolean> {
  if (password === undefined) return false;
  await services.limits.confirmation(account.emailKey);
  return services.passwords.verify(password, account.passwordHash);
}

const incorrect = { field: 'current_password', code: 'incorrect', message: 'This is not the current password.' };
const required = {
  field: 'current_password',
  code: 'required',
  message: 'Changing the email address takes the current password.',
};
