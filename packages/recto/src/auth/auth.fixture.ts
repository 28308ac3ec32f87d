import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import type { Account } from './account.ts';
import { createAccount, type NewAccountInput } from './accounts.ts';
import { type AuthOptions, type AuthServices, openAuth } from './auth-services.ts';
import { createPasswordHasher } from './password-hasher.ts';

export const testSecret = 'a secret for tests that is long enough';

/** The cheapest argon2id cost, to keep tests fast. */
export const cheapPasswords = () => createPasswordHasher({ cost: { memoryCost: 16, timeCost: 1 } });

export interface TestAuth extends AuthServices, AsyncDisposable {
  readonly database: TestDatabase;
  /** The time that the services see, in milliseconds since 1970. */
  readonly clock: { now: number };
  /** Creates an account without signing it in. */
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

/** Code points that are invisible or change the direction of the text around them. */
export const invisibles: readonly string[] = [
  ...[
    'ad',
    '34f',
    '61c',
    '115f',
    '1160',
    '17b4',
    '17b5',
    '180b',
    '180e',
    '180f',
    '200b',
    '200c',
    '200d',
    '200e',
    '200f',
  ],
  ...['202a', '202e', '2060', '2064', '2066', '2069', '2800', '3164', 'fe00', 'fe0f', 'feff', 'ffa0', 'fff9'],
  ...['16fe4', '1bca0', '1d159', '1d173', 'e0001', 'e0041', 'e007f', 'e0100', 'e0101', 'e01ef'],
];
