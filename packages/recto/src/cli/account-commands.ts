import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Role } from '../base/caller.ts';
import type { Terminal } from '../base/terminal.ts';
import type { AnswerOptions } from './answer.ts';

type Ended = (exitCode: number) => void;

const json = ['--json', 'print the result as JSON'] as const;
const passwordStdin = ['--password-stdin', 'read the password from stdin instead of asking for it'] as const;
const user = ['<user>', 'the email address or the id of the account'] as const;
/** Whether there is such a role is checked by the command, which knows the installation's own. */
const roleOption = (doc: string): Option => new Option('--role <role>', doc).argParser(roleName);

function roleName(text: string): Role {
  if (/^[a-z][a-z0-9_-]{0,49}$/.test(text)) return text;
  throw new InvalidArgumentError('It is admin, editor, member, or a role of your own.');
}

/** Adds `recto user`. */
export function addUserCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const users = program.command('user').description('Make and change accounts.').addHelpText('after', userHelp);
  users
    .command('create')
    .description('Make an account.')
    .argument('<email>', 'its email address')
    .addOption(roleOption('what it may do').default('member'))
    .option('--username <name>', 'a name besides the email address')
    .option('--tenant <tenant>', 'the tenant that it belongs to; left out: none')
    .option(...passwordStdin)
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (email: string, options: { readonly role: Role }) => {
      const { createUser } = await import('./user-command.ts');
      ended(await createUser(terminal, email, options));
    });
  users
    .command('list')
    .description('List the accounts, in the order of their creation.')
    .addOption(roleOption('those of this role alone'))
    .option('--disabled', 'disabled ones alone')
    .option('--tenant <tenant>', 'those of this tenant alone')
    .option('--search <text>', 'those whose email address or username has this part')
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (options: AnswerOptions) => {
      const { listUsers } = await import('./user-command.ts');
      ended(await listUsers(terminal, options));
    });
  addUserChanges(users, terminal, ended);
}

function addUserChanges(users: Command, terminal: Terminal, ended: Ended): void {
  users
    .command('role')
    .description('Give an account another role; it holds from the next request on.')
    .argument(...user)
    .addArgument(new Argument('<role>', 'what it may do').argParser(roleName))
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (name: string, role: Role, options: AnswerOptions) => {
      const { setUserRole } = await import('./user-command.ts');
      ended(await setUserRole(terminal, name, role, options));
    });
  users
    .command('tenant')
    .description('Let an account belong to a tenant; it holds from the next request on.')
    .argument(...user)
    .argument('[tenant]', 'the tenant; left out: none')
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (name: string, tenant: string | undefined, options: AnswerOptions) => {
      const { setUserTenant } = await import('./user-command.ts');
      ended(await setUserTenant(terminal, name, tenant, options));
    });
  for (const [name, description] of switches) {
    users
      .command(name)
      .description(description)
      .argument(...user)
      .option(...json)
      .addHelpText('after', userHelp)
      .action(async (account: string, options: AnswerOptions) => {
        const { switchUser } = await import('./user-command.ts');
        ended(await switchUser(terminal, account, name, options));
      });
  }
  users
    .command('password')
    .description('Give an account a new password; ends its sessions at once.')
    .argument(...user)
    .option(...passwordStdin)
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (name: string, options: AnswerOptions) => {
      const { setUserPassword } = await import('./user-command.ts');
      ended(await setUserPassword(terminal, name, options));
    });
  users
    .command('reset-second-factors')
    .description('Remove all second factors of an account that has lost them; ends its sessions at once.')
    .argument(...user)
    .option(...json)
    .addHelpText('after', userHelp)
    .action(async (name: string, options: AnswerOptions) => {
      const { resetUserSecondFactors } = await import('./user-command.ts');
      ended(await resetUserSecondFactors(terminal, name, options));
    });
}

const switches = [
  ['disable', 'Lock an account out, at once.'],
  ['enable', 'Let a disabled account sign in again.'],
  ['verify', 'Confirm that the email address of an account is the person’s.'],
  ['unverify', 'Take that back.'],
] as const;

const expiryForms = 'a number of days such as 90d, or a time such as 2030-01-31T12:00:00Z';

/** Whether there is such a day, and whether it is to come, is checked with everything else about the token. */
function expiryOption(text: string): string {
  if (/^(?:\d{1,5}d|\d{4}-\d\d-\d\dT.+)$/.test(text)) return text;
  throw new InvalidArgumentError(`It must be ${expiryForms}.`);
}

/** Whether there are such scopes is checked by the command, which knows the content types. */
function scopeList(text: string): readonly string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  if (scopes.every((scope) => scope !== '')) return scopes;
  throw new InvalidArgumentError('It must be scopes with commas between them, such as articles:read,media:write.');
}

/** Adds `recto token`. */
export function addTokenCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const tokens = program
    .command('token')
    .description('Make and revoke API tokens, for programs.')
    .addHelpText('after', tokenHelp);
  tokens
    .command('create')
    .description('Make an API token, and print it this once.')
    .argument('<name>', 'what it is for')
    .addOption(roleOption('what it may do').default('member'))
    .option(
      '--scopes <scopes>',
      'some of its role’s rights, such as articles:read,media:write; left out: all',
      scopeList,
    )
    .option('--tenant <tenant>', 'the tenant that it belongs to; left out: none')
    .option('--expires <when>', `${expiryForms}; left out: never`, expiryOption)
    .option(...json)
    .addHelpText('after', tokenHelp)
    .action(async (name: string, options: { readonly role: Role }) => {
      const { createToken } = await import('./token-command.ts');
      ended(await createToken(terminal, name, options));
    });
  tokens
    .command('revoke')
    .description('Revoke an API token; requests with it get 401 from now on.')
    .argument('<id>', 'its id, as "recto token list" shows it')
    .option(...json)
    .addHelpText('after', tokenHelp)
    .action(async (id: string, options: AnswerOptions) => {
      const { revokeToken } = await import('./token-command.ts');
      ended(await revokeToken(terminal, id, options));
    });
  tokens
    .command('list')
    .description('List the API tokens, those that have expired included.')
    .option(...json)
    .addHelpText('after', tokenHelp)
    .action(async (options: AnswerOptions) => {
      const { listTokens } = await import('./token-command.ts');
      ended(await listTokens(terminal, options));
    });
}

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed, with the reason
  2  the command line is invalid`;

const userHelp = `
The service may run meanwhile; a change holds there at once. A password is asked for without showing it, or read from stdin.

Examples:
  recto user create mia@example.com --role editor
  echo 'a long password' | recto user create bot@example.com --password-stdin
  recto user role mia@example.com admin
  recto user tenant mia@example.com acme
  recto user disable mia@example.com
  recto user password mia@example.com
  recto user list --role admin --json
${exitCodesHelp}`;

const tokenHelp = `
The service may run meanwhile; a revoked token stops working there at once.

Examples:
  recto token create "the build of the site" --role editor --expires 90d
  recto token create "the shop" --role editor --scopes articles:read,media:write
  recto token list
  recto token revoke 01a1fc4d-4e39-75e9-b87c-fc2731e697d2
${exitCodesHelp}`;
