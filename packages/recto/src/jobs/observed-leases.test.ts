import { expect, test } from 'bun:test';
import { ObservedLeases } from './observed-leases.ts';

const job = (id: string, heartbeatAt: number) => ({ id, owner: 'someone', heartbeatAt });

test('a lease ends when nobody has renewed it for its time, as seen from here', () => {
  const leases = new ObservedLeases(30_000);
  // What the heartbeat says of the time does not count: only that it changes.
  expect(leases.ended([job('a', 0), job('b', 9e15)], 1_000)).toEqual([]);
  expect(leases.ended([job('a', 0), job('b', 5)], 30_999)).toEqual([]);
  expect(leases.ended([job('a', 0), job('b', 5)], 31_000)).toEqual([job('a', 0)]);
  expect(leases.ended([job('b', 5)], 60_998)).toEqual([]);
  expect(leases.ended([job('b', 5)], 60_999)).toEqual([job('b', 5)]);
});

test('one that was gone meanwhile, or has another owner, begins anew', () => {
  const leases = new ObservedLeases(10);
  leases.ended([job('a', 1)], 0);
  leases.ended([], 5);
  expect(leases.ended([job('a', 1)], 10)).toEqual([]);
  expect(leases.ended([{ ...job('a', 1), owner: 'another' }], 25)).toEqual([]);
  expect(leases.ended([{ ...job('a', 1), owner: 'another' }], 35)).toHaveLength(1);
});
