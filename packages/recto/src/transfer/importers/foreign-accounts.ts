import type { AdoptedAccounts, Adoptee } from '../../auth/adopted-accounts.ts';
import { importedDomain } from '../../auth/adopted-accounts.ts';
import { isImportableHash } from '../../auth/imported-hash.ts';
import { parseEmail } from '../../base/email-address.ts';
import type { Database } from '../../database/database.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import type { ImportLedger } from '../import-ledger.ts';
import type { Within } from '../json/read-import.ts';
import type { TransferTally } from '../transfer-report.ts';
import { accountKind, entryName, idFor } from './foreign-ids.ts';
import type { ForeignStaging } from './foreign-staging.ts';
import type { ForeignAccount, ForeignAccounts } from './importer.ts';

export interface AccountsParts {
  readonly database: Database;
  readonly staging: ForeignStaging;
  readonly adopted: AdoptedAccounts;
  readonly ledger: ImportLedger;
  readonly tally: TransferTally;
}

const counted = 'accounts';
/** Accounts of one transaction. */
const atOnce = 100;

/**
 * Brings the accounts of a source in. Each becomes a member, also one that was an admin. One whose address an account here has already is that account,
 * which stays as it is, if the source has confirmed the address; otherwise anybody could have registered it there.
 */
export class ForeignAccountsImport {
  readonly #parts: AccountsParts;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  /** Gives the accounts ids, and decides which are brought in. Stores nothing. */
  async stage({ each, file }: ForeignAccounts): Promise<void> {
    this.#parts.tally.expect(counted);
    for await (const account of each()) await this.#stage(account, `${file}:${account.line}`);
  }

  async #stage(account: ForeignAccount, place: string): Promise<void> {
    const { database, staging, adopted, tally } = this.#parts;
    const { type, id: foreignId } = account;
    const entry = entryName(type, foreignId);
    const staged = await idFor(staging, { kind: accountKind, entry, createdAt: account.createdAt }, async (id) => {
      return (await adopted.byId(database, id)) !== undefined;
    });
    if (staged.state !== 'new') {
      staging.add(type, foreignId, staged);
      if (staged.state === 'before') tally.before(counted);
      else tally.skipped(counted, 'deleted here since an earlier import', place);
      return;
    }
    const email = account.email === null ? null : parseEmail(account.email);
    if (email === undefined) return tally.skipped(counted, 'without an e-mail address that can be one', place);
    const known = email === null ? undefined : await adopted.byEmail(database, email);
    if (known !== undefined) {
      if (!account.verified)
        return tally.skipped(counted, 'an account here has their address, which the source has not confirmed', place);
      staging.add(type, foreignId, { id: known.id, state: 'before' });
      tally.before(counted);
      return tally.changed(counted, 'an account here has their address, and stays as it is', place);
    }
    if (email !== null && !staging.claimAddress(email.key))
      return tally.skipped(counted, 'another account of the source has their address', place);
    if (!staging.add(type, foreignId, staged)) return tally.skipped(counted, 'the source has their id twice', place);
    staging.addAccount(entry, staged.id, JSON.stringify(account));
    this.#remark(account, email === null, place);
  }

  #remark({ passwordHash, closedBecause, disabled }: ForeignAccount, isUnknown: boolean, place: string): void {
    const { tally } = this.#parts;
    if (isUnknown) tally.changed(counted, `without an e-mail address: theirs end in @${importedDomain}`, place);
    const why =
      closedBecause ??
      (passwordHash !== null && !isImportableHash(passwordHash)
        ? 'their hash is of a kind that cannot be verified here'
        : undefined);
    const state =
      disabled === true ? 'disabled until an admin enables them' : 'cannot sign in before they get a password';
    if (disabled === true || why !== undefined)
      tally.changed(counted, `${state}: ${why ?? 'the source has blocked them'}`, place);
  }

  /** Whether a reference leads to an account that is brought in. */
  isComing(target: string, id: string): boolean {
    return target === profileSingular && this.#parts.staging.hasAccount(id);
  }

  /** Stores the staged accounts. */
  async store(within: Within): Promise<void> {
    const { staging, adopted, ledger } = this.#parts;
    for (let after = ''; ; ) {
      const slice = staging.accounts(after, atOnce);
      const last = slice.at(-1);
      if (last === undefined) return;
      await within(async (transaction) => {
        for (const { entry, id, account } of slice) {
          // True because `#stage` writes them.
          await adopted.make(transaction, adoptee(JSON.parse(account) as ForeignAccount, id));
          await ledger.note(transaction, accountKind, entry, id);
        }
      });
      after = last.entry;
    }
  }

  /** Counts the accounts that were stored. */
  count(): void {
    const { staging, tally } = this.#parts;
    for (let count = staging.accountsTotal; count > 0; count -= 1) tally.taken(counted);
  }
}

function adoptee(
  { email, username, displayName, passwordHash, verified, disabled, createdAt, profile }: ForeignAccount,
  id: string,
): Adoptee {
  return {
    email: (email === null ? null : parseEmail(email)) ?? null,
    ...{ id, username: username ?? '', displayName, passwordHash, verified },
    ...(disabled === undefined ? {} : { disabled }),
    ...(createdAt === undefined ? {} : { createdAt: Date.parse(createdAt) }),
    ...(profile === undefined ? {} : { profile }),
  };
}
