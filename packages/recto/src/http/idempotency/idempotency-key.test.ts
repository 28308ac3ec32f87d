import { expect, test } from 'bun:test';
import { idempotencyKey, isRandom, longestKey } from './idempotency-key.ts';

const read = (value: string): string | null => idempotencyKey(new Headers({ 'Idempotency-Key': value }));

test('no header is no key', () => {
  expect(idempotencyKey(new Headers())).toBeNull();
});

test.each([
  ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  [' "order:17/3" ', 'order:17/3'],
  ['a', 'a'],
  ['x'.repeat(longestKey), 'x'.repeat(longestKey)],
  ["!#$%&'()*+-./:<=>?@[]^_`{|}~", "!#$%&'()*+-./:<=>?@[]^_`{|}~"],
])('%s is the key %s', (value, key) => {
  expect(read(value)).toBe(key);
});

test.each([
  '',
  '""',
  '"',
  '"a',
  'a"',
  'a b',
  'a, b',
  '"a", "b"',
  '"a";x=1',
  'a\\b',
  'é',
  'x'.repeat(longestKey + 1),
  `"${'x'.repeat(longestKey + 1)}"`,
])('%p is rejected', (value) => {
  expect(() => read(value)).toThrow(/Idempotency-Key must be/);
});

test.each([
  ['8e03978e-40d5-43dd-bc93-6894a57f9324', true],
  ['01A1FC5B-7629-741A-A944-397F387FABFC', true],
  ['c232ab00-9414-11ec-b3c8-9f6bdeced846', false],
  ['00000000-0000-0000-0000-000000000000', false],
  ['order-17', false],
])('%s: random is %p', (key, random) => {
  expect(isRandom(key)).toBe(random);
});
