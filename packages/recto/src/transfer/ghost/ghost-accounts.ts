import type { Table } from '../../values/json-table.ts';
import type { ForeignAccount, ForeignAccounts } from '../importers/importer.ts';
import type { GhostRow, GhostTables } from './ghost-tables.ts';
import { textOf, timeOf } from './ghost-tables.ts';

/** The people of the staff. `areConfirmed`: whether the addresses are known to be theirs. */
export const ghostAccounts = (tables: GhostTables, file: string, areConfirmed: boolean): ForeignAccounts => ({
  ...{ from: 'users', file: `${file} users`, total: tables.total('users') },
  *each() {
    for (const row of tables.each('users')) yield account(row, areConfirmed);
  },
});

function account({ number, row }: GhostRow, areConfirmed: boolean): ForeignAccount {
  const why = whyClosed(row);
  const email = textOf(row.email);
  const website = textOf(row.website);
  const bio = textOf(row.bio);
  return {
    ...{ type: 'users', id: textOf(row.id), line: number, verified: areConfirmed },
    // The account that Ghost makes before anybody is there.
    email: email === '' || email.endsWith('@ghost.local') ? null : email,
    username: textOf(row.slug) || null,
    displayName: textOf(row.name),
    passwordHash: why === undefined ? textOf(row.password) || null : null,
    ...(why === undefined ? {} : { closedBecause: why }),
    disabled: /^(?:inactive|locked)$/.test(textOf(row.status)),
    profile: { ...(bio === '' ? {} : { bio }), ...(website === '' ? {} : { website }) },
    createdAt: timeOf(row.created_at),
  };
}

function whyClosed({ status, password }: Table): string | undefined {
  const state = textOf(status);
  if (state === 'inactive') return 'Ghost has suspended them';
  if (state === 'locked') return 'Ghost asks them to reset their password';
  return textOf(password) === '' ? 'the export has no hash of theirs' : undefined;
}
