import { expect, test } from 'bun:test';
import { judgeEvents } from './events-check.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const reader = (waitingSince: string | null) => ({ name: 'webhooks', behind: 7, waitingSince });

test('readers that wait for a commit, and for their events, are no finding for a while', () => {
  const readers = [reader(null), reader('2026-11-22T11:30:00.000Z')];
  expect(judgeEvents({ readers, held: undefined }, now)).toMatchObject({ verdict: 'ok' });
  expect(judgeEvents({ readers, held: { seconds: 2, pid: 4711 } }, now)).toMatchObject({ verdict: 'ok' });
});

test('a transaction that all readers wait for is named, with how to end it', () => {
  const found = judgeEvents({ readers: [], held: { seconds: 90.4, pid: 4711 } }, now);
  expect(found).toMatchObject({ verdict: 'warn', detail: expect.stringContaining('90 seconds') });
  expect(found).toMatchObject({ remedy: expect.stringContaining('pg_terminate_backend(4711)') });
  const prepared = judgeEvents({ readers: [], held: { seconds: 90, pid: null } }, now);
  expect(prepared).toMatchObject({ remedy: expect.stringContaining('pg_prepared_xacts') });
});

test('a reader that is stuck is named', () => {
  const found = judgeEvents({ readers: [reader('2026-11-22T10:00:00.000Z')], held: undefined }, now);
  expect(found).toMatchObject({ verdict: 'warn', detail: expect.stringContaining('webhooks (7 events') });
});
