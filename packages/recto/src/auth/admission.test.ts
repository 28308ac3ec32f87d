import { describe, expect, test } from 'bun:test';
import { admit, type Proof } from './admission.ts';

const now = 1_000;

/** What each way in gets into, without and with a second factor of the account. */
const ways: readonly (readonly [Proof, without: boolean, withFactor: boolean])[] = [
  [{ kind: 'password' }, true, false],
  [{ kind: 'registration' }, true, false],
  [{ kind: 'invitation' }, true, false],
  [{ kind: 'code' }, true, false],
  [{ kind: 'renewal', before: undefined }, true, false],
  [{ kind: 'renewal', before: { methods: ['password'], secondFactor: false, steppedUpAt: null } }, true, false],
  [{ kind: 'renewal', before: { methods: ['password', 'totp'], secondFactor: true, steppedUpAt: 1 } }, true, true],
  [{ kind: 'passkey', userVerified: true }, true, true],
  [{ kind: 'provider', mfa: false }, true, false],
  [{ kind: 'provider', mfa: true }, true, true],
  [{ kind: 'second_factor', first: 'password', method: 'totp' }, true, true],
];

describe('the gate', () => {
  test.each(ways)('%j: without a factor %p, with one %p', (proof, without, withFactor) => {
    expect(admit(proof, false, now) !== undefined).toBe(without);
    expect(admit(proof, true, now) !== undefined).toBe(withFactor);
  });

  test('a mailed code is no recent proof, and a password is', () => {
    expect(admit({ kind: 'code' }, false, now)?.steppedUpAt).toBeNull();
    expect(admit({ kind: 'password' }, false, now)?.steppedUpAt).toBe(now);
  });

  test('a new password does not renew the proof of an account with a factor', () => {
    const before = { methods: ['password', 'totp'], secondFactor: true, steppedUpAt: 1 } as const;
    expect(admit({ kind: 'renewal', before }, true, now)).toMatchObject({ steppedUpAt: 1, secondFactor: true });
    expect(admit({ kind: 'renewal', before }, false, now)).toMatchObject({ steppedUpAt: now });
  });
});
