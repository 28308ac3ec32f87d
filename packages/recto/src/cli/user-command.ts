import type { Account } from '../auth/account.ts';
import type { AccountFilter } from '../auth/account-list.ts';
import { changeAccount, createAccount, noSuchAccount } from '../auth/accounts.ts';
import { resetSecondFactors } from '../auth/factors/reset-second-factors.ts';
import type { Role } from '../base/caller.ts';
import { countOf } from '../base/count-of.ts';
import { parseEmail } from '../base/email-address.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { type AccountParts, withAccounts } from './account-database.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { requireRole } from './known-role.ts';
import { readPassword } from './password-input.ts';
import { textTable } from './text-table.ts';

interface PasswordOptions extends AnswerOptions {
  readonly passwordStdin?: boolean;
}

interface NewUserOptions extends PasswordOptions {
  readonly role: Role;
  readonly username?: string;
  readonly tenant?: string;
}

/** `recto user create`. All functions here resolve with the exit code. */
export const createUser = (terminal: Terminal, email: string, options: NewUserOptions): Promise<number> =>
  answer(terminal, options, () =>
    withAccounts(terminal, async (parts) => {
      await requireRole(terminal, options.role);
      const password = await readPassword(terminal, options.passwordStdin === true);
      const { role, username, tenant } = options;
      const input = { email, password, role, username, tenant_id: tenant };
      const account = await createAccount(parts, input, async (_, made) => made);
      return result(account, `Created ${account.email} (${account.role}, ${account.id}).`);
    }),
  );

/** `recto user role`. */
export const setUserRole = (terminal: Terminal, user: string, role: Role, options: AnswerOptions): Promise<number> =>
  change(terminal, user, options, async (parts, { id }) => {
    await requireRole(terminal, role);
    const account = await changeAccount(parts, id, { role });
    return result(account, `${account.email} is ${role} from the next request on.`);
  });

/** `recto user tenant`: without a tenant, the account belongs to none. */
export const setUserTenant = (
  terminal: Terminal,
  user: string,
  tenant: string | undefined,
  options: AnswerOptions,
): Promise<number> =>
  change(terminal, user, options, async (parts, { id }) => {
    const account = await changeAccount(parts, id, { tenant_id: tenant ?? null });
    return result(account, `${account.email} belongs to ${tenant ?? 'no tenant'} from the next request on.`);
  });

const switches = {
  disable: { change: { disabled: true }, is: 'disabled and signed out' },
  enable: { change: { disabled: false }, is: 'enabled' },
  verify: { change: { verified: true }, is: 'verified from the next request on' },
  unverify: { change: { verified: false }, is: 'not verified from the next request on' },
} as const;

/** `recto user disable`, `enable`, `verify` and `unverify`. */
export const switchUser = (
  terminal: Terminal,
  user: string,
  name: keyof typeof switches,
  options: AnswerOptions,
): Promise<number> =>
  change(terminal, user, options, async (parts, { id }) => {
    const { change, is } = switches[name];
    const account = await changeAccount(parts, id, change);
    return result(account, `${account.email} is ${is}.`);
  });

/** `recto user password`. */
export const setUserPassword = (terminal: Terminal, user: string, options: PasswordOptions): Promise<number> =>
  change(terminal, user, options, async (parts, { id }) => {
    const password = await readPassword(terminal, options.passwordStdin === true);
    const account = await changeAccount(parts, id, { password });
    return result(account, `${account.email} has a new password and is signed out everywhere.`);
  });

/** `recto user reset-second-factors`. */
export const resetUserSecondFactors = (terminal: Terminal, user: string, options: AnswerOptions): Promise<number> =>
  change(terminal, user, options, async (parts, { id, email }) => {
    const had = await resetSecondFactors(parts, id);
    const account = await findAccount(parts, id);
    const text = had ? 'has no second factor any more and is signed out everywhere' : 'had no second factor';
    return result(account, `${email} ${text}.`);
  });

interface ListOptions extends AnswerOptions {
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly tenant?: string;
  readonly search?: string;
}

/** `recto user list`: all matching accounts, in order of creation. */
export const listUsers = (terminal: Terminal, { json, ...filter }: ListOptions): Promise<number> =>
  answer(terminal, json === undefined ? {} : { json }, () =>
    withAccounts(terminal, async (parts) => {
      const accounts = await allAccounts(parts, filter);
      const rows = accounts.map(({ email, username, role, disabled, tenant, createdAt, id }) => [
        ...[email, username ?? '-', role, disabled ? 'disabled' : 'enabled', tenant ?? '-', createdAt.slice(0, 10), id],
      ]);
      const table = textTable([['EMAIL', 'USERNAME', 'ROLE', 'STATE', 'TENANT', 'CREATED', 'ID'], ...rows]);
      const text = accounts.length === 0 ? '' : `${table}\n`;
      return { text: `${text}${countOf(accounts.length, 'account')}.\n`, json: { users: accounts.map(userJson) } };
    }),
  );

const slice = 1000;

async function allAccounts(parts: AccountParts, filter: AccountFilter): Promise<readonly Account[]> {
  const found: Account[] = [];
  for (;;) {
    const { accounts } = await parts.accounts.list(parts.database, filter, { limit: slice, offset: found.length });
    found.push(...accounts);
    if (accounts.length < slice) return found;
  }
}

function change(
  terminal: Terminal,
  user: string,
  options: AnswerOptions,
  work: (parts: AccountParts, account: Account) => ReturnType<Parameters<typeof answer>[2]>,
): Promise<number> {
  return answer(terminal, options, () =>
    withAccounts(terminal, async (parts) => work(parts, await findAccount(parts, user))),
  );
}

/** The account of an email address or an id. */
async function findAccount(parts: AccountParts, user: string): Promise<Account> {
  const { accounts, database } = parts;
  const email = parseEmail(user);
  const found =
    email === undefined ? await accounts.byId(database, user) : await accounts.byEmailKey(database, email.key);
  if (found === undefined) throw new FatalError(`${noSuchAccount().message} (${user})`);
  return found;
}

const result = (account: Account, text: string) => ({ text: `${text}\n`, json: { user: userJson(account) } });

/** As the API returns it. */
const userJson = ({ id, email, username, role, disabled, verified, secondFactor, tenant, ...more }: Account) => ({
  ...{ id, email, username, role, disabled, verified, second_factor: secondFactor, tenant_id: tenant },
  created_at: more.createdAt,
  updated_at: more.updatedAt,
});
