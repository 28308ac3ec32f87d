import { describe, expect, test } from 'bun:test';
import { memoryCounters } from './rate-counters.ts';
import { createSignInLimits } from './sign-in-limits.ts';

/** How many attempts passed before the first failure, and its error. */
async function triesUntilRefused(attempt: (number: number) => Promise<void>) {
  for (let passed = 0; passed < 100; passed++) {
    const refusal: unknown = await attempt(passed).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined) return { passed, refusal };
  }
  return { passed: 100, refusal: undefined };
}

describe('sign-in limits', () => {
  test.each([
    ['one account, many addresses', 10, (n: number) => [`192.0.2.${n}`, 'ann@example.org']],
    ['one address, many accounts', 20, (n: number) => ['192.0.2.1', `person${n}@example.org`]],
    ['one IPv6 network, many accounts', 20, (n: number) => [`2001:db8::${n}`, `person${n}@example.org`]],
  ] as const)('%s: %p tries a minute', async (_, limit, tries) => {
    const limits = createSignInLimits(memoryCounters());
    const { passed, refusal } = await triesUntilRefused((number) => {
      const [address = '', key = ''] = tries(number);
      return limits.signIn(address, key);
    });
    expect(passed).toBe(limit);
    expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refusal).toHaveProperty('headers.Retry-After', expect.stringMatching(/^([1-9]|[1-5]\d|60)$/));
  });

  test('an account that is full does not stop others', async () => {
    const limits = createSignInLimits(memoryCounters());
    await triesUntilRefused((number) => limits.signIn(`192.0.2.${number}`, 'ann@example.org'));
    await limits.signIn('192.0.2.200', 'ben@example.org');
  });

  test('confirming a password counts with signing in', async () => {
    const limits = createSignInLimits(memoryCounters());
    for (let number = 0; number < 5; number++) await limits.signIn('192.0.2.1', 'ann@example.org');
    expect((await triesUntilRefused(() => limits.confirmation('ann@example.org'))).passed).toBe(5);
  });

  test('registrations are counted by themselves', async () => {
    const limits = createSignInLimits(memoryCounters());
    expect((await triesUntilRefused(() => limits.registration('192.0.2.1'))).passed).toBe(20);
    await limits.signIn('192.0.2.1', 'ann@example.org');
  });
});
