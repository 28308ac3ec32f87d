import { AccountStore } from '../auth/account-store.ts';
import { ApiTokenStore } from '../auth/api-token-store.ts';
import type { AuthServices } from '../auth/auth-services.ts';
import { FactorStore } from '../auth/factors/factor-store.ts';
import { createPasswordHasher } from '../auth/password-hasher.ts';
import { SessionStore } from '../auth/session-store.ts';
import type { Terminal } from '../base/terminal.ts';
import { withDatabase } from './existing-database.ts';

/** The services to change accounts and API tokens with. They sign nobody in, so no secret is read. */
export type AccountParts = Pick<
  AuthServices,
  'database' | 'accounts' | 'sessions' | 'factors' | 'apiTokens' | 'passwords' | 'now'
>;

/** Runs `work` on the accounts of the configured database. */
export function withAccounts<T>(terminal: Terminal, work: (parts: AccountParts) => Promise<T>): Promise<T> {
  return withDatabase(terminal, async (database) => {
    const { dialect } = database;
    return work({
      database,
      accounts: new AccountStore(dialect),
      sessions: new SessionStore(dialect),
      factors: new FactorStore(dialect),
      apiTokens: new ApiTokenStore(dialect),
      passwords: createPasswordHasher(),
      now: Date.now,
    });
  });
}
