import { type JobKind, JobRejected, jobKind } from '../../jobs/job-kind.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { MailKind, MailValues } from '../../mail/templates/mail-kind.ts';
import { renderMail } from '../../mail/templates/render-mail.ts';
import type { Account } from '../account.ts';
import type { AuthServices } from '../auth-services.ts';
import { defaultEmail } from '../first-admin.ts';
import { mayUsePassword } from '../password-policy.ts';
import { type AccountMail, accountMailJob } from './account-mails.ts';
import type { AccountTokenKind } from './account-token-store.ts';
import { mayUseCodes, newCode } from './sign-in-code.ts';

type Services = Pick<AuthServices, 'database' | 'accounts' | 'accountTokens' | 'policy' | 'now'>;

/** A mail that is about to be composed. */
interface Draft {
  readonly kind: MailKind;
  readonly to: string;
  /** Makes what the mail opens. */
  values(): Promise<MailValues>;
}

/** Sends the mails of accounts. `link` is the address that an action and its token have. */
export const accountMailKind = (
  services: Services,
  outbox: Outbox,
  link: (action: string, token: string) => string,
): JobKind =>
  jobKind(accountMailJob, async (work) => {
    const draft = await draftOf(services, work.payload, link);
    if (draft === undefined) return undefined;
    // Of imported authors, whose address nobody knows, and of the first admin: no mail arrives there.
    if (/[@.]invalid$/i.test(draft.to) || draft.to === defaultEmail) return undefined;
    const to = mailAddress(draft.to);
    if (to === undefined) throw new JobRejected('The account has an address that mail cannot be sent to.');
    return outbox.send(work, async () => ({
      to,
      ...(await renderMail(draft.kind, work.payload.language, await draft.values(), outbox.settings)),
    }));
  });

/** What is left to say; undefined where there is nothing any more: no account, or it has what the mail was for. */
async function draftOf(
  services: Services,
  mail: AccountMail,
  link: (action: string, token: string) => string,
): Promise<Draft | undefined> {
  const { database, accounts, policy } = services;
  const found = mail.account === null ? undefined : await accounts.byId(database, mail.account);
  const account = found === undefined || found.disabled ? undefined : found;
  if (mail.kind === 'sign_in_code')
    return codeDraft(services, mail, account && mayUseCodes(account, policy) ? account : undefined);
  if (account === undefined) return undefined;
  const { email } = account;
  const linked = (action: string, token: AccountTokenKind, to = email, proves = to): Draft => ({
    kind: mail.kind,
    to,
    values: async () => ({
      link: link(action, await issue(services, token, account, proves, mail.at)),
      email: account.email,
    }),
  });
  switch (mail.kind) {
    case 'verification':
      return account.verified ? undefined : linked('verification', 'verification');
    case 'password_reset':
    case 'account_exists':
      if (!mayUsePassword(account, policy)) return undefined;
      return linked('password-reset', 'password_reset');
    case 'email_change':
      return account.pendingEmail === null ? undefined : linked('email-change', 'email_change', account.pendingEmail);
    case 'email_changed':
      return mail.address === undefined ? undefined : linked('email-revert', 'email_revert', mail.address);
    case 'invitation':
      return account.invitedAt === null ? undefined : linked('invitation', 'invitation');
    case 'password_changed':
    case 'second_factor_changed':
    case 'new_passkey':
      return { kind: mail.kind, to: email, values: async () => ({ email }) };
    case 'identity_linked':
      return { kind: mail.kind, to: email, values: async () => ({ email, provider: mail.provider ?? '' }) };
  }
}

function issue(
  { database, accountTokens, now }: Services,
  kind: AccountTokenKind,
  { id, passwordHash }: Account,
  address: string,
  at = now(),
): Promise<string> {
  if (kind === 'sign_in_code') throw new Error('A code is not a link.');
  return database.transaction((transaction) =>
    accountTokens.issue(transaction, kind, { id, passwordHash, address }, at),
  );
}

/** Where no account may use a code, a row is stored all the same: sending one then takes the same time. */
async function codeDraft(
  { database, accountTokens, now }: Services,
  { challenge = '' }: AccountMail,
  account: Account | undefined,
): Promise<Draft | undefined> {
  const store = (code: string) =>
    database.transaction((transaction) =>
      accountTokens.issueCode(
        transaction,
        { challenge, code },
        account === undefined ? null : { ...account, address: account.email },
        now(),
      ),
    );
  if (account === undefined) {
    await store(newCode());
    return undefined;
  }
  return {
    kind: 'sign_in_code',
    to: account.email,
    values: async () => {
      const code = newCode();
      await store(code);
      return { code: `${code.slice(0, 4)} ${code.slice(4)}`, email: account.email };
    },
  };
}
