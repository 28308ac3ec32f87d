import type { Caller, Role } from '../../base/caller.ts';
import { parseEmail } from '../../base/email-address.ts';
import { newId } from '../../base/ids.ts';
import type { Transaction } from '../../database/database.ts';
import type { Account, AccountValues } from '../account.ts';
import { logAccount } from '../account-event.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { nobodysPassword } from '../flows/nobodys-password.ts';
import { settled } from '../flows/password-reset.ts';
import { endUnproven } from '../flows/proven-account.ts';
import { tokenHash } from '../opaque-token.ts';
import { claimedRole } from './claimed-role.ts';
import { onceMore } from './once-more.ts';
import type { ProviderIdentity } from './provider-identity.ts';
import { sameMailbox } from './same-mailbox.ts';

/** Why somebody whom a provider has signed in gets no further. */
export type SignInRefusal =
  | 'registration_closed'
  | 'sign_in_to_link'
  | 'email_missing'
  | 'email_not_verified'
  | 'account_disabled'
  | 'last_admin';

export type SignInOutcome = { readonly account: Account } | { readonly refused: SignInRefusal };

/** What follows once it is committed. */
type Decision = SignInOutcome & {
  /** What is mailed to an account: counted, and so outside of the transaction. */
  readonly mail?: { readonly kind: 'verification' | 'account_exists'; readonly account: Account };
};

export interface SignInRequest {
  /** Of the client. */
  readonly address: string;
  readonly language: string;
  /** Whether it began at the admin, where nobody gets an account of a member. */
  readonly forAdmin: boolean;
}

type Services = AuthServices & { readonly by?: Caller };

/** One sign-in, in its transaction. */
interface Attempt extends SignInRequest {
  readonly services: Services;
  readonly transaction: Transaction;
  readonly identity: ProviderIdentity;
  readonly passwordHash: string;
}

/**
 * The account of somebody whom a provider has signed in. A known subject is its account's. An unknown one gets the member's account with
 * the same address only if the provider has proof of the address and is trusted with it; if that account has no such proof itself,
 * everything that opens it ends first, since whoever made it may be somebody else. Editors and admins sign in and link. Throws 429.
 */
export async function signInIdentity(
  services: Services,
  identity: ProviderIdentity,
  request: SignInRequest,
): Promise<SignInOutcome> {
  const { database, identities, limits } = services;
  const { provider, proven } = identity;
  const isNew = (await identities.find(database, identity)) === undefined;
  if (isNew && provider.registration && !proven) await limits.registration(request.address);
  const passwordHash = nobodysPassword();
  const { mail, ...outcome } = await onceMore(database, () =>
    database.transaction((transaction) => signIn({ ...request, services, transaction, identity, passwordHash })),
  );
  if (mail !== undefined) await sendMail(services, mail, request);
  return outcome;
}

async function sendMail(
  { database, limits, mails }: Services,
  { kind, account }: NonNullable<Decision['mail']>,
  { address, language }: SignInRequest,
): Promise<void> {
  if (mails === undefined || !(await limits.mail(kind, address, account.emailKey))) return;
  const { id, emailKey } = account;
  await database.transaction((transaction) =>
    mails.queue(transaction, { kind, account: id, address_hash: tokenHash(emailKey), language }),
  );
}

async function signIn(attempt: Attempt): Promise<Decision> {
  const { services, transaction, identity } = attempt;
  const { accounts, identities, now } = services;
  const known = await identities.find(transaction, identity);
  const account = known && (await accounts.byId(transaction, known.account));
  if (known === undefined || account === undefined) return byAddress(attempt);
  if (account.disabled) return { refused: 'account_disabled' };
  await identities.recordUse(transaction, known.id, identity.email?.address ?? null, now());
  return admitted(attempt, account);
}

/** What the address leads to, where the subject is unknown. */
async function byAddress(attempt: Attempt): Promise<Decision> {
  const { services, transaction, identity } = attempt;
  const { email } = identity;
  const mayRegister = isWelcome(attempt);
  // Whoever may not register learns nothing of addresses that nobody has proved.
  if (email === null) return { refused: mayRegister ? 'email_missing' : 'registration_closed' };
  const account = await services.accounts.byEmailKey(transaction, email.key);
  if (account === undefined) return mayRegister ? register(attempt) : { refused: 'registration_closed' };
  const own = parseEmail(account.email);
  const isProven = identity.proven && own !== undefined && sameMailbox(email, own);
  if (!isProven) return mayRegister ? taken(attempt, account) : { refused: 'registration_closed' };
  if (account.disabled) return { refused: 'account_disabled' };
  if (account.role !== 'member') return { refused: 'sign_in_to_link' };
  return admitted(attempt, await adopt(attempt, account));
}

/** Whether somebody without an account gets one. */
function isWelcome({ identity, forAdmin }: Attempt): boolean {
  const { provider, email, proven } = identity;
  const domain = email?.key.slice(email.key.lastIndexOf('@') + 1) ?? '';
  const fits = provider.domains.length === 0 || (proven && provider.domains.includes(domain));
  return provider.registration && fits && (!forAdmin || (claimedRole(identity) ?? 'member') !== 'member');
}

/** Links the account of a member whose address is proven. */
async function adopt(attempt: Attempt, account: Account): Promise<Account> {
  const { services, transaction, identity, language, passwordHash } = attempt;
  const { accounts, mails, now, by } = services;
  const { id } = account;
  if (account.verified) {
    logAccount(transaction, { account, action: 'update', also: ['identities'], by, now: now() });
  } else {
    await endUnproven(services, transaction, account);
    const values = { passwordHash, verified: true, ...settled(account) };
    await accounts.update(transaction, id, values, now());
    logAccount(transaction, { account, action: 'update', values, also: ['identities'], by, now: now() });
    transaction.touch(authGeneration);
  }
  await link(attempt, id);
  await mails?.queue(transaction, {
    kind: 'identity_linked',
    account: id,
    provider: identity.provider.label,
    language,
  });
  return (await accounts.byId(transaction, id)) ?? account;
}

async function register(attempt: Attempt): Promise<Decision> {
  const { services, transaction, identity, passwordHash } = attempt;
  const { accounts, now, by } = services;
  const { email, proven } = identity;
  if (email === null) return { refused: 'email_missing' };
  const draft = {
    ...{ id: newId(), email, username: null, passwordHash, tenant: null },
    ...{ role: claimedRole(identity) ?? 'member', verified: proven },
  };
  logAccount(transaction, { account: draft, action: 'create', by, now: now() });
  const account = await accounts.insert(transaction, draft, now());
  await link(attempt, account.id);
  return confirmed(attempt, account);
}

async function link({ services, transaction, identity }: Attempt, account: string): Promise<void> {
  const { identities, now } = services;
  const { issuer, subject, provider, email } = identity;
  const named = { account, provider: provider.name, issuer, subject, email: email?.address ?? null };
  const { id } = await identities.insert(transaction, named, now());
  await identities.recordUse(transaction, id, named.email, now());
}

/** Another account has the address. With RECTO_VERIFY_EMAIL=required, its owner gets to know, and nobody else. */
const taken = ({ services }: Attempt, account: Account): Decision =>
  services.policy.verifyEmail === 'required'
    ? { refused: 'email_not_verified', mail: { kind: 'account_exists', account } }
    : { refused: 'sign_in_to_link' };

/** Gives the account the role that the claims say, and asks for the proof of its address that may be missing. */
async function admitted(attempt: Attempt, account: Account): Promise<Decision> {
  const { services, transaction, identity } = attempt;
  const { accounts, now, by } = services;
  const role = newRole(identity, account);
  if (role === undefined) return confirmed(attempt, account);
  if (account.role === 'admin' && account.tenant === null) {
    await accounts.lockAdmins(transaction);
    if (!(await accounts.hasAdmin(transaction, account.id))) return { refused: 'last_admin' };
  }
  const values: AccountValues = { role };
  await accounts.update(transaction, account.id, values, now());
  logAccount(transaction, { account, action: 'update', values, by, now: now() });
  transaction.touch(authGeneration);
  return confirmed(attempt, { ...account, role });
}

/** The role to be set; undefined where it stays. Admins are the provider's business only if it says so. */
function newRole(identity: ProviderIdentity, account: Account): Role | undefined {
  const role = claimedRole(identity);
  const isOthers = account.role === 'admin' && !identity.provider.allowAdmin;
  return role === account.role || isOthers ? undefined : role;
}

/** Mails what confirms an address that nobody has proved; without that, `required` lets nobody in. */
function confirmed({ services }: Attempt, account: Account): Decision {
  const { verifyEmail } = services.policy;
  if (account.verified || verifyEmail === 'off') return { account };
  const mail = { kind: 'verification', account } as const;
  return verifyEmail === 'required' ? { refused: 'email_not_verified', mail } : { account, mail };
}
