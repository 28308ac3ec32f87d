import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import type { Account } from './account.ts';
import { createAccount, type NewAccountInput } from './accounts.ts';
import { type AuthOptions, type AuthServices, openAuth } from './auth-services.ts';
import { createPasswordHasher } from './password-hasher.ts';

export const testSecret = 'a secret for tests that is long enough';

/** As cheap as argon2id gets: what tests are about is not its cost. */
export const cheapPasswords = () => createPasswordHasher({ cost: { memoryCost: 16, timeCost: 1 } });

export interface TestAuth extends AuthServices, AsyncDisposable {
  readonly database: TestDatabase;
  /** The time that the services see, in milliseconds since 1970. */
  readonly clock: { now: number };
  /** Makes an account without signing it in. */
  account(input?: Partial<NewAccountInput>): Promise<Account>;
}

export const testPassword = 'correct horse';

/** Accounts and tokens on a database file of their own. */
export async function openTestAuth(options: Partial<AuthOptions> = {}): Promise<TestAuth> {
  const database = await openTestDatabase();
  const clock = { now: Date.parse('2026-11-21T10:00:00.000Z') };
  const services = openAuth({
    database,
    secret: testSecret,
    registrationOpen: true,
    rateLimit: false,
    now: () => clock.now,
    passwords: cheapPasswords(),
    ...options,
  });
  let accounts = 0;
  const account = (input: Partial<NewAccountInput> = {}): Promise<Account> => {
    const made = { email: `person${++accounts}@example.org`, password: testPassword, ...input };
    return createAccount(services, made, async (_, account) => account);
  };
  return { ...services, database, clock, account, [Symbol.asyncDispose]: () => database.close() };
}
