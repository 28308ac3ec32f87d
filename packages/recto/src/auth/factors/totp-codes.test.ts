import { describe, expect, test } from 'bun:test';
import { HOTP, Secret, TOTP } from 'otpauth';
import { newTotp, totpStep } from './totp-codes.ts';

/** Of both standards: twenty digits. */
const key = Secret.fromLatin1('12345678901234567890');

/** RFC 6238, appendix B, for SHA-1: seconds since 1970, and the last six of the eight digits there. */
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

/** RFC 4226, appendix D: the codes of the counters 0 to 9. */
const counted = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');

describe('codes of an app', () => {
  test.each(vectors)('at %p seconds: %s (RFC 6238)', async (seconds, code) => {
    expect(await totpStep(key.base32, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test('the codes of counters are those of RFC 4226', async () => {
    expect(counted.map((_, counter) => HOTP.generate({ secret: key, counter }))).toEqual(counted);
    for (const [step, code] of counted.entries()) expect(await totpStep(key.base32, code, step * 30_000)).toBe(step);
  });

  test('one step before and after is accepted, as the step it is of, and no other', async () => {
    const now = 1_700_000_000_000;
    const step = Math.floor(now / 30_000);
    const code = (at: number) => new TOTP({ secret: key }).generate({ timestamp: at * 30_000 });
    for (const near of [-1, 0, 1]) expect(await totpStep(key.base32, code(step + near), now)).toBe(step + near);
    for (const far of [-3, -2, 2, 3]) expect(await totpStep(key.base32, code(step + far), now)).toBeUndefined();
  });

  test.each(['', '12345', '1234567', '28708a', '２８７０８２', ' 287082', '287082\0'])(
    '%j is no code',
    async (code) => {
      expect(await totpStep(key.base32, code, 59_000)).toBeUndefined();
    },
  );

  test('a new secret has 160 bits, and its address and picture are for apps', async () => {
    const { secret, uri, qr } = await newTotp('cms.example.com', 'ada@example.com');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toStartWith('otpauth://totp/cms.example.com:ada%40example.com?');
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(qr).toStartWith('<svg');
    expect(qr).not.toContain('<script');
    expect((await newTotp('cms.example.com', 'ada@example.com')).secret).not.toBe(secret);
  });
});
