import { afterEach, beforeEach, expect, test } from 'bun:test';
import { EventSource } from '../../support/event-source.ts';
import { TestService } from '../../support/service.ts';

// How many streams may be open, for a process and for one caller.

const note = { singular: 'note', plural: 'notes', fields: [], api: { get: { access: 'public' } } };

let service: TestService;
let open: EventSource[];
beforeEach(async () => {
  open = [];
  service = await TestService.open([note], { streams: { process: 5, caller: 2 } });
  await service.account('ada', 'admin');
  await service.account('mia');
});
afterEach(async () => {
  for (const source of open) await source[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** Opens one; returns its status, and the code of a problem. */
async function listen(as?: string, { peer = '192.0.2.1', query = '' } = {}): Promise<readonly unknown[]> {
  const headers: Record<string, string> = as === undefined ? {} : { Authorization: `Bearer ${service.tokenOf(as)}` };
  const response = await service.app.fetch(
    new Request(`http://recto.test/api/v1/events${query}`, { headers }),
    () => peer,
  );
  if (response.status !== 200) {
    const { code } = Object(await response.json());
    return [response.status, code, response.headers.get('retry-after')];
  }
  open.push(await EventSource.of(response));
  return [200];
}

const full = [429, 'too_many_streams', '5'];

test('a caller has so many, with tickets too, and others have theirs', async () => {
  expect([await listen('ada'), await listen('ada'), await listen('ada')]).toEqual([[200], [200], full]);
  const { ticket } = (await service.send('POST /api/v1/events/ticket', { as: 'ada' })).json;
  expect(await listen(undefined, { query: `?ticket=${ticket}` })).toEqual(full);
  expect(await listen('mia')).toEqual([200]);
  const metrics = (await service.send('GET /metrics')).text;
  expect(metrics).toContain('recto_event_streams_rejected_total{limit="caller"} 2');
});

test('anonymous callers are counted by their addresses', async () => {
  const from = (peer: string) => listen(undefined, { peer });
  expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([[200], [200], full]);
  expect(await from('192.0.2.2')).toEqual([200]);
});

test('a process has so many', async () => {
  for (const peer of ['1', '2', '3', '4', '5']) expect(await listen(undefined, { peer })).toEqual([200]);
  expect(await listen(undefined, { peer: '6' })).toEqual([503, 'too_many_streams', '5']);
  expect(await listen('ada')).toEqual([503, 'too_many_streams', '5']);
});

test('a place is free again when a stream ends, and is not taken by what opens none', async () => {
  for (let round = 0; round < 4; round += 1) {
    expect([await listen('ada'), await listen('ada')]).toEqual([[200], [200]]);
    expect(await listen('ada')).toEqual(full);
    for (const source of open.splice(0)) await source[Symbol.asyncDispose]();
    for (let other = 0; other < 3; other += 1) {
      expect((await service.send('HEAD /api/v1/events', { as: 'ada' })).status).toBe(200);
      expect((await service.send('GET /api/v1/events?types=nothing', { as: 'ada' })).status).toBe(400);
      expect((await service.send('GET /api/v1/events?ticket=forged', { as: 'ada' })).status).toBe(401);
    }
  }
});
