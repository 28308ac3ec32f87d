import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Receiver } from '../../packages/recto/src/webhooks/receiver.fixture.ts';
import { TestService } from '../support/service.ts';

// Two services in one process, as a program may embed them: what happens in one is not seen in the other.

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { list: { access: 'public' } },
};

let now: number;
let first: TestService;
let second: TestService;
beforeEach(async () => {
  now = Date.now();
  const options = { rateLimit: true, now: () => now };
  first = await TestService.open([note], options);
  second = await TestService.open([note], options);
  for (const service of [first, second]) await service.account('ada', 'admin');
});
afterEach(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});

/** What features count, without what the scrape itself changes. */
async function counted(service: TestService): Promise<readonly string[]> {
  const { text } = await service.send('GET /metrics');
  return text.split('\n').filter((line) => /^recto_(?:webhook|hook|event|jobs)/.test(line));
}

test('counters of features are of one service', async () => {
  await using receiver = new Receiver();
  const before = await counted(second);
  await first.send('POST /api/v1/admin/webhooks', { as: 'ada', body: { url: receiver.url } });
  await first.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { title: 'One' } });
  now += 1_000;
  await first.runJobs();
  expect(receiver.received).toHaveLength(1);
  expect(await counted(first)).toContain('recto_webhook_attempts_total{result="delivered"} 1');
  expect(await counted(second)).toEqual(before);
});

test('a rate limit that is reached in one is not reached in the other', async () => {
  const signIn = async (service: TestService): Promise<number> => {
    const body = { email: 'nobody@example.com', password: 'a wrong password' };
    return (await service.send('POST /api/v1/auth/login', { body })).status;
  };
  const tried: number[] = [];
  while (tried.at(-1) !== 429 && tried.length < 100) tried.push(await signIn(first));
  expect(tried.at(-1)).toBe(429);
  expect(await signIn(second)).toBe(401);
});

test('content, accounts and content types are of one service', async () => {
  await first.account('eve', 'editor');
  await first.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { title: 'One' } });
  const memo = { singular: 'memo', plural: 'memos', fields: [{ name: 'text', field_type: 'text' }] };
  const made = await first.send('POST /api/v1/admin/content-types', { as: 'ada', body: memo });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  const seen = async (service: TestService) => ({
    notes: (await service.send('GET /api/v1/cms/notes')).json.total,
    users: (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json.total,
    memo: (await service.send('GET /api/v1/admin/content-types/memo', { as: 'ada' })).status,
  });
  expect(await seen(first)).toEqual({ notes: 1, users: 2, memo: 200 });
  expect(await seen(second)).toEqual({ notes: 0, users: 1, memo: 404 });
});
