import type { Caller } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { logOtherChange } from '../events/event-writer.ts';

/** The type of events of API tokens. No content type has such a name. */
export const apiTokenEvents = 'recto:api_token';

/** A token that is created or revoked. */
export interface ApiTokenEvent {
  readonly id: string;
  readonly tenant: string | null;
  readonly action: 'create' | 'delete';
  readonly by: Caller;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Logs it; never the token itself. */
export function logApiToken(transaction: Transaction, { by, now, ...event }: ApiTokenEvent): void {
  const at = new Date(now).toISOString();
  logOtherChange(transaction, { ...event, type: apiTokenEvents, changed: [], caller: by, at });
}
