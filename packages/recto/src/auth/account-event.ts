import { type Caller, system } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { Account, AccountValues } from './account.ts';

/** The type of events of accounts. No content type has such a name. */
export const accountEvents = 'recto:account';

/** A change of an account. */
export interface AccountEvent {
  readonly account: Pick<Account, 'id' | 'tenant'>;
  readonly action: 'create' | 'update' | 'delete';
  /** What an update sets. */
  readonly values?: AccountValues;
  /** Further names of what an update changes. */
  readonly also?: readonly string[];
  /** Who does it; default: the service, or its operator. */
  readonly by?: Caller | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Logs the change of an account, by the names that its values have in the API. */
export function logAccount(
  transaction: Transaction,
  { account, action, values = {}, also = [], by = system, now }: AccountEvent,
) {
  const named = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [apiName(name)]));
  const changed = [...named, ...also];
  const at = new Date(now).toISOString();
  const { id, tenant } = account;
  logOtherChange(transaction, { type: accountEvents, id, tenant, action, changed, caller: by, at });
}

const apiNames: Readonly<Record<string, string>> = {
  tenant: 'tenant_id',
  pendingEmail: 'pending_email',
  invitedAt: 'invited_at',
};

function apiName(name: string): string {
  if (name === 'passwordHash') return 'password';
  return apiNames[name] ?? name;
}
