import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ForeignAccount, ForeignAccounts } from '../importers/importer.ts';
import type { PocketbaseCollection } from './pocketbase-collections.ts';
import { momentOf } from './pocketbase-field.ts';

/** The fields of accounts that an account here has as well, or that PocketBase needs for itself. */
export const accountFields: ReadonlySet<string> = new Set([
  ...['id', 'email', 'emailVisibility', 'verified', 'username', 'password', 'passwordHash', 'tokenKey'],
  ...['lastResetSentAt', 'lastVerificationSentAt', 'lastLoginAlertSentAt'],
]);

/** The accounts of a collection. `rows`: its table, one row after the other. */
export const pocketbaseAccounts = (
  collection: PocketbaseCollection,
  rows: () => Iterable<Record<string, unknown>>,
): ForeignAccounts => ({
  ...{ from: collection.name, file: `data.db ${collection.name}`, total: collection.total },
  *each() {
    let line = 0;
    for (const row of rows()) {
      line += 1;
      yield account(collection, row, line);
    }
  },
});

function account(collection: PocketbaseCollection, row: Record<string, unknown>, line: number): ForeignAccount {
  const verified = row.verified === 1;
  const why = whyClosed(collection.options, verified);
  const hash = row.password ?? row.passwordHash;
  return {
    ...{ type: collection.name, id: String(row.id), line, verified },
    email: typeof row.email === 'string' && row.email !== '' ? row.email : null,
    username: typeof row.username === 'string' && row.username !== '' ? row.username : null,
    displayName: typeof row.name === 'string' ? row.name : '',
    passwordHash: why === undefined && typeof hash === 'string' && hash !== '' ? hash : null,
    ...(why === undefined ? {} : { closedBecause: why }),
    createdAt: momentOf(row.created),
  };
}

/** Why an account could not sign in with its password alone; undefined: it could. */
function whyClosed(options: Table, verified: boolean): string | undefined {
  const of = (name: string): Table => (isTable(options[name]) ? options[name] : {});
  if (of('mfa').enabled === true) return 'PocketBase asks them for a second factor';
  const isOff =
    of('passwordAuth').enabled === false || (options.allowEmailAuth === false && options.allowUsernameAuth === false);
  if (isOff) return 'PocketBase lets nobody sign in with a password there';
  const rule: JsonValue = options.authRule === undefined ? '' : options.authRule;
  if (rule === null) return 'PocketBase lets nobody sign in there';
  const isForVerified =
    options.onlyVerified === true || (typeof rule === 'string' && /^\s*verified\s*=\s*true\s*$/.test(rule));
  if (isForVerified) return verified ? undefined : 'PocketBase admits confirmed addresses alone';
  return rule === '' ? undefined : `PocketBase admits only those for whom ${JSON.stringify(rule)} holds`;
}
