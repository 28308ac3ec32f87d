import { importedDomain } from '../../auth/adopted-accounts.ts';
import { parseEmail } from '../../base/email-address.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import { plainLine } from './html-text.ts';
import { type ImportContext, inTransaction, type Outcome } from './import-context.ts';
import type { StagedAuthor } from './wordpress-staging.ts';

const kind = 'accounts';

/**
 * Gives each author of the file an account: the one of their e-mail address, or a new one. One of whom only the login is known gets a new
 * one, never that of a username: anyone can register that. Later steps find it in the staging.
 */
export async function importAuthors(context: ImportContext): Promise<void> {
  for (let after = ''; ; ) {
    const authors = context.staging.authors(after);
    await inTransaction(context, authors, (author, transaction, reader) =>
      importAuthor(context, author, transaction, reader),
    );
    const last = authors.at(-1);
    if (last === undefined) return;
    after = last.login;
  }
}

async function importAuthor(
  { accounts, ledger, staging }: ImportContext,
  { login, email: address, name }: StagedAuthor,
  transaction: Transaction | null,
  reader: Executor,
): Promise<Outcome> {
  const email = address === null ? null : parseEmail(address);
  if (email === undefined) {
    return (tally) =>
      tally.skipped(kind, 'without an e-mail address that can be one: their posts get no author', login);
  }
  const earlier = await ledger.find(reader, 'author', login);
  const known =
    (earlier === undefined ? undefined : await accounts.byId(reader, earlier)) ??
    (email === null ? undefined : await accounts.byEmail(reader, email));
  const account =
    known ??
    (transaction === null
      ? undefined
      : await accounts.make(transaction, { email, username: login, displayName: plainLine(name) }));
  if (transaction !== null && account !== undefined) await ledger.note(transaction, 'author', login, account.id);
  return (tally) => {
    // A dry run creates no account; any id stands for it.
    staging.setAccount(login, account?.id ?? placeholder);
    if (known === undefined) tally.taken(kind);
    else tally.before(kind);
    if (known === undefined && email === null) tally.changed(kind, loginAlone, login);
  };
}

const loginAlone = `known by their login alone: their addresses end in @${importedDomain}`;

const placeholder = '00000000-0000-7000-8000-000000000000';
