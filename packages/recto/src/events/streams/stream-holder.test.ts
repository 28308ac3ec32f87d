import { expect, test } from 'bun:test';
import { anonymous, type Caller } from '../../base/caller.ts';
import { RightsCheck } from './stream-holder.ts';
import { callerFacts } from './stream-interest.ts';

const mia: Caller = { kind: 'account', id: 'mia', role: 'member', session: 's' };

test('the rights of a holder are looked at once, however many streams it has', async () => {
  let looks = 0;
  const now = (): Caller => {
    looks += 1;
    return mia;
  };
  const check = new RightsCheck();
  for (let stream = 0; stream < 100; stream += 1)
    expect(await check.holds({ key: 'token', now }, { facts: callerFacts(mia) })).toBe(true);
  expect(looks).toBe(1);
});

test('another token, or what was opened with other rights, is looked at by itself', async () => {
  const check = new RightsCheck();
  const now = (): Caller => mia;
  const ended = (): Caller => {
    throw new Error('The token has expired.');
  };
  const interest = { facts: callerFacts(mia) };
  expect(await check.holds({ key: 'a', now }, interest)).toBe(true);
  expect(await check.holds({ key: 'b', now: ended }, interest)).toBe(false);
  expect(await check.holds({ key: 'a', now }, { facts: callerFacts({ ...mia, role: 'editor' }) })).toBe(false);
  expect(await check.holds({ key: 'a', now }, { facts: callerFacts(anonymous) })).toBe(false);
});
